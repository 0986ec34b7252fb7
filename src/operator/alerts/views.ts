import { isoInstant } from '../../shared/dates';
import { type Details, summaryOf } from './rules';

interface AlertFields {
  readonly id: string;
  readonly rule: string;
  readonly supplier: string;
  readonly since: number;
  readonly endedAt: number | null;
  readonly details: string;
}

/** Numbers and codes, as of when the alert fired last. */
export const detailsOf = ({ details }: Pick<AlertFields, 'details'>): Details => JSON.parse(details);

/** An alert on the wire: in the list, and in what is delivered. */
export const alertView = (row: AlertFields) => ({
  id: row.id,
  rule: row.rule,
  ...(row.supplier === '' ? {} : { supplier: row.supplier }),
  is_firing: row.endedAt === null,
  since: isoInstant(row.since),
  ...(row.endedAt === null ? {} : { ended_at: isoInstant(row.endedAt) }),
  summary: summaryOf(row.rule, row.supplier, detailsOf(row)),
  details: detailsOf(row),
});

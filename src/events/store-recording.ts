/**
 * The queries that write events. Each belongs in the batch of its effect: the event is written if, and only if, the effect is.
 */
import { type Column, events, importProcesses, insertSelect, prepared, type SQL, sql, type Values, type Write } from '../db';
import type { CountedType, EventType, GivenData } from './types';

/** One event lists at most this many imports. */
const MAX_IMPORTS = 500;

/** Past every id that was given before, by the clock where that is further: also after a restore took earlier ids back. */
const nextId = (now: SQL<number>): SQL<number> => sql`max(${now}, coalesce((SELECT max(${events.id}) FROM ${events}), 0) + 1)`;

const AFTER_WRITE = prepared(($: Values<{ supplierId: number; now: number; type: string; data: string; isCounted: number }>) =>
  insertSelect(
    events,
    {
      id: nextId($.now),
      supplierId: $.supplierId,
      occurredAt: $.now,
      type: $.type,
      data: sql`iif(${$.isCounted}, json_set(${$.data}, '$.count', changes()), ${$.data})`,
    },
    sql`WHERE changes() > 0`,
  ),
);

interface OfWrite<Type extends EventType> {
  readonly supplierId: number;
  /** Unix milliseconds. */
  readonly now: number;
  readonly type: Type;
  readonly data: GivenData<Type>;
}

const afterWrite = <Type extends EventType>({ supplierId, now, type, data }: OfWrite<Type>, isCounted: boolean) =>
  AFTER_WRITE({ supplierId, now, type, data: JSON.stringify(data), isCounted: Number(isCounted) });

/** The event of the write right before it in the batch: there if that changed a row, so a repeat of the batch adds none. */
export const recordWrite = <Type extends Exclude<EventType, CountedType>>(event: OfWrite<Type>): Write => afterWrite(event, false);

/** The same with how many rows that write changed, as the `count` of its data. */
export const recordCount = <Type extends CountedType>(event: OfWrite<Type>) => afterWrite(event, true);

interface EventRow {
  readonly supplierId: SQL<number> | Column;
  readonly type: EventType;
  /** JSON. */
  readonly data: SQL<string | null>;
}

/**
 * Events of what a query finds, in one query: `rest` is its FROM and WHERE. It comes before the effect in the batch and has a
 * condition that holds only until then, so that a repeat of the batch adds none.
 */
export const recordFound = ($: Values<{ now: number }>, { supplierId, type, data }: EventRow, rest: SQL) =>
  insertSelect(
    events,
    {
      id: sql`${nextId($.now)} + row_number() OVER () - 1`,
      supplierId: sql`${supplierId}`,
      occurredAt: $.now,
      type,
      data: sql`${data}`,
    },
    rest,
  );

/**
 * The same of any number of imports: one event for each 500 of a supplier. `found` selects `supplier_id`, `id` and `import`, which is
 * the JSON of one; `more` is the rest of the data, as JSON.
 */
export const recordImports = ($: Values<{ now: number }>, type: EventType, found: SQL, more: SQL = sql`'{}'`) =>
  recordFound(
    $,
    {
      supplierId: sql`supplier_id`,
      type,
      data: sql`json_set(${more}, '$.imports', json(json_group_array(json(import) ORDER BY id)))`,
    },
    sql`FROM (SELECT supplier_id, id, import, (row_number() OVER (PARTITION BY supplier_id ORDER BY id) - 1) / ${MAX_IMPORTS} AS slice
      FROM (${found})) WHERE true GROUP BY supplier_id, slice`,
  );

interface AddedRow {
  readonly supplierId: SQL<number>;
  readonly accountId: SQL<number>;
  /** Rows of one request have the same. */
  readonly request: SQL<number>;
  /** By which two rows of a request are one. */
  readonly item: SQL;
}

/** Events of what will be added to any number of accounts: one for each request that adds something. `rest` finds what is new. */
export const recordAdditions = (
  $: Values<{ now: number }>,
  type: CountedType,
  { supplierId, accountId, request, item }: AddedRow,
  rest: SQL,
) => {
  const { externalAccountNumber, accountNumber } = importProcesses;
  const account = sql`(SELECT json_object('external_account_number', ${externalAccountNumber}, 'platform_account_number', ${accountNumber})
    FROM ${importProcesses} WHERE ${importProcesses.supplierId} = ${supplierId} AND ${importProcesses.id} = ${accountId})`;
  const data = sql<string>`json_set(${account}, '$.count', count(DISTINCT ${item}))`;
  return recordFound($, { supplierId, type, data }, sql`${rest} GROUP BY ${request}`);
};

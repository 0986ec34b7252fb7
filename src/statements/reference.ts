/** Words and examples for §4.3. */
import { addsInBulk } from '../reference/bulk';
import { NOT_IMPORTED, PAIR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { invalid, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

const STATEMENT = {
  statement_id: 'S-1',
  bill_period_from_date: '2025-10-01',
  bill_period_to_date: '2025-12-31',
  issued_date: '2026-01-04',
  number: '2025-4',
  gross_amount: 12_550,
  statement_path: 'statements/2025-q4.pdf',
};

export const STATEMENTS: readonly Operation[] = [
  describe(declared.createStatements, answers, {
    id: 'createStatements',
    tag: 'Account data',
    summary: 'Add historical statements',
    description:
      'Adds references to 1 to 500 statements of the past. The same `statement_id` with the same content, undocumented fields included, is stored once; with other content it is refused. Safe to repeat.',
    body: one('A statement with its PDF', { ...PAIR, statements: [STATEMENT] }),
    answers: {
      201: ok('The validated data.', { ...PAIR, statements: [STATEMENT] }),
      400: invalid('The statements are not valid; nothing was stored.', [
        { detail: 'Another statement with this id exists.', code: 'statement_already_exists', attr: 'statements.0.statement_id' },
      ]),
      404: NOT_IMPORTED,
    },
  }),
  describe(declared.bulkStatements, answers, { id: 'bulkStatements', ...addsInBulk('statements') }),
];

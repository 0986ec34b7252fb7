/** Words and examples for restores. */
import { describe, type Operation } from '../../reference/operation';
import { AT, CONFLICT, REQUIRED } from '../../reference/operator';
import { ok, one } from '../../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

export const RESTORES: readonly Operation[] = [
  describe(declared.finishRestore, answers, {
    tag: 'Operator',
    id: 'finishRestore',
    summary: 'Bring a restore of the database to its end',
    description:
      'After D1 Time Travel took the database back: new accounts come in again, under ids that were never given before. See docs/operating.md.',
    body: one('Bring a restore of the database to its end', { restored_to: AT, last_id: 120_000 }),
    answers: { 200: ok('Finished.', { epoch: 1, last_id: 220_000 }), 400: REQUIRED('restored_to'), 409: CONFLICT },
  }),
];

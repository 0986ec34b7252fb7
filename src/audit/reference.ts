/** Words and examples for the audit trail. */

import { describe, type Operation } from '../reference/operation';
import { AT, PAGE } from '../reference/operator';
import { invalidQuery, ok } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';
import { auditQuery } from './schema';

export const AUDIT: readonly Operation[] = [
  describe(declared.listAudit, answers, {
    tag: 'Operator',
    id: 'listAudit',
    summary: 'Read the audit trail',
    description: 'Who changed what, newest first.',
    query: {
      actor: { description: 'Only what this operator did.', example: 'token Ada Lovelace' },
      action: { description: 'Only this.', example: 'supplier.changed' },
      supplier: { description: 'Only what was done to this supplier and its migration, by its code.', example: 'NORTH' },
      from: { description: 'Only from this date or moment on.', example: '2026-11-20' },
      to: { description: 'Only up to this date, which counts whole, or moment.', example: '2026-11-21' },
      ...PAGE,
    },
    answers: {
      200: ok(
        'Entries.',
        [
          {
            id: '7',
            occurred_at: AT,
            actor: 'token Ada Lovelace',
            action: 'supplier.changed',
            subject: 'supplier NORTH',
            supplier: 'NORTH',
            before: { status: 'Ongoing' },
            after: { status: 'Paused' },
          },
        ],
        ['Link'],
      ),
      400: invalidQuery(auditQuery, 'limit'),
    },
  }),
];

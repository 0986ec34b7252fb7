/** Words and examples for the audit trail. */

import { describe, type Operation } from '../reference/operation';
import { AT, PAGE } from '../reference/operator';
import { invalidQuery, ok } from '../reference/words';
import { operatorPage } from '../shared/query';
import * as answers from './answers';
import * as declared from './endpoints';

export const AUDIT: readonly Operation[] = [
  describe(declared.listAudit, answers, {
    tag: 'Operator',
    id: 'listAudit',
    summary: 'Read the audit trail',
    description: 'Who changed what, newest first.',
    query: PAGE,
    answers: {
      200: ok(
        'Entries.',
        [
          {
            id: '7',
            occurred_at: AT,
            actor: 'token',
            action: 'supplier.changed',
            subject: 'NORTH',
            before: { status: 'Ongoing' },
            after: { status: 'Paused' },
          },
        ],
        ['Link'],
      ),
      400: invalidQuery(operatorPage, 'limit'),
    },
  }),
];

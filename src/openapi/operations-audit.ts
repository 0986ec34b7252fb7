/** The operator interface: the audit trail. */
import * as z from 'zod';
import * as shown from './answers-operator';
import { invalidQuery, type Operation, ok } from './operation';
import { AT, get, PAGE } from './operator-helpers';

export const AUDIT_OPERATIONS: readonly Operation[] = [
  get(
    {
      id: 'listAudit',
      path: 'audit/',
      summary: 'Read the audit trail',
      description: 'Who changed what, newest first.',
      query: [
        { name: 'actor', description: 'Only what this operator did.', schema: z.string(), example: 'token Ada Lovelace' },
        { name: 'action', description: 'Only this.', schema: z.string(), example: 'supplier.changed' },
        {
          name: 'supplier',
          description: 'Only what was done to this supplier and its migration, by its code.',
          schema: z.string(),
          example: 'NORTH',
        },
        { name: 'from', description: 'Only from this date or moment on.', schema: z.string(), example: '2026-11-20' },
        { name: 'to', description: 'Only up to this date, which counts whole, or moment.', schema: z.string(), example: '2026-11-21' },
        ...PAGE,
      ],
    },
    {
      200: ok(
        'Entries.',
        shown.audit,
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
      400: invalidQuery('limit'),
    },
  ),
];

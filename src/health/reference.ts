/** Words and examples for what monitors ask. */
import { describe, type Operation } from '../reference/operation';
import { ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

export const HEALTH: readonly Operation[] = [
  describe(declared.getHealth, answers, {
    id: 'getHealth',
    tag: 'Service',
    summary: 'Get health',
    description: 'Answers while the Worker runs. Nothing else is asked, so that trouble elsewhere does not end it.',
    answers: { 200: ok('The Worker runs.', { status: 'ok' }) },
  }),
  describe(declared.getReadiness, answers, {
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Get readiness',
    description:
      'Asks the tables (`tables`: the migrations are applied), a write (`write`), the secrets (`signing_key`, `previous_signing_key`, `operator_token`, `platform_token`, `previous_platform_token`, `webhook_signing_key`), the age of the last sweep (`sweep`) and whether a restore was brought to its end (`restore`). The database is asked at most every five seconds.',
    answers: {
      200: ok('The service can work.', { status: 'ready' }),
      503: {
        description: 'It cannot, for these reasons.',
        examples: one('The database is full', {
          detail: 'The service cannot work right now.',
          code: 'not_ready',
          reasons: [{ name: 'write', detail: 'The database takes no writes. See docs/operating.md.' }],
        }),
        headers: ['Retry-After'],
      },
    },
  }),
];

/** Words and examples for §13. */
import { describe, type Operation } from '../reference/operation';
import { invalid, MALFORMED, NOT_FOUND, ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

const WEBHOOK = {
  id: 'whk_0b9d7d1f4f5e4c0f8a3c2f6f0d1e2a3b',
  url: 'https://hooks.example.com/import',
  import_suppliers: ['DEMO'],
  types: [],
  state: 'ENABLED',
  is_enabled: true,
  created_at: '2026-11-20T10:16:22.240Z',
  lag_seconds: 0,
};
const NEW = { ...WEBHOOK, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };
const CURSOR = 'Lk0rJb2xPpOo9zXhX8v0cQ';

const path = { webhook_id: { description: 'The `id` that the webhook was made with.', example: WEBHOOK.id } };
const GONE = NOT_FOUND('The webhook is not known.');
const REFUSED = invalid('At least one input is not valid.', [
  {
    code: 'invalid_url',
    detail: 'Enter an https address with a public host name, on port 443 or 8443, for example https://alerts.example.com/import.',
    attr: 'url',
  },
]);

export const WEBHOOKS: readonly Operation[] = [
  describe(declared.createWebhook, answers, {
    id: 'createWebhook',
    tag: 'Events',
    summary: 'Have events pushed',
    description:
      'Ours, beyond the specification: what happens from now on is posted to `url`, signed by the convention of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), in order for each supplier, at least once. Any 2xx within 10 s takes an event. Else it is sent again after 5 s, 30 s, 2 min, 10 min, 1 h and then every 3 h; after three days, or by a 410, the webhook is disabled and nothing is lost. At most 20 an organisation.',
    body: one('All events of one supplier', { url: WEBHOOK.url, import_suppliers: ['DEMO'] }),
    answers: { 201: ok('The webhook and its secret.', NEW), 400: REFUSED },
  }),
  describe(declared.listWebhooks, answers, {
    id: 'listWebhooks',
    tag: 'Events',
    summary: 'List webhooks',
    description: 'Those of the organisation with their state, how far they lag, and the latest failure.',
    answers: { 200: ok('The oldest first.', [WEBHOOK]) },
  }),
  describe(declared.changeWebhook, answers, {
    id: 'changeWebhook',
    tag: 'Events',
    summary: 'Change, disable or enable a webhook',
    description:
      'What is not given stays as it is; an empty filter takes everything. A webhook that is enabled goes on where it stopped. Suppliers that a filter adds begin with what happens from now on.',
    path,
    body: one('Enable it again', { is_enabled: true }),
    answers: { 200: ok('As it is now.', WEBHOOK), 400: REFUSED, 404: GONE },
  }),
  describe(declared.removeWebhook, answers, {
    id: 'removeWebhook',
    tag: 'Events',
    summary: 'Remove a webhook',
    description: 'Nothing is sent to it any more.',
    path,
    answers: { 204: { description: 'It is gone.' }, 404: GONE },
  }),
  describe(declared.tryWebhook, answers, {
    id: 'testWebhook',
    tag: 'Events',
    summary: 'Send a test event',
    description: 'Sends a signed `webhook.test` now, once, and says what became of it; also where the webhook is disabled.',
    path,
    answers: { 200: ok('What became of it.', { is_taken: false, reason: 'status_503' }), 404: GONE },
  }),
  describe(declared.rotateWebhookSecret, answers, {
    id: 'rotateWebhookSecret',
    tag: 'Events',
    summary: 'Replace the secret of a webhook',
    description: 'For 24 hours both secrets sign, so that receivers can be given the next one without an outage.',
    path,
    answers: { 200: ok('The next secret.', { ...NEW, previous_secret_until: '2026-11-21T10:16:22.240Z' }), 404: GONE },
  }),
  describe(declared.replayWebhook, answers, {
    id: 'replayWebhook',
    tag: 'Events',
    summary: 'Send events again',
    description: 'Goes on from a cursor of the feed, for every supplier of the webhook. Events have the same ids as before.',
    path,
    body: one('From a cursor on', { cursor: CURSOR }),
    answers: {
      200: ok('As it is now.', WEBHOOK),
      400: {
        description: 'The cursor is not one of the feed.',
        examples: {
          invalid: {
            summary: 'Not a cursor of the feed',
            value: {
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [{ detail: 'Take the cursor from an answer of the feed of events.', code: 'invalid', attr: 'cursor' }],
            },
          },
          malformed: MALFORMED,
        },
      },
      404: GONE,
      410: {
        description: 'Events behind this cursor have been deleted.',
        examples: one('An old cursor', {
          detail: 'Events behind this cursor have been deleted. Go on from the one in this answer.',
          code: 'cursor_expired',
          cursor: CURSOR,
        }),
      },
    },
  }),
];

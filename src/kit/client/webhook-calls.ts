/** The webhooks of an organisation (§13). */
import { type Call, type CallOptions, jsonIn, type Transport } from './transport';
import type { NewWebhook, Webhook, WebhookChange, WebhookRequest, WebhookTried } from './wire';

const PATH = '/v2/data-import/webhooks/';
const pathOf = (id: string, action = ''): string => `${PATH}${encodeURIComponent(id)}/${action}`;
const json = (body: object): Pick<Call, 'body'> => ({ body: { type: 'application/json', text: JSON.stringify(body) } });

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Has events pushed to an address. The secret is in this answer only; `verifyWebhook` needs it. Sent once: a repeat would be a second webhook. */
  create(webhook: WebhookRequest, options: CallOptions = {}): Promise<NewWebhook> {
    return this.#json({ ...options, method: 'POST', path: PATH, ...json(webhook), isOnce: true });
  }

  /** With state, lag and latest failure, the oldest first. */
  list(options: CallOptions = {}): Promise<Webhook[]> {
    return this.#json({ ...options, method: 'GET', path: PATH });
  }

  /** Changes what is given. `is_enabled: true` goes on where a disabled webhook stopped. */
  change(id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return this.#json({ ...options, method: 'PATCH', path: pathOf(id), ...json(change) });
  }

  /** Nothing is sent to it any more. */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.request({ ...options, method: 'DELETE', path: pathOf(id) }, (answer) => answer.text());
  }

  /** Sends `webhook.test` now, once. */
  test(id: string, options: CallOptions = {}): Promise<WebhookTried> {
    return this.#json({ ...options, method: 'POST', path: pathOf(id, 'test/') });
  }

  /** The next secret, in this answer only; the one before signs along for 24 hours. Sent once: a repeat would replace that one. */
  rotateSecret(id: string, options: CallOptions = {}): Promise<NewWebhook> {
    return this.#json({ ...options, method: 'POST', path: pathOf(id, 'rotate-secret/'), isOnce: true });
  }

  /** Sends again whatever happened behind a cursor of the feed. */
  replay(id: string, cursor: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#json({ ...options, method: 'POST', path: pathOf(id, 'replay/'), ...json({ cursor }) });
  }

  #json<T>(call: Call): Promise<T> {
    return this.#transport.request(call, jsonIn<T>);
  }
}

/** What a receiver verifies is what the official library verifies: the same wherever it runs. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from '../../src/kit/client';
import { signatureOf, webhookSecret } from '../../src/shared/standard-webhooks';

const SECRET = webhookSecret('k'.repeat(32), 'webhook whk_1 1');
const OTHER = webhookSecret('k'.repeat(32), 'webhook whk_1 2');
const body = JSON.stringify({ id: 'evt_1', type: 'notes.added', data: { note: 'Zoë' } });

const signed = (at = Date.now(), secrets = [SECRET]) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(at / 1_000)),
  'webhook-signature': secrets.map((secret) => signatureOf({ id: 'evt_1', at, body }, secret)).join(' '),
});

export const verifiesWebhooks = (where: string) =>
  describe(`verifyWebhook ${where}`, () => {
    it('takes what the service and the official library sign, from headers of any kind', async () => {
      const at = new Date();
      const theirs = { ...signed(at.getTime()), 'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body) };
      expect(theirs).toEqual(signed(at.getTime()));
      for (const headers of [theirs, new Headers(theirs), { ...theirs, 'WEBHOOK-ID': 'evt_1' }])
        expect(await verifyWebhook(body, headers, SECRET)).toEqual(JSON.parse(body));
    });

    it('takes either secret while one is replaced', async () => {
      const headers = signed(Date.now(), [OTHER, SECRET]);
      for (const secret of [SECRET, OTHER, [OTHER, SECRET]]) expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
      expect(await verifyWebhook(body, signed(), [OTHER, SECRET])).toEqual(JSON.parse(body));
    });

    it.each([
      ['another body', `${body} `, signed(), SECRET],
      ['another id', body, { ...signed(), 'webhook-id': 'evt_2' }, SECRET],
      ['another secret', body, signed(), OTHER],
      ['another moment', body, { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 1) }, SECRET],
      ['an old moment', body, signed(Date.now() - 301_000), SECRET],
      ['a moment to come', body, signed(Date.now() + 302_000), SECRET],
      ['no moment', body, { ...signed(), 'webhook-timestamp': 'now' }, SECRET],
      ['no headers', body, {}, SECRET],
      ['a signature that is no base64', body, { ...signed(), 'webhook-signature': 'v1,%%%' }, SECRET],
      [
        'another version of the signature',
        body,
        { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v2') },
        SECRET,
      ],
      ['a secret that is none', body, signed(), 'whsec_'],
    ])('refuses %s', async (_, text, headers, secret) => {
      await expect(verifyWebhook(text, headers, secret)).rejects.toBeInstanceOf(WebhookError);
    });
  });

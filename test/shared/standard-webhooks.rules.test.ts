/** §10: requests to others are signed, and go to public addresses only. */
import { describe, expect, it } from 'vitest';
import { signatureOf, webhookSecret, webhookUrl } from '../../src/shared/standard-webhooks';

describe('signatureOf', () => {
  it('is that of the convention, for the example of its own documentation', () => {
    const request = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' };
    expect(signatureOf(request, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('differs for another id, moment, body or secret', () => {
    const request = { id: 'a', at: 1_000, body: '{}' };
    const secret = webhookSecret('k'.repeat(32), 'a');
    const others = [
      signatureOf({ ...request, id: 'b' }, secret),
      signatureOf({ ...request, at: 2_000 }, secret),
      signatureOf({ ...request, body: '{ }' }, secret),
      signatureOf(request, webhookSecret('k'.repeat(32), 'b')),
      signatureOf(request, webhookSecret('l'.repeat(32), 'a')),
    ];
    expect(new Set([signatureOf(request, secret), ...others]).size).toBe(6);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});

describe('webhookUrl', () => {
  it.each([
    'https://alerts.example.com',
    'https://alerts.example.com/import?team=1',
    'https://alerts.example.com:8443/x',
    'https://xn--bcher-kva.example/',
    'http://127.0.0.1:9999/x',
  ])('takes %s', (url) => {
    expect(webhookUrl.safeParse(url).success).toBe(true);
  });

  it.each([
    'http://alerts.example.com/',
    'https://localhost/',
    'https://localhost.localdomain.local/',
    'https://db.internal/',
    'https://db.internal:8443/',
    'https://alerts/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://10.0.0.1:8443/',
    'https://user:secret@alerts.example.com/',
    'https://alerts.example.com:22/',
    'https://alerts.example.com@127.0.0.1/',
    'https://alerts.example.com\\@127.0.0.1/',
    'https://alerts.example.com/ x',
    'http://127.0.0.1:9999@example.com/',
    'http://127.0.0.2:9999/',
    'ftp://alerts.example.com/',
    'javascript:alert(1)',
    '',
  ])('refuses %s', (url) => {
    expect(webhookUrl.safeParse(url).success).toBe(false);
  });
});

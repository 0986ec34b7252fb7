import { exports } from 'cloudflare:workers';
import { expect, it } from 'vitest';

it('answers health with and without the trailing slash when the database does', async () => {
  for (const path of ['/healthz', '/healthz/']) {
    const response = await exports.default.fetch(`https://import.test${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

it('serves the icon that browsers ask for', async () => {
  const response = await exports.default.fetch('https://import.test/favicon.ico');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
  await response.body?.cancel();
});

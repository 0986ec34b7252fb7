/** `listen --forward-to`: a developer behind a firewall receives what a webhook would. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { aFile, run, start } from './cli';
import { aKitSupplier } from './given';

it('posts what happens from now on, signed, in order, each event until it is taken', async () => {
  const received: { body: string; headers: Record<string, string> }[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      received.push({ body, headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])) });
      answer.writeHead(received.length === 1 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  const supplier = await aKitSupplier();
  await run(
    ['import', aFile([JSON.stringify({ import_supplier: supplier.code, external_account_number: 'A', unknown_occupier: true })])],
    supplier,
  );
  const listening = start(['listen', supplier.code, `--forward-to=http://127.0.0.1:${port}/hook`], supplier);
  await vi.waitFor(() => expect(listening.stderr()).toContain('signed by whsec_'), 20_000);
  const [secret = ''] = /whsec_\S+/.exec(listening.stderr()) ?? [];
  for (const body of ['1', '2'])
    await run(
      ['notes', aFile([JSON.stringify({ import_supplier: supplier.code, external_account_number: 'A', notes: [{ body }] })])],
      supplier,
    );
  await vi.waitFor(() => expect(received).toHaveLength(3), 30_000);
  const events = received.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as { id: string; type: string });
  expect(events.map(({ type }) => type)).toEqual(['notes.added', 'notes.added', 'notes.added']);
  expect(events[0]?.id).toBe(events[1]?.id);
  expect(events[2]?.id).not.toBe(events[1]?.id);
  await vi.waitFor(() => expect(listening.stdout()).toMatch(/status_503\n.*taken\n.*taken\n$/), 5_000);
  listening.process.kill('SIGINT');
  expect(await listening.ended).toMatchObject({ code: 130 });
});

it('refuses an address that is none, and a secret that is none', async () => {
  const supplier = await aKitSupplier();
  expect(await run(['listen', supplier.code, '--forward-to=ftp://x'], supplier)).toMatchObject({ code: 2 });
  expect(await run(['listen', supplier.code, '--forward-to=http://127.0.0.1:1', '--secret=x'], supplier)).toMatchObject({ code: 2 });
});

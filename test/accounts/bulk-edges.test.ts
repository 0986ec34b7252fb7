/** §4.12: a body beyond 64 MiB that does not say so beforehand, and a database that fails while the answer is under way. */

import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import worker from '../../src/worker';
import { faultyDatabase } from '../support/faults';
import { aSupplier } from '../support/given';
import { aSmallAccount } from '../support/payloads';
import { readRow } from '../support/tables';
import { textOf } from '../support/text';

it('refuses more than 64 MiB that come without a Content-Length', async () => {
  const given = await aSupplier();
  const blank = new Uint8Array(1_048_576).fill(32);
  blank[blank.length - 1] = 10;
  const first = new TextEncoder().encode(`${JSON.stringify(aSmallAccount(given.code, 'A'))}\n`);
  const send = async (mebibytes: number) => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent > mebibytes) return controller.close();
        controller.enqueue(sent++ === 0 ? first : blank.slice());
      },
    });
    const response = await exports.default.fetch('https://import.test/v2/data-import/accounts/bulk/?mode=validate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
      body,
    });
    return { status: response.status, text: await textOf(response) };
  };
  const whole = await send(63);
  expect([whole.status, whole.text]).toEqual([200, expect.stringMatching(/"status":"VALID"\}\n\{"done":true,"lines":\d+\}\n$/)]);
  const beyond = await send(65);
  // Nothing was answered yet, so the status can say it.
  expect([beyond.status, beyond.text.includes('"done"')]).toEqual([413, false]);
});

it('answers FAILED for lines that the service could not store, stores none of them, and takes them when they are sent again', async () => {
  const given = await aSupplier();
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const lines = ['A', 'B'].map((number) => `${JSON.stringify(aSmallAccount(given.code, number))}\n`).join('');
  const send = async (db: D1Database) => {
    const request = new Request<unknown, IncomingRequestCfProperties>('https://import.test/v2/data-import/accounts/bulk/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
      body: lines,
    });
    const response = await worker.fetch(request, { ...env, DB: db }, createExecutionContext());
    return (await textOf(response))
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  };
  // The key is looked up first; from then on nothing answers.
  const failed = await send(faultyDatabase(env.DB, (trip) => (trip > 1 ? 'before' : undefined)).db);
  log.mockRestore();
  expect(failed).toEqual([
    { line: 1, external_account_number: 'A', status: 'FAILED' },
    { line: 2, external_account_number: 'B', status: 'FAILED' },
    { done: true, lines: 2 },
  ]);
  expect(await readRow('SELECT 1 FROM import_processes WHERE supplier_id = ?', given.supplierId)).toBeNull();
  expect(await send(env.DB)).toMatchObject([{ status: 'SCHEDULED' }, { status: 'SCHEDULED' }, { done: true }]);
});

/** `npm run operator -- runs …`: runs from the operator's terminal. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, it, vi } from 'vitest';
import { DataImportClient } from '../../src/kit/client';
import { aKitSupplier } from '../kit/given';

const SCRIPT = join(import.meta.dirname, '../../scripts/operator.ts');

function runs(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { url, operatorToken } = inject('service');
  const env = { ...process.env, OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, 'runs', ...args], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

it('lists, holds, releases, reconciles and takes a run back, and cancels the rest', async () => {
  const { code, url, apiKey } = await aKitSupplier({ undo_hours: 1 });
  const client = new DataImportClient({ baseUrl: url, apiKey });
  await client.runs.put(code, 'wave', { is_held: true, expected: { accounts: 2 } });
  const lines = ['a', 'b'].map((number) =>
    JSON.stringify({ import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }] }),
  );
  for await (const { status } of client.bulk(lines, { run: 'wave' })) expect(status).toBe('SCHEDULED');

  expect((await runs('list', code)).out).toMatch(
    /^run +state +expected +errors +refused\n-*.*wave +held \(importer\), released: none +2 +0 +0\n$/s,
  );
  expect((await runs('release', code, 'wave', '--accounts', '1')).out).toContain('released: some');
  await vi.waitFor(async () => expect((await runs('show', code, 'wave')).out).toMatch(/PROCESSED +1/), { timeout: 60_000, interval: 500 });
  expect(
    (await runs('report', code, 'wave')).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).status),
  ).toEqual(['PROCESSED', 'PENDING']);
  expect((await runs('report', code, 'wave', '--status', 'PENDING')).out).toContain('"external_account_number":"b"');
  expect((await runs('reconcile', code, 'wave')).out).toMatch(/accounts +imported +2 +1/);
  expect(await runs('undo', code, 'wave')).toMatchObject({ code: 1 });
  expect((await runs('undo', code, 'wave', '--reason', 'a wrong unit')).out).toBe('1 accounts are taken back.\n');
  expect((await runs('cancel', code, 'wave')).out).toBe('1 imports are cancelled.\n');
  expect(await runs('hold', code, 'none')).toMatchObject({ code: 1, err: expect.stringContaining('not_found') });
});

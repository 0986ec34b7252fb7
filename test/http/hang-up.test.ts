/** A sender that hangs up in the middle of its body is no failure of ours: 400, an info line, nothing stored. */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENDPOINTS } from '../../src/routes';
import worker from '../../src/worker';
import { aSupplier, type GivenSupplier } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { aSmallAccount } from '../support/payloads';
import { readRows, readValue } from '../support/tables';
import { textOf } from '../support/text';

const BULK = '/v2/data-import/accounts/bulk/';
const OPERATOR_TOKEN = 'test-operator-token-of-at-least-32-bytes';

/** A body of which these pieces come, and then the connection is lost. */
const cutAfter = (...pieces: readonly string[]): ReadableStream<Uint8Array> => {
  const left = [...pieces];
  return new ReadableStream({
    // As bodies of requests are.
    type: 'bytes',
    async pull(controller) {
      if (left[0] === 'pause') {
        left.shift();
        await new Promise((resume) => setTimeout(resume, 300));
      }
      const piece = left.shift();
      if (piece === undefined) controller.error(new Error('Network connection lost.'));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
};

let info: unknown[] = [];
let errors: unknown[] = [];
beforeEach(() => {
  info = [];
  errors = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void info.push(JSON.parse(String(line))));
  vi.spyOn(console, 'error').mockImplementation((line) => void errors.push(JSON.parse(String(line))));
});
afterEach(() => vi.restoreAllMocks());

async function send(method: string, path: string, body: ReadableStream, { token }: GivenSupplier, type = 'application/json') {
  const context = createExecutionContext();
  const Authorization = path.startsWith('/operator/') ? `Bearer ${OPERATOR_TOKEN}` : `Token ${token}`;
  const response = await worker.fetch(
    new Request<unknown, IncomingRequestCfProperties>(`https://import.test${path}`, {
      method,
      headers: { 'Content-Type': type, Authorization, 'X-Request-Id': 'cut-1' },
      body,
    }),
    env,
    context,
  );
  const text = await textOf(response);
  await waitOnExecutionContext(context);
  checkAnswer(method, path, { status: response.status, headers: response.headers, text });
  return { status: response.status, text };
}

const taking = ENDPOINTS.filter(([, , declared]) => declared.body?.kind === 'json').map(
  ([method, path]) => [method, path.replace(/:\w+/g, 'x'), path] as const,
);

describe('400 parse_error', () => {
  it('is asked of every endpoint that reads a JSON body', () => {
    expect(taking.map(([method, path]) => `${method} ${path}`)).toEqual([
      'POST /v1/data-import/notes/create/',
      'POST /v1/data-import/transactions/create/',
      'POST /v1/data-import/historical-statements/create/',
      'POST /v1/data-import/payment-instruction/create/',
      'POST /v2/data-import/accounts/validate/',
      'POST /v2/data-import/accounts/',
      'POST /v2/data-import/documents/check/',
      'PUT /v2/data-import/runs/x/x/',
      'POST /v2/data-import/runs/x/x/release/',
      'POST /v2/data-import/webhooks/',
      'PATCH /v2/data-import/webhooks/x/',
      'POST /v2/data-import/webhooks/x/replay/',
      'POST /operator/v1/organisations/',
      'POST /operator/v1/organisations/x/api-keys/',
      'POST /operator/v1/suppliers/',
      'PATCH /operator/v1/suppliers/x/',
      'POST /operator/v1/suppliers/x/retry-errored/',
      'POST /operator/v1/suppliers/x/import-processes/x/erase/',
      'POST /operator/v1/suppliers/x/runs/x/release/',
      'POST /operator/v1/suppliers/x/runs/x/undo/',
      'POST /operator/v1/accounts/x/payment-instructions/x/end/',
      'POST /operator/v1/accounts/x/erase/',
      'POST /operator/v1/restores/',
      'POST /operator/v1/operator-tokens/',
      'POST /operator/v1/alert-addresses/',
      'POST /v1/graphql/',
    ]);
  });

  it.each(taking)('%s %s whose body is cut: an info line, no error line', async (method, path, route) => {
    const given = await aSupplier();
    for (const pieces of [[], ['{"import_supplier":'], ['{}', ' '.repeat(700_000), ' '.repeat(700_000)]]) {
      const { status, text } = await send(method, path, cutAfter(...pieces), given);
      expect([status, JSON.parse(text)]).toEqual([
        400,
        { detail: 'JSON parse error: the body ended before it was whole. Send it again.', code: 'parse_error' },
      ]);
    }
    expect(errors).toEqual([]);
    expect(info).toEqual(Array.from({ length: 3 }, () => ({ level: 'info', event: 'body_cut', request_id: 'cut-1', method, route })));
  });
});

describe('bulk', () => {
  it.each(['create', 'validate'])(
    'mode=%s is 400 `parse_error` as long as nothing was answered, with an info line and no error line',
    async (mode) => {
      const given = await aSupplier();
      const line = (number: string) => `${JSON.stringify(aSmallAccount(given.code, number))}\n`;
      for (const pieces of [[], [line('A')], [line('A'), line('B').slice(0, 50)]]) {
        const { status, text } = await send('POST', `${BULK}?mode=${mode}`, cutAfter(...pieces), given, 'application/x-ndjson');
        expect([status, JSON.parse(text).code]).toEqual([400, 'parse_error']);
      }
      expect(errors).toEqual([]);
      expect(info).toEqual([0, 1, 1].map((lines) => ({ level: 'info', event: 'body_cut', why: 'broken', lines })));
      expect(await readValue('n', 'SELECT count(*) AS n FROM import_processes WHERE supplier_id = ?', given.supplierId)).toBe(0);
    },
  );

  it('whose answer has begun just ends: an account that was cut in the middle is not validated, and what was answered is stored', async () => {
    const given = await aSupplier();
    const line = (number: string) => `${JSON.stringify(aSmallAccount(given.code, number))}\n`;
    // A pause lets what came before be answered.
    const { status, text } = await send('POST', BULK, cutAfter(line('A'), 'pause', line('B').slice(0, -2)), given, 'application/x-ndjson');
    expect(status).toBe(200);
    const answered = text
      .split('\n')
      .filter(Boolean)
      .map((result): unknown => JSON.parse(result));
    const results = await readRows<{ n: string }>(
      'SELECT external_account_number AS n FROM import_processes WHERE supplier_id = ?',
      given.supplierId,
    );
    expect(answered).toEqual(results.map(({ n }, index) => ({ line: index + 1, external_account_number: n, status: 'SCHEDULED' })));
    expect(results.map(({ n }) => n)).not.toContain('B');
  });
});

/** What a bulk request may take and give, whatever its lines say (§8; ours). */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../src/worker';
import { countingDatabase } from '../support/counting';
import { aDocument, aSupplier, type GivenSupplier } from '../support/given';
import { checkAnswer } from '../support/openapi';
import { aSmallAccount } from '../support/payloads';
import { WORST_BODIES } from '../support/worst-bodies';

const PATH = '/v2/data-import/accounts/bulk/';

interface Result {
  readonly line?: number;
  readonly external_account_number?: string;
  readonly status?: string;
  readonly errors?: readonly { readonly code: string; readonly attr: string; readonly detail: string }[];
  readonly done?: boolean;
}

/** Posts lines; `trips` are those to the database, `calls` those to the bucket. */
async function post(given: GivenSupplier, lines: readonly unknown[], query = '') {
  const counts = countingDatabase(env.DB);
  let calls = 0;
  const bucket = new Proxy(env.DOCUMENTS, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        calls++;
        return Reflect.apply(value, target, args);
      };
    },
  });
  const context = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://import.test${PATH}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
    body: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  });
  const response = await worker.fetch(request, { ...env, DB: counts.db, DOCUMENTS: bucket }, context);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  await waitOnExecutionContext(context);
  if (text.length < 1_000_000) checkAnswer('POST', PATH, { status: response.status, headers: response.headers, text });
  const results = text
    .split('\n')
    .filter(Boolean)
    .map((line): Result => JSON.parse(line));
  return { results, bytes: text.length, trips: counts.trips, calls };
}

const dense = WORST_BODIES.find(({ name }) => name === 'the fewest bytes for a thousand errors');

describe('answers', () => {
  it('are in order and the same, whether they were held or made again when their turn came', async () => {
    const given = await aSupplier();
    const lines = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0 ? aSmallAccount(given.code, `B-${i}`) : dense?.text(given.code, `B-${i}`),
    );
    const { results, trips } = await post(given, lines);
    expect(results.slice(0, -1).map(({ line, external_account_number }) => [line, external_account_number])).toEqual(
      lines.map((_, i) => [i + 1, `B-${i}`]),
    );
    expect(results.filter(({ status }) => status === 'SCHEDULED')).toHaveLength(20);
    const refusals = results.filter(({ status }) => status === 'INVALID');
    expect(refusals).toHaveLength(40);
    // A megabyte of answers is held at most, and here there are five.
    expect(new Set(refusals.map(({ errors }) => JSON.stringify(errors))).size).toBe(1);
    expect(refusals[0]?.errors).toHaveLength(1_001);
    expect(refusals[0]?.errors?.at(-1)).toMatchObject({ code: 'too_many_errors', attr: '' });
    expect(results.at(-1)).toEqual({ done: true, lines: 60 });
    // The key, the supplier, one trip to store all that is right, and one to count all that was refused.
    expect(trips).toBeLessThanOrEqual(4);
  });

  it('beyond 64 MiB list the first ten errors of a line and how many more there are', { timeout: 60_000 }, async () => {
    const given = await aSupplier();
    const lines = Array.from({ length: 620 }, (_, i) => dense?.text(given.code, `B-${i}`));
    const { results, bytes } = await post(given, lines, '?mode=validate');
    expect(results).toHaveLength(621);
    expect(results[0]?.errors).toHaveLength(1_001);
    const last = results.at(-2)?.errors ?? [];
    expect(last).toHaveLength(11);
    expect(last.slice(0, 10)).toEqual(results[0]?.errors?.slice(0, 10));
    expect(last.at(-1)).toMatchObject({ code: 'too_many_errors', detail: expect.stringMatching(/^About 994 more/) });
    expect(bytes).toBeLessThan(70_000_000);
  });
});

describe('documents', () => {
  const withDocuments = (given: GivenSupplier, external: string, paths: readonly string[], over: object = {}) => ({
    ...aSmallAccount(given.code, external),
    notes: [{ document_paths: paths.map((document_path) => ({ document_path })) }],
    ...over,
  });

  it('of many lines are looked up together, and reported with what else is wrong, in payload order', async () => {
    const given = await aSupplier();
    const at = (name: string) => `${given.code}/${name}`;
    await Promise.all([aDocument(`${given.code}/${at('a')}`), aDocument(`${given.code}/${at('b')}`)]);
    const { results } = await post(given, [
      withDocuments(given, 'D-0', [at('a'), at('b')]),
      withDocuments(given, 'D-1', [at('a'), at('gone')], { last_billed_to_date: 'x' }),
      aSmallAccount(given.code, 'D-2'),
      withDocuments(given, 'D-3', [at('gone'), '../a']),
    ]);
    expect(results.map(({ status, errors }) => [status, errors?.map(({ attr, code }) => `${attr} ${code}`)])).toEqual([
      ['SCHEDULED', undefined],
      ['INVALID', ['notes.0.document_paths.1.document_path document_not_found', 'last_billed_to_date invalid_date']],
      ['SCHEDULED', undefined],
      [
        'INVALID',
        ['notes.0.document_paths.0.document_path document_not_found', 'notes.0.document_paths.1.document_path invalid_document_path'],
      ],
      [undefined, undefined],
    ]);
  });

  it('cost one request no more calls than the platform allows: lines beyond are FAILED, and go on when they are sent again', async () => {
    const given = await aSupplier();
    const lines = Array.from({ length: 30 }, (_, i) =>
      withDocuments(
        given,
        `D-${i}`,
        Array.from({ length: 50 }, (__, j) => `${given.code}/${i}-${j}/only`),
      ),
    );
    const first = await post(given, [...lines, aSmallAccount(given.code, 'PLAIN')], '?mode=validate');
    expect(first.calls).toBeLessThanOrEqual(700);
    const statuses = first.results.map(({ status }) => status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill('INVALID'));
    expect(statuses.slice(-3)).toEqual(['FAILED', 'VALID', undefined]);
    const again = await post(
      given,
      lines.filter((_, i) => statuses[i] === 'FAILED'),
      '?mode=validate',
    );
    expect(again.results.filter(({ status }) => status === 'INVALID').length).toBeGreaterThanOrEqual(10);
  });

  it('more than 500 of one line are not looked up at all', async () => {
    const given = await aSupplier();
    const note = (i: number) => ({ document_paths: [{ document_path: `${given.code}/${i}/x` }] });
    const account = { ...aSmallAccount(given.code, 'D'), notes: Array.from({ length: 501 }, (_, i) => note(i)) };
    const { results, calls } = await post(given, [account], '?mode=validate');
    expect([calls, results[0]?.errors?.map(({ attr, code }) => `${attr} ${code}`)]).toEqual([
      0,
      ['notes.500.document_paths.0.document_path max_length'],
    ]);
  });
});

it('a supplier that a line names in another spelling is read all the same, and a name that stands elsewhere is not taken for it', async () => {
  const given = await aSupplier();
  const account = JSON.stringify(aSmallAccount(given.code, 'S-1'));
  const escaped = account.replace('"import_supplier"', '"import\\u005fsupplier"');
  const decoy = JSON.stringify({ metadata: [{ key: 'k', value: { import_supplier: 'OTHER' } }], ...aSmallAccount(given.code, 'S-2') });
  const { results } = await post(given, [decoy, escaped, account.replace('S-1', 'S-3')]);
  expect(results.map(({ status }) => status)).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED', undefined]);
});

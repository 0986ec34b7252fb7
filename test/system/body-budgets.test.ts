/** What one body costs in work beside rows and trips: how often it is read, parsed and written. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accountsInBulk } from '../../src/accounts/bulk/bulk';
import { bulkAnswers, sourceOf } from '../../src/bulk';
import worker from '../../src/worker';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver, rowsOf } from '../support/importing';
import { aFullAccount, aSmallAccount } from '../support/payloads';

afterEach(() => {
  vi.restoreAllMocks();
});

const PART_BYTES = 65_536;

/** A body that comes as fast as it is read; `asked` are the bytes that were asked for each time. */
function readBody(text: string): { readonly body: ReadableStream<Uint8Array>; readonly asked: number[] } {
  const bytes = new TextEncoder().encode(text);
  const asked: number[] = [];
  let from = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const view = controller.byobRequest?.view;
      if (!view) throw new Error('the reader brings no buffer of its own');
      asked.push(view.byteLength);
      const part = bytes.subarray(from, from + view.byteLength);
      from += part.byteLength;
      if (part.byteLength === 0) controller.close();
      else new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(part);
      controller.byobRequest?.respond(part.byteLength);
    },
  });
  return { body, asked };
}

/** Bulk of these accounts, without a queue. Answers the messages it sent. */
async function inBulk(given: GivenSupplier, body: ReadableStream<Uint8Array>, lines: number) {
  const deps = aDeps();
  let text = '';
  for await (const piece of bulkAnswers(deps, await sourceOf(body, false), accountsInBulk(deps, given, 'create'))) text += piece;
  expect(text).toContain(`{"done":true,"lines":${lines}}`);
  expect(text.match(/"SCHEDULED"/g)).toHaveLength(lines);
  await deps.backgroundDone();
  return deps.sent;
}

/** How often the body of each of these accounts is parsed from now on; what is stored of it counts as well. */
function parses(numbers: readonly string[]): () => number[] {
  const spied = vi.spyOn(JSON, 'parse');
  return () => {
    const texts = spied.mock.calls.map(([text]) => String(text));
    spied.mockClear();
    return numbers.map((number) => texts.filter((text) => text.includes(`"external_account_number":"${number}"`)).length);
  };
}

const COUNT = 20;
const NUMBERS = Array.from({ length: COUNT }, (_, i) => `n${i}`);
const ofEach = (count: number): number[] => Array.from({ length: COUNT }, () => count);

describe.each([
  ['small', aSmallAccount],
  ['5 KB', aFullAccount],
])('a body of a bulk request, %s', (_, account) => {
  it('is parsed once to stage it and once to create its account', async () => {
    const given = await aSupplier();
    const bodies = NUMBERS.map((number) => JSON.stringify(account(given.code, number)));
    const counted = parses(NUMBERS);
    const messages = await inBulk(given, new Blob([bodies.join('\n')]).stream(), COUNT);
    expect(counted()).toEqual(ofEach(1));
    await deliver(aDeps(), messages);
    expect(counted()).toEqual(ofEach(1));
    expect(await rowsOf(given)).toMatchObject({ accounts: COUNT });
  });
});

describe('a body without full bank and card numbers', () => {
  it('is written by no JSON.stringify, neither to stage it nor to create its account', async () => {
    const given = await aSupplier();
    const bodies = NUMBERS.map((number) => JSON.stringify(aSmallAccount(given.code, number)));
    const spied = vi.spyOn(JSON, 'stringify');
    await deliver(aDeps(), await inBulk(given, new Blob([bodies.join('\n')]).stream(), COUNT));
    const written = spied.mock.results.map(({ value }) => String(value));
    expect(written.length).toBeGreaterThan(0);
    // What D1's client sends has the body in it, beside the text of the statement.
    expect(written.filter((text) => text.includes('supply_addresses') && !text.includes('"sql":'))).toEqual([]);
  });
});

describe('arrays of rows', () => {
  it('are each written by one JSON.stringify, however many rows a slice has', async () => {
    const given = await aSupplier();
    const writesOf = async (count: number, prefix: string) => {
      const bodies = Array.from({ length: count }, (_, i) => JSON.stringify(aSmallAccount(given.code, `${prefix}${i}`)));
      const messages = await inBulk(given, new Blob([bodies.join('\n')]).stream(), count);
      const spied = vi.spyOn(JSON, 'stringify');
      await deliver(aDeps(), messages);
      const { length } = spied.mock.calls;
      spied.mockRestore();
      return length;
    };
    expect(await writesOf(40, 'b')).toBe(await writesOf(10, 'a'));
  });
});

describe('the body of a bulk request', () => {
  it('is read 64 KiB at a time, into a buffer of the reader', async () => {
    const given = await aSupplier();
    const text = Array.from({ length: COUNT }, (_, i) => JSON.stringify({ ...aFullAccount(given.code, `n${i}`) })).join('\n');
    const { body, asked } = readBody(text);
    await inBulk(given, body, COUNT);
    const bytes = new TextEncoder().encode(text).byteLength;
    expect(bytes).toBeGreaterThan(PART_BYTES);
    expect(new Set(asked)).toEqual(new Set([PART_BYTES]));
    // The last one finds the end.
    expect(asked.length).toBe(Math.ceil(bytes / PART_BYTES) + 1);
  });
});

describe('the body of a single create', () => {
  it('is parsed once to stage it', async () => {
    const given = await aSupplier();
    const request = new Request('https://import.test/v2/data-import/accounts/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Token ${given.token}` },
      body: JSON.stringify({ ...aSmallAccount(given.code, 'a'), task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } }),
    });
    const counted = parses(['a']);
    const context = createExecutionContext();
    const { status } = await worker.fetch(request, env, context);
    await waitOnExecutionContext(context);
    expect(status).toBe(201);
    expect(counted()).toEqual([1]);
  });
});

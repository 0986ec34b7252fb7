/**
 * What must hold of every answer, whatever was asked (§7).
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { STATUS } from '../../../src/import-processes/machine';
import type { ImportMessage } from '../../../src/queues/messages';
import { parseExactly } from '../../../src/shared/literals';
import worker from '../../../src/worker';
import { countingDatabase } from '../../support/counting';
import { aDeps } from '../../support/deps';
import { deliver } from '../../support/importing';
import { readRow, readRows } from '../../support/tables';
import type { Ground, Input } from './inputs';

/** Words of our own insides; no input holds one of them. */
const INSIDES =
  /SQLITE|D1_ERROR|constraint failed|no such (?:table|column)|node_modules|\.ts:\d|\bat \w+ \(|TypeError|RangeError|ZodError|\[object |INSERT INTO|UPDATE \w+ SET|payload_hash/;

/** Answers that are no JSON by design. */
const PAGES = /^\/(?:favicon\.ico|docs|tools|console|operator|openapi)/;

export interface Verdict {
  readonly status: number;
  readonly broken: readonly string[];
  readonly isConsumed: boolean;
}

/** Where it is counted what was refused. */
const COUNTED = new Set(['refusals', 'imports_per_minute']);

/** Sends one input and validates the answer; an account that was accepted is created, too. */
export async function check(input: Input, ground: Ground): Promise<Verdict> {
  const counts = countingDatabase(env.DB);
  const sent: ImportMessage[] = [];
  const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
  const queue: Queue<ImportMessage> = {
    send: async (message) => {
      sent.push(message);
      return { metadata };
    },
    sendBatch: async (messages) => {
      for (const { body } of messages) sent.push(body);
      return { metadata };
    },
    metrics: () => Promise.resolve(metadata.metrics),
  };
  const context = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://import.test${input.target}`, {
    method: input.method,
    headers: input.headers,
    ...(input.body === undefined || input.method === 'GET' || input.method === 'HEAD' ? {} : { body: input.body }),
  });
  const response = await worker.fetch(request, { ...env, DB: counts.db, ACCOUNT_IMPORTS: queue }, context);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  await waitOnExecutionContext(context);
  const broken = [...ofAnswer(input, response, text)];
  const stored = [...counts.written].filter(([table]) => !COUNTED.has(table));
  if (response.status >= 400 && stored.length > 0) broken.push(`a refusal wrote ${JSON.stringify(stored)}`);
  if (response.status === 201) broken.push(...(await ofEcho(input, text, ground)));
  const isConsumed = sent.length > 0;
  if (isConsumed) broken.push(...(await ofConsumed(sent, ground)));
  return { status: response.status, broken, isConsumed };
}

function ofAnswer(input: Input, response: Response, text: string): string[] {
  const broken: string[] = [];
  const { pathname } = new URL(`https://import.test${input.target}`);
  const { status, headers } = response;
  if (status >= 500) broken.push(`answered ${status}: ${text.slice(0, 300)}`);
  if (!headers.get('X-Request-Id')) broken.push('no request id');
  if (status >= 300 && status < 400) broken.push(`a redirect to ${headers.get('Location')}`);
  if (INSIDES.test(text)) broken.push(`shows our insides: ${INSIDES.exec(text)?.[0]}`);
  if (status === 401 && input.isAuthorised) broken.push('a good token was refused');
  if (status < 400 && !input.isAuthorised && !/^\/+(?:healthz|readyz|v1\/graphql|favicon\.ico|docs|tools|openapi)/.test(pathname))
    broken.push('a bad token was taken');
  if (input.method.toUpperCase() !== 'HEAD' && !PAGES.test(pathname)) broken.push(...ofText(headers.get('Content-Type') ?? '', text));
  return broken;
}

function ofText(type: string, text: string): string[] {
  if (type.startsWith('application/x-ndjson'))
    return text.split('\n').every((line) => line === '' || isJson(line)) ? [] : ['a line is no JSON'];
  if (!type.startsWith('application/json')) return [`the answer is ${type}`];
  return isJson(text) ? [] : ['the answer is no JSON'];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What of a body is stored: the account, or the list of what is added to one. */
function storedOf({ target, text = 'null' }: Input): unknown {
  const body = parseExactly(text) as Fields;
  const isWrapped = 'payload' in body && !('import_supplier' in body) && !('external_account_number' in body);
  if (target.startsWith('/v2/')) return isWrapped ? body['payload'] : body;
  return body['notes'] ?? body['transactions'] ?? body['statements'];
}

function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

type Fields = Record<string, unknown>;
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : []);

/** Accepted strings come back byte for byte: in the answer, or in what is stored. */
async function ofEcho(input: Input, text: string, ground: Ground): Promise<string[]> {
  if (input.text === undefined || input.isOperator) return [];
  const sent: Fields = JSON.parse(input.text);
  const answer: unknown = JSON.parse(text);
  const differing = (pairs: readonly (readonly [unknown, unknown])[]) =>
    pairs.flatMap(([a, b]) =>
      typeof a === 'string' && a !== '' && a !== b ? [`sent ${JSON.stringify(a)}, got ${JSON.stringify(b)}`] : [],
    );
  if (!isExact(storedOf(input))) return ['a number was taken that a double cannot say'];
  if (input.target.includes('/notes/')) {
    const notes = listOf(answer);
    return differing(listOf(sent['notes']).map((note, i) => [note['body'], notes[i]?.['body']]));
  }
  if (input.target.includes('/historical-statements/')) {
    const statements = listOf((answer as Fields)['statements'] ?? answer);
    return differing(
      listOf(sent['statements']).flatMap((one, i) => ['statement_id', 'number'].map((key) => [one[key], statements[i]?.[key]])),
    );
  }
  if (input.target.includes('/transactions/')) {
    const results = listOf((answer as Fields)['results']);
    return differing(
      listOf(sent['transactions']).flatMap((one, i) => {
        const stored = results[i]?.['transaction_data'] as Fields | undefined;
        if (results[i]?.['status'] !== 'TRANSACTION_ADDED_TO_ACCOUNT') return [];
        return ['transaction_id', 'display_note', 'reference', 'product_code'].map((key) => [one[key], stored?.[key]] as const);
      }),
    );
  }
  if (!input.target.startsWith('/v2/data-import/accounts/') || 'payload' in sent || input.text.includes('payment_instructions')) return [];
  // An earlier input may have made a supplier of its own.
  const row = await readRow<{ body: string }>(
    `SELECT y.body FROM suppliers s JOIN import_processes p ON p.supplier_id = s.id JOIN payloads y ON y.id = p.id
     WHERE s.organisation_id = ? AND s.code = ? AND p.external_account_number = ?`,
    ground.given.organisationId,
    String(sent['import_supplier']),
    String(sent['external_account_number']),
  );
  if (!row) return ['a 201 stored nothing'];
  return same(JSON.parse(row.body), sent) ? [] : ['the payload is not stored as it was sent'];
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b) || a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return left.length === right.length && left.every(([key, value], i) => key === right[i]?.[0] && same(value, right[i]?.[1]));
}

/** What was accepted can be created: it ends well at the first try. */
async function ofConsumed(messages: readonly ImportMessage[], ground: Ground): Promise<string[]> {
  const { retried } = await deliver(aDeps(), messages);
  const results = await readRows<{
    id: number;
    status: number;
    error: string | null;
    window_start: number | null;
    number: string;
    code: string;
  }>(
    `SELECT p.id, p.status, p.error, p.window_start, p.external_account_number AS number, s.code FROM json_each(?) j
     JOIN import_processes p ON p.supplier_id = j.value ->> 0 AND p.id = j.value ->> 1 JOIN suppliers s ON s.id = p.supplier_id`,
    JSON.stringify(messages.flatMap(({ supplier_id, process_ids }) => process_ids.map((id) => [supplier_id, id]))),
  );
  const broken = retried.length > 0 ? ['an accepted account could not be created'] : [];
  for (const { id, status, error, window_start, number, code } of results) {
    const isWaiting = status === STATUS.PENDING && (window_start ?? 0) > Date.now();
    if (status === STATUS.PROCESSED) broken.push(...(await ofAddition(id, code, number, ground)));
    else if (!isWaiting && status !== STATUS.DRY_RUN_SUCCEEDED) broken.push(`an accepted account ended in status ${status}: ${error}`);
  }
  return broken;
}

/** What was created can be read and added to, whatever its dates and cycles are. */
async function ofAddition(id: number, code: string, number: string, { given }: Ground): Promise<string[]> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Token ${given.token}` };
  const transaction = { transaction_id: `added-${id}`, transaction_date: '2026-01-01', amount: 1, type: 'PAYMENT' };
  const body = JSON.stringify({ import_supplier: code, external_account_number: number, transactions: [transaction] });
  const ask = async (path: string, init: RequestInit<IncomingRequestCfProperties>): Promise<number> => {
    const context = createExecutionContext();
    const response = await worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(`https://import.test${path}`, init),
      env,
      context,
    );
    await response.arrayBuffer();
    await waitOnExecutionContext(context);
    return response.status;
  };
  const added = await ask('/v1/data-import/transactions/create/', { method: 'POST', headers, body });
  const read = await ask(`/v2/data-import/accounts/${encodeURIComponent(code)}/${encodeURIComponent(number)}/`, { headers });
  return added === 201 && read === 200 ? [] : [`a created account answered ${added} to a transaction and ${read} to a look`];
}

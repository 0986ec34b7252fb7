/**
 * What a test needs to stand on. Every call mints its own organisation, key and supplier, so tests need no order.
 */
import { env, exports } from 'cloudflare:workers';
import { issueToken } from '../../src/tokens/token';
import { checkAnswer, checkRequest, type Seen } from './openapi';
import { textOf } from './text';

export interface GivenSupplier {
  readonly organisationId: string;
  readonly apiKeyId: string;
  readonly supplierId: number;
  readonly code: string;
  readonly token: string;
}

const random = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12);

/** An organisation with a key in force and a supplier of its own. */
export async function aSupplier(
  options: { status?: 'Ongoing' | 'Paused' | 'Complete'; configuration?: Record<string, unknown>; organisationId?: string } = {},
): Promise<GivenSupplier> {
  const [organisationId, apiKeyId, code] = [options.organisationId ?? `org_${random()}`, `key_${random()}`, `SUP-${random()}`];
  const now = Date.now();
  const configuration = { default_country: 'GB', ...options.configuration };
  const [, , supplier] = await env.DB.batch<{ id: number }>([
    env.DB.prepare('INSERT INTO organisations (id, name, created_at) VALUES (?1, ?1, ?2) ON CONFLICT DO NOTHING').bind(organisationId, now),
    env.DB.prepare('INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES (?, ?, ?, ?, ?)').bind(
      apiKeyId,
      organisationId,
      'test',
      random(),
      now,
    ),
    env.DB.prepare(
      `INSERT INTO suppliers (organisation_id, code, name, status, configuration, version, resumed_at, created_at, modified_at)
       VALUES (?, ?, ?, ?, ?, 1, 0, ?, ?) RETURNING id`,
    ).bind(organisationId, code, code, options.status ?? 'Ongoing', JSON.stringify(configuration), now, now),
  ]);
  const supplierId = supplier?.results[0]?.id;
  if (supplierId === undefined) throw new Error('no supplier was made');
  const { token } = await issueToken({ organisationId, apiKeyId }, { current: env.TOKEN_SIGNING_KEY }, now);
  return { organisationId, apiKeyId, supplierId, code, token };
}

export interface GivenAccount {
  readonly id: number;
  readonly externalAccountNumber: string;
  readonly accountNumber: string;
}

/** An imported account of the supplier, written straight into the tables. */
export async function anImportedAccount(
  supplier: GivenSupplier,
  options: {
    periodFrom?: string;
    cycleMonths?: number;
    cycleStartMonth?: number;
    cycleStartDay?: number;
    createdAt?: number;
    isListed?: boolean;
  } = {},
): Promise<GivenAccount> {
  const [external, now] = [`EXT-${random()}`, options.createdAt ?? Date.now()];
  const accountNumber = `A-${random().slice(0, 8).toUpperCase()}`;
  const next = '(SELECT coalesce(max(id), 0) FROM payloads)';
  const [, , stored] = await env.DB.batch<{ id: number }>([
    env.DB.prepare(`INSERT INTO payloads (id, body) SELECT ${next} + 1, '{}'`),
    env.DB.prepare(
      `INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run, created_at,
         scheduled_at, sent_at, started_at, finished_at, modified_at, attempts, account_number)
       SELECT ?1, ${next}, ?2, 2, '', 2, 0, ?3, ?3, ?3, ?3, ?3, ?3, 1, ?4`,
    ).bind(supplier.supplierId, external, now, accountNumber),
    env.DB.prepare(
      `INSERT INTO accounts (id, supplier_id, created_at, period_from, cycle_months, cycle_start_month, cycle_start_day, is_listed)
       SELECT ${next}, ?1, ?2, ?3, ?4, ?5, ?6, ?7 RETURNING id`,
    ).bind(
      supplier.supplierId,
      now,
      options.periodFrom ?? `${new Date(now).toISOString().slice(0, 7)}-01`,
      options.cycleMonths ?? 1,
      options.cycleStartMonth ?? 1,
      options.cycleStartDay ?? 1,
      options.isListed === false ? 0 : 1,
    ),
  ]);
  const id = stored?.results[0]?.id;
  if (id === undefined) throw new Error('no account was made');
  return { id, externalAccountNumber: external, accountNumber };
}

/** A document in the bucket, under the full key. */
export async function aDocument(key: string): Promise<void> {
  await env.DOCUMENTS.put(key, '%PDF-1.4');
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client address that nobody else has: what others fail at does not count for it. */
export const anAddress = (): string => `2001:db8::${random().slice(0, 4)}:${random().slice(0, 4)}:${random().slice(0, 4)}`;

interface Sent {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Calls the service over HTTP; answers the text. A string body is sent as it is. The answer must fit the OpenAPI document. */
export async function send(method: string, path: string, { token, body, headers: more }: Sent = {}): Promise<Seen> {
  const answer = await exports.default.fetch(
    new Request(`https://import.test${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
        'CF-Connecting-IP': anAddress(),
        ...more,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  const seen = { status: answer.status, headers: answer.headers, text: await textOf(answer) };
  checkAnswer(method, path, seen);
  return seen;
}

/** The lines of an answer in NDJSON. */
export const linesOf = ({ text }: Seen): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** As `send`, for a body and an answer in JSON; a body that was taken must fit the OpenAPI document, too. */
export async function call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { status, headers, text } = await send(method, path, sent);
  const { body } = sent;
  if (status < 300 && body !== undefined) checkRequest(method, path, JSON.parse(typeof body === 'string' ? body : JSON.stringify(body)));
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

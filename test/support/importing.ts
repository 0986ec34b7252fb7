/**
 * The way of an account from create to PROCESSED with every step in the test's hand: staged without a queue, delivered when,
 * how often and in which order the test wants.
 */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { checkAccount } from '../../src/accounts';
import { scheduleAccount } from '../../src/accounts/schedule/schedule';
import { isSameAccount, stagedAccountOf } from '../../src/accounts/schedule/staged';
import { consume } from '../../src/consumers';
import { CALLS_OF_AN_INVOCATION, type Deps } from '../../src/deps';
import { stageAccounts } from '../../src/import-processes';
import type { ImportMessage } from '../../src/queues/messages';
import { aDeps, type GivenDeps } from './deps';
import { call, type GivenSupplier } from './given';
import { aSupplierWith } from './suppliers';
import { readRow, readRows } from './tables';

export interface Staged {
  readonly deps: GivenDeps;
  readonly messages: ImportMessage[];
}

/** Creates accounts one after the other; nothing is delivered. The messages are those the creates sent. */
export async function stage(given: GivenSupplier, bodies: readonly unknown[], deps: GivenDeps = aDeps()): Promise<Staged> {
  const before = deps.sent.length;
  for (const body of bodies) {
    const outcome = await scheduleAccount(deps, given, body, JSON.stringify(body));
    if (outcome.kind !== 'scheduled') throw new Error(`not scheduled: ${outcome.kind}`);
  }
  await deps.backgroundDone();
  return { deps, messages: deps.sent.slice(before) };
}

/** Creates accounts of one slice, as bulk does. */
export async function stageSlice(given: GivenSupplier, bodies: readonly unknown[], deps: GivenDeps = aDeps()): Promise<Staged> {
  const supplier = aSupplierWith({}, { id: given.supplierId, organisationId: given.organisationId, code: given.code });
  const accounts = bodies.flatMap((body) => stagedAccountOf(checkAccount(body, supplier, deps.now()), JSON.stringify(body)) ?? []);
  const before = deps.sent.length;
  const creates = accounts.map((account) => ({ kind: 'right', supplier, account }) as const);
  await stageAccounts(deps, given, creates, isSameAccount);
  await deps.backgroundDone();
  return { deps, messages: deps.sent.slice(before) };
}

export interface Delivered {
  readonly acked: string[];
  readonly retried: string[];
}

/** Delivers messages as one batch of the queue; their ids are m0, m1 … */
export async function deliver(
  deps: Deps,
  bodies: readonly unknown[],
  { queue = 'account-imports', attempts = 1 } = {},
): Promise<Delivered> {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts, body }));
  const batch = createMessageBatch(queue, messages);
  // Each invocation has calls of its own.
  await consume(batch, { ...deps, calls: { left: CALLS_OF_AN_INVOCATION } });
  const result = await getQueueResult(batch, createExecutionContext());
  if (result.outcome !== 'ok') throw new Error(`the batch ended as ${result.outcome}`);
  return { acked: [...result.explicitAcks].sort(), retried: result.retryMessages.map(({ msgId }) => msgId).sort() };
}

/** One message of all processes of these messages, as if they had been created together. */
export const together = (messages: readonly ImportMessage[]): ImportMessage[] => {
  const last = messages.at(-1);
  return last ? [{ ...last, process_ids: messages.flatMap(({ process_ids }) => process_ids) }] : [];
};

export interface StatusBody {
  readonly status: string;
  readonly platform_identifier: string | null;
  readonly created_at: string;
  readonly modified_at: string;
  readonly latest_event: { readonly event: string; readonly occurred_at: string; readonly data: unknown };
  readonly latest_error: unknown;
  readonly errors?: unknown;
}

/** The v2 status resource over HTTP. */
export async function statusOf(given: GivenSupplier, external: string): Promise<StatusBody> {
  const path = `/v2/data-import/accounts/${encodeURIComponent(given.code)}/${encodeURIComponent(external)}/`;
  const { body } = await call('GET', path, { token: given.token });
  return body as StatusBody;
}

/** Statuses by external account number. */
export async function statusesOf(given: GivenSupplier): Promise<Record<string, string>> {
  const results = await readRows<{ number: string }>(
    'SELECT external_account_number AS number FROM import_processes WHERE supplier_id = ? ORDER BY id',
    given.supplierId,
  );
  const statuses: Record<string, string> = {};
  for (const { number } of results) statuses[number] = (await statusOf(given, number)).status;
  return statuses;
}

const CHILDREN = ['customers', 'notes', 'transactions', 'statements', 'payment_instructions'] as const;

/** How many rows the supplier's accounts have in each table. */
export async function rowsOf(given: GivenSupplier): Promise<Record<'processes' | 'accounts' | (typeof CHILDREN)[number], number>> {
  const accounts = 'SELECT id FROM accounts WHERE supplier_id = ?1';
  const row = await readRow<Record<'processes' | 'accounts' | (typeof CHILDREN)[number], number>>(
    `SELECT (SELECT count(*) FROM import_processes WHERE supplier_id = ?1) AS processes, (SELECT count(*) FROM accounts WHERE supplier_id = ?1)
       AS accounts, ${CHILDREN.map((table) => `(SELECT count(*) FROM ${table} WHERE account_id IN (${accounts})) AS ${table}`).join(', ')}`,
    given.supplierId,
  );
  if (!row) throw new Error('no counts');
  return row;
}

/**
 * One slice of creates, decided and stored. A pair without a process takes one trip. Where there is one, its creates are decided by
 * what was read of it, and stored only while it is still that: what the network delayed undoes nothing, and no clock is asked.
 */
import { commit } from '../../db';
import type { Supplier } from '../../suppliers';
import type { Caller } from '../../tokens';
import { STATUS, statusOf } from '../machine';
import type { Sendable } from '../send/messages';
import { type Answer, type CreateDecision, decideCreates, type IsSameAccount, type ProcessState } from './rules';
import { type Staging, stagingBatch } from './store';
import type { ExistingRow } from './store-known';
import type { StagedAccount, StagingWrite } from './store-replacing';

/** A create, validated by this very supplier. */
export type Create =
  | { readonly kind: 'right'; readonly supplier: Supplier; readonly account: StagedAccount }
  /** Nothing is wrong but the supplier's status or a missing document: whether the account is imported is answered all the same. */
  | { readonly kind: 'not_now'; readonly supplier: Supplier; readonly externalAccountNumber: string }
  | { readonly kind: 'wrong'; readonly supplier: Supplier };

export type Staged =
  | Answer
  /** No new account comes in right now; nothing was stored. */
  | { readonly kind: 'not_taken' }
  /** The supplier or the key changed since the account was validated: validate it again. */
  | { readonly kind: 'decided_on_old_state' };

/** Processes by their pairs, read in one transaction with the suppliers of the creates. A pair without an entry has none. */
export type KnownProcesses = ReadonlyMap<string, ExistingRow>;

export const knownProcesses = (rows: readonly ExistingRow[]): KnownProcesses =>
  new Map(rows.map((row) => [pairKey(row.supplierId, row.externalAccountNumber), row]));

const pairKey = (supplierId: number, externalAccountNumber: string): string => `${supplierId} ${externalAccountNumber}`;

/** How often a pair is decided anew because others change it meanwhile; more than this in a row is broken. */
const MAX_ROUNDS = 20;

const OLD_FACTS = { kind: 'decided_on_old_state' } as const;

type CreateOfPair = Exclude<Create, { readonly kind: 'wrong' }>;

/** What was stored, and when its message is to go; 0 if not now. */
interface StagedProcess extends Sendable {
  readonly at: number;
  readonly sentAt: number;
}

/** Creates of one database that are stored together. */
export interface Slice {
  readonly db: D1Database;
  readonly caller: Caller;
  readonly isSameAccount: IsSameAccount;
  /** Unix milliseconds. */
  readonly now: number;
  /** Filled as creates are answered. */
  readonly outcomes: Map<Create, Staged>;
  /** Filled as payloads are stored. */
  readonly staged: StagedProcess[];
}

/** The creates of one pair, and what is known of its process. */
interface Pair {
  readonly key: string;
  readonly supplierId: number;
  readonly externalAccountNumber: string;
  readonly creates: CreateOfPair[];
  /** False as long as nothing was read: then it is tried as if the pair had no process. */
  isRead: boolean;
  existing: ExistingRow | undefined;
  body: string | undefined;
}

interface OpenPair {
  readonly pair: Pair;
  readonly decision: CreateDecision<StagedAccount>;
  readonly write: StagingWrite | undefined;
}

/** Answers each create in `slice.outcomes`. What has no answer in the end was changed by others again and again. */
export async function stageSlice(slice: Slice, creates: readonly Create[], known: KnownProcesses | undefined): Promise<void> {
  let pairs = pairsOf(creates, known);
  const wrong = creates.filter(({ kind }) => kind === 'wrong');
  if (known) for (const create of wrong) slice.outcomes.set(create, { kind: 'refused' });
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = pairs.flatMap((pair) => decidePair(slice, pair) ?? []);
    const isChecked = known !== undefined || round > 0;
    if (open.length === 0 && (isChecked || wrong.length === 0)) return;
    await storeRound(slice, open, isChecked ? [] : wrong);
    pairs = open.map(({ pair }) => pair).filter(({ creates: [first] }) => first && !slice.outcomes.has(first));
  }
}

/** In the order in which creates one after the other would have made their processes. */
function pairsOf(creates: readonly Create[], known: KnownProcesses | undefined): Pair[] {
  const pairs = new Map<string, Pair>();
  const pairOf = (create: CreateOfPair): Pair => {
    const { externalAccountNumber } = create.kind === 'right' ? create.account : create;
    const key = pairKey(create.supplier.id, externalAccountNumber);
    let pair = pairs.get(key);
    if (!pair) {
      const [isRead, existing] = [known !== undefined, known?.get(key)];
      pair = { key, supplierId: create.supplier.id, externalAccountNumber, creates: [], isRead, existing, body: undefined };
      pairs.set(key, pair);
    }
    return pair;
  };
  for (const create of creates) if (create.kind === 'right') pairOf(create);
  for (const create of creates) if (create.kind !== 'wrong') pairOf(create).creates.push(create);
  return [...pairs.values()];
}

/** Answers the creates of a pair if what is known of it says all; else what is still to be stored or read. */
function decidePair(slice: Slice, pair: Pair): OpenPair | undefined {
  const payloads = pair.creates.map((create) => (create.kind === 'right' ? create.account : undefined));
  const decision = decideCreates(pair.existing && stateOf(pair.existing, pair.body), payloads, slice.isSameAccount);
  const { winner: account } = decision;
  const isAll = pair.isRead && account === undefined && !decision.answers.some(({ kind }) => kind === 'needs_body');
  if (isAll) answer(slice, pair, decision);
  return isAll ? undefined : { pair, decision, write: account && writeOf(slice, pair, account) };
}

const stateOf = (row: ExistingRow, body: string | undefined): ProcessState => ({
  status: statusOf(row.status),
  payloadHash: row.payloadHash,
  isDryRun: row.isDryRun === 1,
  accountNumber: row.accountNumber,
  runId: row.runId,
  body,
});

const writeOf = ({ now }: Slice, { supplierId, existing: replaced }: Pair, account: StagedAccount): StagingWrite => ({
  supplierId,
  account,
  replaced,
  at: replaced ? Math.max(now, replaced.modifiedAt + 1) : now,
  sentAt: account.isHeld || (account.windowStart ?? 0) > now ? 0 : now,
});

function answer({ outcomes }: Slice, { creates }: Pair, { answers }: CreateDecision<StagedAccount>): void {
  creates.forEach((create, index) => {
    const one = answers[index];
    if (one && one.kind !== 'needs_body') outcomes.set(create, one);
  });
}

/** One trip: stores what was decided, and reads anew what others have changed. */
async function storeRound(slice: Slice, open: readonly OpenPair[], wrong: readonly Create[]): Promise<void> {
  const inOrder = [
    ...open.filter(({ write }) => write && !write.replaced),
    ...open.filter(({ write }) => write?.replaced),
    ...open.filter(({ write }) => !write),
  ];
  const [unchanged, existing, ...touched] = await commit(slice.db, stagingBatch(stagingOf(slice, inOrder, wrong), slice.caller));
  const lastIds = new Map(unchanged.map((row) => [row.supplierId, row.lastId]));
  const found = knownProcesses(existing);
  const bodies = new Map(touched.flat().map(({ id, body }) => [id, body]));
  for (const create of wrong) slice.outcomes.set(create, lastIds.has(create.supplier.id) ? { kind: 'refused' } : OLD_FACTS);
  inOrder.forEach(({ pair, decision, write }, position) => {
    const row = found.get(pair.key);
    const id = write?.replaced?.id ?? (lastIds.get(pair.supplierId) ?? Number.NaN) + 1 + position;
    if (write && (bodies.has(id) || isOwn(row, write))) {
      answer(slice, pair, decision);
      slice.staged.push({
        supplierId: write.supplierId,
        id: row?.id ?? id,
        payloadBytes: write.account.bodyBytes,
        at: write.at,
        sentAt: write.sentAt,
      });
    } else if (!lastIds.has(pair.supplierId) || (write && !row)) {
      for (const create of pair.creates) slice.outcomes.set(create, OLD_FACTS);
    } else {
      pair.isRead = true;
      pair.existing = row;
      pair.body = row?.status === STATUS.IN_PROGRESS ? bodies.get(row.id) : undefined;
    }
  });
}

function stagingOf({ now }: Slice, open: readonly OpenPair[], wrong: readonly Create[]): Staging {
  const reads = open.filter(({ write }) => !write).map(({ pair }) => pair);
  const suppliers = [...open.flatMap(({ pair }) => pair.creates), ...wrong].map(({ supplier }) => [supplier.id, supplier.version] as const);
  return {
    writes: open.flatMap(({ write }) => write ?? []),
    reads,
    bodies: reads.flatMap(({ supplierId, existing }) => (existing?.status === STATUS.IN_PROGRESS ? [{ supplierId, id: existing.id }] : [])),
    suppliers: new Map(suppliers),
    now,
  };
}

/** True if an earlier try of this batch, whose answer was lost, stored it. */
const isOwn = (row: ExistingRow | undefined, { account, at }: StagingWrite): boolean =>
  row?.status === STATUS.PENDING &&
  row.payloadHash === account.payloadHash &&
  row.runId === (account.runId ?? null) &&
  row.modifiedAt === at;

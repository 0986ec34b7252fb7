/**
 * The statements that stage accounts: one batch makes processes or replaces what they hold, stores their payloads, and answers what the
 * process of each pair was before. What replaces names what it replaces, so the database decides races, whatever clocks say.
 */
import {
  and,
  db,
  eq,
  excluded,
  field,
  gte,
  importProcessEvents,
  importProcesses,
  inArray,
  insertSelect,
  isNotNull,
  lte,
  ne,
  or,
  payloads,
  prepared,
  type RowValues,
  rowsOf,
  type Statement,
  sql,
  type Texts,
  textsOf,
  type Values,
} from '../db';
import type { Caller } from '../tokens';
import { EVENT, SCHEDULABLE_AGAIN, STATUS, statusAfter } from './machine';
import type { Payload } from './rules-staging';
import { isProcessOf, may, type ProcessKey, type ProcessKeys, processKeys } from './store-conditions';
import { EXISTING, type ExistingRow, isUnderUnchanged, lastId, readUnchanged, type Validated, versions } from './store-known';

/** An account on its way into the table. */
export interface StagedAccount extends Payload {
  readonly externalAccountNumber: string;
  /** JSON text. Its digest is the payload's hash. */
  readonly body: string;
  readonly bodyBytes: number;
  /** Unix milliseconds. */
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
  /** How many documents it names. */
  readonly documents: number;
}

/** A payload that is to be stored, and the process whose payload it replaces: none, if the pair has no process. */
export interface StagingWrite {
  readonly supplierId: number;
  readonly account: StagedAccount;
  readonly replaced: ExistingRow | undefined;
  /** Unix milliseconds: the instant of the change; of a new process now, else later than that of any change before it. */
  readonly at: number;
  /** The instant of its message: now, or 0 if its window is yet to open. */
  readonly sentAt: number;
}

export interface Pair {
  readonly supplierId: number;
  readonly externalAccountNumber: string;
}

export interface Staging {
  /** Those of pairs without a process come first, and take the ids after the last one, in order. */
  readonly writes: readonly StagingWrite[];
  /** Pairs that are only read, and of those the processes whose stored bodies are. */
  readonly reads: readonly Pair[];
  readonly bodies: readonly ProcessKey[];
  /** The suppliers of all creates, each with the version it was read in. */
  readonly suppliers: ReadonlyMap<number, number>;
  /** Unix milliseconds. */
  readonly now: number;
}

// The hash is that of the payload that is written; null where the pair is only read.
const pairs = rowsOf('pairs', {
  supplierId: importProcesses.supplierId,
  externalAccountNumber: importProcesses.externalAccountNumber,
  payloadHash: field<string | null>(),
});
type Pairs = RowValues<typeof pairs>;

const STAGED = {
  supplierId: importProcesses.supplierId,
  payloadHash: importProcesses.payloadHash,
  payloadBytes: importProcesses.payloadBytes,
  isDryRun: importProcesses.isDryRun,
  windowStart: importProcesses.windowStart,
  windowEnd: importProcesses.windowEnd,
  documents: importProcesses.documents,
};
const stagedRowOf = ({ supplierId, account }: StagingWrite) => ({
  supplierId,
  payloadHash: account.payloadHash,
  payloadBytes: account.bodyBytes,
  isDryRun: account.isDryRun ? 1 : 0,
  windowStart: account.windowStart ?? null,
  windowEnd: account.windowEnd ?? null,
  documents: account.documents,
});

const READ_EXISTING = prepared(($: Values<{ pairs: Pairs }>) =>
  db
    .select(EXISTING)
    .from(pairs.from($.pairs))
    .crossJoin(importProcesses)
    .where(
      and(eq(importProcesses.supplierId, pairs.row.supplierId), eq(importProcesses.externalAccountNumber, pairs.row.externalAccountNumber)),
    ),
);

/** Stored bodies that one batch reads at most, in bytes; several of the largest that are taken. */
const MAX_BODY_BYTES = 4 * 1_048_576;

const READ_BODIES = prepared(($: Values<{ keys: ProcessKeys }>) => {
  const held = db
    .select({
      id: importProcesses.id,
      bytesSoFar: sql<number>`sum(${importProcesses.payloadBytes}) OVER (ORDER BY ${processKeys.position})`.as('bytes_so_far'),
    })
    .from(processKeys.from($.keys))
    .crossJoin(importProcesses)
    .where(and(isProcessOf(processKeys.row), eq(importProcesses.status, STATUS.IN_PROGRESS)))
    .as('held');
  return db
    .select({ id: held.id, body: payloads.body })
    .from(held)
    .crossJoin(payloads)
    .where(and(eq(payloads.id, held.id), lte(held.bytesSoFar, MAX_BODY_BYTES)));
});

const created = rowsOf('created', { ...STAGED, externalAccountNumber: importProcesses.externalAccountNumber });

const INSERT = prepared(($: Values<Validated & { created: RowValues<typeof created>; now: number }>) =>
  insertSelect(
    importProcesses,
    {
      ...created.row,
      id: sql`${lastId()} + 1 + ${created.position}`,
      status: STATUS.PENDING,
      createdAt: $.now,
      scheduledAt: $.now,
      sentAt: sql`iif(coalesce(${created.row.windowStart}, 0) > ${$.now}, 0, ${$.now})`,
      modifiedAt: $.now,
      attempts: 0,
    },
    sql`FROM ${created.from($.created)} WHERE ${isUnderUnchanged($, created.row.supplierId)}`,
  )
    .onConflictDoNothing()
    .returning({ id: importProcesses.id }),
);

const replacing = rowsOf('replacing', {
  ...STAGED,
  id: importProcesses.id,
  at: importProcesses.modifiedAt,
  sentAt: importProcesses.sentAt,
  statusBefore: importProcesses.status,
  hashBefore: importProcesses.payloadHash,
  modifiedBefore: importProcesses.modifiedAt,
});
type Replacing = Validated & { readonly replacing: RowValues<typeof replacing> };

/** True while what is replaced is what it was when the create was decided. A dry run never takes the place of a real import that waits. */
const isReplaceable = ($: Values<Replacing>) =>
  and(
    isProcessOf(replacing.row),
    eq(importProcesses.status, replacing.row.statusBefore),
    eq(importProcesses.payloadHash, replacing.row.hashBefore),
    eq(importProcesses.modifiedAt, replacing.row.modifiedBefore),
    may('create_again'),
    or(inArray(importProcesses.status, SCHEDULABLE_AGAIN), gte(importProcesses.isDryRun, replacing.row.isDryRun)),
    isUnderUnchanged($, replacing.row.supplierId),
  );

// Before the staging: what it will schedule again.
const EVENT_OF_RECREATED = prepared(($: Values<Replacing>) =>
  insertSelect(
    importProcessEvents,
    { processId: sql`${importProcesses.id}`, occurredAt: replacing.row.at, event: EVENT.CREATED },
    sql`FROM ${replacing.from($.replacing)} CROSS JOIN ${importProcesses}
      WHERE ${and(isReplaceable($), ne(importProcesses.status, STATUS.PENDING))}`,
  ).onConflictDoNothing(),
);

const REPLACE = prepared(($: Values<Replacing>) =>
  db
    .update(importProcesses)
    .set({
      status: statusAfter('create_again'),
      payloadHash: replacing.row.payloadHash,
      payloadBytes: replacing.row.payloadBytes,
      isDryRun: replacing.row.isDryRun,
      windowStart: replacing.row.windowStart,
      windowEnd: replacing.row.windowEnd,
      scheduledAt: sql`iif(${eq(importProcesses.status, STATUS.PENDING)}, ${importProcesses.scheduledAt}, ${replacing.row.at})`,
      sentAt: replacing.row.sentAt,
      startedAt: null,
      finishedAt: null,
      modifiedAt: replacing.row.at,
      claim: null,
      leaseUntil: null,
      attempts: 0,
      error: null,
      documents: replacing.row.documents,
      expiredClaims: null,
    })
    .from(replacing.from($.replacing))
    .where(isReplaceable($))
    .returning({ id: importProcesses.id }),
);

const bodies = textsOf('bodies');

// Of what is PENDING with the very payload. The pair and hash of a body stand among the pairs, at its place counted from `first`. They
// are looked up there, and the table that is written is not read, so SQLite need not set the bodies aside.
const STORE_PAYLOADS = prepared(($: Values<{ bodies: Texts; pairs: Pairs; first: number }>) => {
  const pair = pairs.at($.pairs, sql`${bodies.position} + ${$.first}`);
  return insertSelect(
    payloads,
    { id: sql`${importProcesses.id}`, body: bodies.text },
    sql`FROM ${bodies.from($.bodies)} CROSS JOIN ${importProcesses} WHERE ${and(
      eq(importProcesses.supplierId, pair.supplierId),
      eq(importProcesses.externalAccountNumber, pair.externalAccountNumber),
      eq(importProcesses.status, STATUS.PENDING),
      eq(importProcesses.payloadHash, sql`${pair.payloadHash}`),
    )}`,
  ).onConflictDoUpdate({
    target: payloads.id,
    set: { body: excluded(payloads.body), reducedAt: null },
    setWhere: sql`${isNotNull(payloads.reducedAt)} OR ${ne(payloads.body, excluded(payloads.body))}`,
  });
});

/** A process that was staged; with `body`, one whose stored body was asked for. */
interface TouchedRow {
  readonly id: number;
  readonly body?: string;
}

type StagingBatch = readonly [ReturnType<typeof readUnchanged>, Statement<ExistingRow>, ...Statement<TouchedRow>[]];

/** The batch that stages a slice of any suppliers. It answers which suppliers are unchanged, what there was before, and what was staged. */
export function stagingBatch(staging: Staging, { apiKeyId }: Caller): StagingBatch {
  const { writes, reads, now } = staging;
  const given = pairs.value([
    ...writes.map(({ supplierId, account: { externalAccountNumber, payloadHash } }) => ({
      supplierId,
      externalAccountNumber,
      payloadHash,
    })),
    ...reads.map(({ supplierId, externalAccountNumber }) => ({ supplierId, externalAccountNumber, payloadHash: null })),
  ]);
  const validated = { versions: versions.value([...staging.suppliers].map(([id, version]) => ({ id, version }))), apiKeyId };
  const news = writes.filter(({ replaced }) => replaced === undefined);
  const replacements = writes.flatMap((write) => (write.replaced ? [replacingRowOf(write, write.replaced)] : []));
  const changes = { ...validated, replacing: replacing.value(replacements) };
  return [
    readUnchanged(validated),
    READ_EXISTING({ pairs: given }),
    ...(staging.bodies.length > 0 ? [READ_BODIES({ keys: processKeys.value(staging.bodies) })] : []),
    ...(news.length > 0 ? [INSERT({ ...validated, created: created.value(news.map(createdRowOf)), now })] : []),
    ...(replacements.length > 0 ? [EVENT_OF_RECREATED(changes), REPLACE(changes)] : []),
    ...bodies
      .values(writes.map(({ account }) => account.body))
      .map(({ value, from }) => STORE_PAYLOADS({ bodies: value, pairs: given, first: from })),
  ];
}

const createdRowOf = (write: StagingWrite) => ({ ...stagedRowOf(write), externalAccountNumber: write.account.externalAccountNumber });

const replacingRowOf = (write: StagingWrite, replaced: ExistingRow) => ({
  ...stagedRowOf(write),
  id: replaced.id,
  at: write.at,
  sentAt: write.sentAt,
  statusBefore: replaced.status,
  hashBefore: replaced.payloadHash,
  modifiedBefore: replaced.modifiedAt,
});

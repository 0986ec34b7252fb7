/**
 * The statements that stage accounts: one batch makes processes or replaces what they hold, stores their payloads, and answers what the
 * process of each pair was before. What replaces names what it replaces, so the database decides races, whatever clocks say.
 */
import {
  and,
  db,
  eq,
  excluded,
  importProcesses,
  insertSelect,
  isNotNull,
  lte,
  ne,
  payloads,
  prepared,
  type Query,
  type RowValues,
  rowsOf,
  sql,
  type TextValues,
  textsOf,
  type Values,
} from '../../db';
import { MEBIBYTE } from '../../shared/sizes';
import type { Caller } from '../../tokens';
import { STATUS } from '../machine';
import { widenRuns } from '../runs/store-ranges';
import { isProcessOf, type ProcessKey, type ProcessKeys, processKeys } from '../store-conditions';
import { EXISTING, type ExistingRow, isUnderUnchanged, lastId, readUnchanged, type Validated, versions } from './store-known';
import { replaceBatch, STAGED, type StagingWrite, stagedRowOf } from './store-replacing';

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

const pairs = rowsOf('pairs', {
  supplierId: importProcesses.supplierId,
  externalAccountNumber: importProcesses.externalAccountNumber,
});

const READ_EXISTING = prepared(($: Values<{ pairs: RowValues<typeof pairs> }>) =>
  db
    .select(EXISTING)
    .from(pairs.from($.pairs))
    .crossJoin(importProcesses)
    .where(
      and(eq(importProcesses.supplierId, pairs.row.supplierId), eq(importProcesses.externalAccountNumber, pairs.row.externalAccountNumber)),
    ),
);

/** Stored bodies that one batch reads at most, in bytes; several of the largest that are taken. */
const MAX_READ_BYTES = 4 * MEBIBYTE;

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
    .where(and(eq(payloads.id, held.id), lte(held.bytesSoFar, MAX_READ_BYTES)));
});

const created = rowsOf('created', {
  ...STAGED,
  externalAccountNumber: importProcesses.externalAccountNumber,
  sentAt: importProcesses.sentAt,
});

const INSERT = prepared(($: Values<Validated & { created: RowValues<typeof created>; now: number }>) =>
  insertSelect(
    importProcesses,
    {
      ...created.row,
      id: sql`${lastId()} + 1 + ${created.position}`,
      status: STATUS.PENDING,
      createdAt: $.now,
      scheduledAt: $.now,
      modifiedAt: $.now,
      attempts: 0,
    },
    sql`FROM ${created.from($.created)} WHERE ${isUnderUnchanged($, created.row.supplierId)}`,
  )
    .onConflictDoNothing()
    .returning({ id: importProcesses.id }),
);

// The hash is that of the payload that is written.
const bodies = textsOf('bodies', {
  supplierId: importProcesses.supplierId,
  externalAccountNumber: importProcesses.externalAccountNumber,
  payloadHash: importProcesses.payloadHash,
});

// Of what is PENDING with the very payload. The table that is written is not read, so SQLite need not set the bodies aside.
const STORE_PAYLOADS = prepared(($: Values<TextValues<typeof bodies>>) =>
  insertSelect(
    payloads,
    { id: sql`${importProcesses.id}`, body: bodies.text($.texts) },
    sql`FROM ${bodies.from($.rows)} CROSS JOIN ${importProcesses} WHERE ${and(
      eq(importProcesses.supplierId, bodies.row.supplierId),
      eq(importProcesses.externalAccountNumber, bodies.row.externalAccountNumber),
      eq(importProcesses.status, STATUS.PENDING),
      eq(importProcesses.payloadHash, bodies.row.payloadHash),
    )}`,
  ).onConflictDoUpdate({
    target: payloads.id,
    set: { body: excluded(payloads.body), reducedAt: null },
    setWhere: sql`${isNotNull(payloads.reducedAt)} OR ${ne(payloads.body, excluded(payloads.body))}`,
  }),
);

/** A process that was staged; with `body`, one whose stored body was asked for. */
interface TouchedRow {
  readonly id: number;
  readonly body?: string;
}

type StagingBatch = readonly [ReturnType<typeof readUnchanged>, Query<ExistingRow>, ...Query<TouchedRow>[]];

/** The batch that stages a slice of any suppliers. It answers which suppliers are unchanged, what there was before, and what was staged. */
export function stagingBatch(staging: Staging, { apiKeyId }: Caller): StagingBatch {
  const { writes, reads, now } = staging;
  const given = pairs.value([
    ...writes.map(({ supplierId, account: { externalAccountNumber } }) => ({ supplierId, externalAccountNumber })),
    ...reads,
  ]);
  const validated = { versions: versions.value([...staging.suppliers].map(([id, version]) => ({ id, version }))), apiKeyId };
  const news = writes.filter(({ replaced }) => replaced === undefined);
  return [
    readUnchanged(validated),
    READ_EXISTING({ pairs: given }),
    ...(staging.bodies.length > 0 ? [READ_BODIES({ keys: processKeys.value(staging.bodies) })] : []),
    ...(news.length > 0 ? [INSERT({ ...validated, created: created.value(news.map(createdRowOf)), now })] : []),
    ...replaceBatch(writes, validated),
    ...widenRuns(writes),
    ...bodies.values(writes.map(bodyRowOf)).map(STORE_PAYLOADS),
  ];
}

const bodyRowOf = ({ supplierId, account: { externalAccountNumber, payloadHash, body, bodyBytes } }: StagingWrite) => ({
  supplierId,
  externalAccountNumber,
  payloadHash,
  text: body,
  bytes: bodyBytes,
});

const createdRowOf = (write: StagingWrite) => ({
  ...stagedRowOf(write),
  externalAccountNumber: write.account.externalAccountNumber,
  sentAt: write.sentAt,
});

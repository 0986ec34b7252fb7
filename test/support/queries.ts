/**
 * Every statement the code can send: each exported builder of each store, called in every form its SQL can take. Keys are
 * `<file without .ts>#<export>[ form]`; a house test shows that no builder is missing.
 */
import { env } from 'cloudflare:workers';
import * as reading from '../../src/account-reading/store';
import * as changes from '../../src/account-reading/store-changes';
import * as state from '../../src/account-state/state';
import * as manyStates from '../../src/account-state/state-many';
import * as commits from '../../src/accounts/commits/store';
import * as accounts from '../../src/accounts/create/store';
import * as audit from '../../src/audit/store';
import * as sessions from '../../src/console/store';
import type { Query } from '../../src/db';
import type { Deps } from '../../src/deps';
import * as erasure from '../../src/erasure/store';
import * as events from '../../src/events/store';
import * as recording from '../../src/events/store-recording';
import * as readiness from '../../src/health/store';
import * as cancels from '../../src/import-processes/cancel/store';
import * as claims from '../../src/import-processes/claim/store';
import * as givingUp from '../../src/import-processes/claim/store-giving-up';
import * as outcomes from '../../src/import-processes/claim/store-outcomes';
import * as marks from '../../src/import-processes/erase/store';
import * as lists from '../../src/import-processes/lists/store';
import * as retention from '../../src/import-processes/retention/store';
import * as retries from '../../src/import-processes/retry/store';
import * as runCancel from '../../src/import-processes/runs/store-cancel';
import * as runErrors from '../../src/import-processes/runs/store-errors';
import * as runEnds from '../../src/import-processes/runs/store-finish';
import * as pace from '../../src/import-processes/runs/store-pace';
import * as runRanges from '../../src/import-processes/runs/store-ranges';
import * as backlog from '../../src/import-processes/send/store';
import * as staging from '../../src/import-processes/stage/store';
import * as known from '../../src/import-processes/stage/store-known';
import * as read from '../../src/import-processes/status/store';
import * as sweep from '../../src/import-processes/sweep/store';
import * as notes from '../../src/notes/store';
import * as alertStore from '../../src/operator/alerts/store';
import * as alertAddresses from '../../src/operator/alerts/store-addresses';
import * as health from '../../src/operator/health/store';
import * as processes from '../../src/operator/processes/store';
import * as errors from '../../src/operator/processes/store-errors';
import * as pages from '../../src/operator/processes/store-pages';
import * as search from '../../src/operator/processes/store-search';
import * as restores from '../../src/operator/restores/store';
import * as suppliers from '../../src/operator/suppliers/store';
import * as counts from '../../src/operator/suppliers/store-counts';
import * as supplierProgress from '../../src/operator/suppliers/store-progress';
import * as operatorTokens from '../../src/operator/tokens/store';
import * as organisations from '../../src/organisations/store';
import * as instructions from '../../src/payment-instructions/store';
import * as platform from '../../src/platform/store';
import * as progress from '../../src/progress/store';
import * as queues from '../../src/queues/store';
import * as refusals from '../../src/refusals/store';
import * as runs from '../../src/runs/store';
import * as runErrored from '../../src/runs/store-errors';
import * as totals from '../../src/runs/store-totals';
import * as undo from '../../src/runs/store-undo';
import * as undoable from '../../src/runs/store-undoable';
import * as undone from '../../src/runs/store-undone';
import * as statements from '../../src/statements/store';
import * as tokens from '../../src/tokens/store';
import * as transactions from '../../src/transactions/store';
import * as webhooks from '../../src/webhooks/store';
import * as deliveries from '../../src/webhooks/store-deliveries';
import { aDeps } from './deps';
import { aSupplierWith } from './suppliers';

const now = Date.now();
const caller = { organisationId: 'org_1', apiKeyId: 'key_1' };
const cursorOfWebhook = { supplierId: 1, webhookId: 'whk_1', claim: 1 };
const supplier = aSupplierWith();
const pair = { import_supplier: 'SUP', external_account_number: 'a' };
const erased = { supplierId: 1, id: 1, auditId: 1 };
const account = {
  id: 1,
  accountNumber: 'A-00000001',
  externalAccountNumber: 'a',
  createdAt: now,
  periodFrom: '2026-01-01',
  cycleMonths: 1,
  cycleStartMonth: 1,
  cycleStartDay: 1,
};
const target = { caller, supplier, account };
const key = { supplierId: 1, id: 1 };
const walk = { supplierId: 1, cursor: 0, retentionDays: 90 };
const range = { supplierId: 1, code: 'x', after: 0, upTo: 9, now };
const entry = { id: 1, occurredAt: now, actor: 'a', action: 'supplier.changed', subject: 's' } as const;
const audited = audit.auditValues(entry);
const process = { supplierCode: 'SUP', externalAccountNumber: 'a' };
const fresh = { hash: 'h', expiresAt: now, now };

const transaction = {
  accountId: 1,
  transactionId: 't',
  addition: 0,
  source: 2,
  ledger: null,
  transactionDate: '2026-01-01',
  amountMinor: 1,
  type: 'CHARGE',
  note: null,
  imported: { transaction_id: 't', transaction_date: '2026-01-01', amount: 1, type: 'CHARGE' },
  createdAt: now,
} as const;
const note = {
  accountId: 1,
  noteKey: 'k',
  createdAt: now,
  body: 'b',
  documents: null,
  isPinned: false,
  unpinAt: null,
  source: 1,
  details: { asked: 1 },
} as const;
const content = { statement_id: 's', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', issue_date: '2026-01-31' };
const row = { accountId: 1, statementId: 's', contentHash: 'h', content, documentKey: null, createdAt: now };
const staged = {
  externalAccountNumber: 'a',
  payloadHash: 'h',
  body: '{}',
  bodyBytes: 2,
  isDryRun: false,
  windowStart: undefined,
  windowEnd: undefined,
  documents: 0,
};
const existing = {
  supplierId: 1,
  id: 1,
  externalAccountNumber: 'a',
  status: 0,
  payloadHash: 'g',
  isDryRun: 0,
  modifiedAt: now,
  sentAt: now,
  accountNumber: null,
  runId: null,
};
const instruction = { accountId: 1, type: 'CARD', vendor: 'V', reference: null, details: {}, createdAt: now };
/** Of several requests the events are looked up before; that of one is what its write reports. */
const twice = <Request>(request: Request): Request[] => [request, request];

const posting = (checks: boolean) => ({
  checks,
  moves: true,
  request: 1,
  createdAt: now,
  rows: [transaction],
  moved: [{ transactionId: 't', line: 'moved' }],
  barred: [],
});

type Sample = readonly Query[] | ((db: Recorder) => Promise<unknown>);

interface Recorder {
  readonly db: D1Database;
  readonly deps: Deps;
  readonly sent: Query[];
}

/** A database that remembers what it is asked and finds nothing. */
function recorder(): Recorder {
  const sent: Query[] = [];
  const texts = new WeakMap<object, string>();
  const db = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => ({
          bind: (...params: (string | number | null)[]) => {
            const prepared = target.prepare('SELECT 1 WHERE false');
            texts.set(prepared, sql);
            sent.push({ sql, params, read: undefined });
            return prepared;
          },
        });
      }
      if (name === 'batch') return (prepared: D1PreparedStatement[]) => target.batch(prepared);
      throw new Error(`not recorded: ${String(name)}`);
    },
  });
  return { db, deps: { ...aDeps(), db, databaseOf: () => db }, sent };
}

const filters = {
  none: {},
  status: { status: 'PENDING' },
  processed: { status: 'PROCESSED' },
  'error code': { errorCode: 'x' },
  'error code and cursor': { errorCode: 'x', cursor: 'a' },
  prefix: { prefix: 'a' },
  'prefix and status': { prefix: 'a', status: 'ERRORED' },
  cursor: { cursor: 'a' },
  'cursor and status': { cursor: 'a', status: 'PENDING' },
  'cursor and prefix': { cursor: 'a', prefix: 'a' },
  field: { field: { code: 'x', attr: 'y' } },
} as const;
const counted = { 'error code': { errorCode: 'x' }, prefix: { prefix: 'a' }, field: { field: { code: 'x', attr: 'y' } } } as const;
const noFilter = { status: undefined, prefix: undefined, errorCode: undefined, accountNumber: undefined, cursor: undefined };

const ofCaller = { apiKeyId: caller.apiKeyId, organisationId: caller.organisationId };

const run = {
  heldReason: null,
  releasedTo: 0,
  pacePerMinute: null,
  stopAfterErrors: null,
  errors: 0,
  expected: null,
  now,
};
const runPage = { supplierId: 1, runId: 1, after: 0, upTo: 9, limit: 10 };

const SAMPLES: Readonly<Record<string, Sample>> = {
  'account-state/state#accountState': [state.accountState(caller, 'SUP', 'a')],
  'account-state/state-many#loadStates': ({ db }) =>
    manyStates.loadStates(db, caller, [{ supplierCode: 'SUP', externalAccountNumber: 'a' }]),
  'account-state/state-many#unchangedOf': manyStates.unchangedOf(caller, [{ target }]).queries,
  'account-state/state#supplierState': [state.supplierState(caller, ['SUP', 'OTHER'])],
  'account-state/state#runsToJoin': [state.runsToJoin(caller, [{ code: 'SUP', name: 'r' }])],
  'import-processes/runs/store-pace#pacedRuns': [pace.pacedRuns({ minute: 1 })],
  'import-processes/runs/store-pace#stepOfPace': [pace.stepOfPace({ id: 1, pace: 2, minute: 1, now })],
  'import-processes/runs/store-pace#lastOfFirst': [pace.lastOfFirst({ id: 1, count: 50 })],
  'import-processes/runs/store-pace#waitingBetween': [pace.waitingBetween({ supplierId: 1, after: 0, upTo: 9, looks: 10, now })],
  'import-processes/runs/store-cancel#cancelOfRun': runCancel.cancelOfRun({ ...runPage, now }, 'r'),
  'import-processes/runs/store-finish#endedRuns': [runEnds.endedRuns({})],
  'import-processes/runs/store-finish#finishRuns': runEnds.finishRuns([1], now),
  'import-processes/runs/store-errors#countErrors': [...runErrors.countErrors([{ ...key, runId: 1 }], now)],
  'import-processes/runs/store-ranges#widenRuns': [
    ...runRanges.widenRuns([{ supplierId: 1, account: { ...staged, runId: 1 }, replaced: undefined, at: now, sentAt: now }]),
  ],
  'runs/store#runOfCaller': [runs.runOfCaller({ ...ofCaller, code: 'SUP', name: 'r' })],
  'runs/store#runOfSupplier': [runs.runOfSupplier({ code: 'SUP', name: 'r' })],
  'runs/store#supplierOfRuns': [runs.supplierOfRuns({ ...ofCaller, code: 'SUP' })],
  'runs/store#supplierByCode': [runs.supplierByCode({ code: 'SUP' })],
  'runs/store#newestRuns': [runs.newestRuns({ code: 'SUP', cursor: null, limit: 10 })],
  'runs/store#runNamed': [runs.runNamed({ code: 'SUP', name: 'r' })],
  'runs/store-errors#errorsOfRun': [runErrored.errorsOfRun({ id: 1 })],
  'runs/store#runsAfter': [runs.runsAfter({ code: 'SUP', after: '', limit: 10 })],
  'runs/store#insertRun': [runs.insertRun({ ...ofCaller, ...run, supplierId: 1, name: 'r' })],
  'runs/store#updateRun': [runs.updateRun({ ...ofCaller, ...run, id: 1, version: 1 })],
  'runs/store#auditRun': [runs.auditRun({ ...audited, id: 1, version: 1 })],
  'runs/store-totals#stagedPage': [totals.stagedPage(runPage)],
  'runs/store-totals#statusPage': [totals.statusPage(runPage)],
  'runs/store-totals#importedPage': [totals.importedPage(runPage)],
  'runs/store-totals#reportPage': [totals.reportPage({ ...runPage, status: null })],
  'runs/store-totals#importedOfPage': [totals.importedOfPage(runPage)],
  'runs/store-totals#listedAccounts': [totals.listedAccounts({ supplierId: 1, runId: 1, listed: totals.listedNumbers(['a']) })],
  'runs/store-undoable#undoPage': [undoable.undoPage({ ...runPage, since: 0 })],
  'runs/store-undo#undoBatch': undo.undoBatch(audited, { id: 1, supplierId: 1, name: 'r' }, [key], 0),
  'runs/store-undone#stillImported': [undone.stillImported({ keys: undone.undoKeys([key]) })],
  'runs/store-undone#takenBack': [undone.takenBack([{ supplierId: 1, externalAccountNumber: '' }], 0, 1)],
  'accounts/create/store#insertAccounts': accounts.insertAccounts([
    {
      id: 1,
      supplierId: 1,
      createdAt: now,
      periodFrom: '2026-01-01',
      cycleMonths: 1,
      cycleStartMonth: 1,
      cycleStartDay: 1,
      hasAllFields: 1,
      isListed: 1,
      balanceMinor: '0',
    },
  ]),
  'accounts/create/store#insertCustomers': accounts.insertCustomers([
    {
      accountId: 1,
      position: 0,
      givenName: null,
      familyName: null,
      email: null,
      mobile: null,
      mobileE164: null,
      landline: null,
      landlineE164: null,
      alternativePhoneNumbers: null,
      dateOfBirth: null,
      details: null,
    },
  ]),
  'console/store#endedSession': [sessions.endedSession({ id: 's' })],
  'console/store#endSession': [sessions.endSession({ id: 's', expiresAt: now })],
  'console/store#useCode': [sessions.useCode('d')],
  'console/store#forgetEndedSessions': [sessions.forgetEndedSessions({ now })],
  'accounts/create/store#payloadRows': [accounts.payloadRows([1])],
  'audit/store#auditWrite': [audit.auditWrite(entry)],
  'audit/store#auditEntry': [audit.auditEntry({ auditId: 1 })],
  'audit/store#auditPage': [audit.auditPage({}, 10)],
  'audit/store#auditPage actor': [audit.auditPage({ actor: 'a', from: 1, until: 2 }, 10)],
  'audit/store#auditPage action': [audit.auditPage({ action: 'supplier.changed' }, 10)],
  'audit/store#auditPage supplier': [audit.auditPage({ supplier: 'SUP' }, 10)],
  'audit/store#auditPage all': [audit.auditPage({ actor: 'a', action: 'supplier.changed', supplier: 'SUP' }, 10)],
  'import-processes/send/store#nextDue': backlog.nextDue([1], now, 10),
  'import-processes/send/store#moveBack': [backlog.moveBack({ supplierId: 1, cursor: 0 })],
  'import-processes/send/store#closingDue': [backlog.closingDue([1], now, 10)],
  'import-processes/send/store#dueOf': [backlog.dueOf([key], now)],
  'import-processes/send/store#markSent': [backlog.markSent([key], now)],
  'import-processes/claim/store#claimBatch': claims.claimBatch([key], 1, now, 500),
  'import-processes/claim/store#renewLease': [claims.renewLease([key], 1, now)],
  'import-processes/claim/store#heldBatch': claims.heldBatch([key], 1),
  'import-processes/claim/store-outcomes#finishBatch': outcomes.finishBatch(
    [{ ...key, externalAccountNumber: 'a', status: 'ERRORED', error: givingUp.GAVE_UP }],
    1,
    now,
    [],
  ),
  'import-processes/claim/store#releaseClaim': [claims.releaseClaim([key], 1, now, 'failed')],
  'import-processes/claim/store-giving-up#giveUp': givingUp.giveUp([key], now, now),
  'import-processes/claim/store-giving-up#countGivenUp': [givingUp.countGivenUp([key])],
  'import-processes/lists/store#openListBatch all': lists.openListBatch(caller, 'all', 'SUP', undefined, 10),
  'import-processes/lists/store#openListBatch pending': lists.openListBatch(caller, 'pending', 'SUP', undefined, 10).slice(1),
  'import-processes/lists/store#openListBatch imported': lists.openListBatch(caller, 'imported', 'SUP', undefined, 10).slice(1),
  'import-processes/lists/store#nextPage all': [lists.nextPage('all', 1, 0, 10)],
  'import-processes/lists/store#nextPage pending': [lists.nextPage('pending', 1, 0, 10)],
  'import-processes/lists/store#nextPage imported': [lists.nextPage('imported', 1, 0, 10)],
  'import-processes/status/store#readProcess': [read.readProcess(caller, 'SUP', 'a')],
  'import-processes/retention/store#nextWalk': [retention.nextWalk({ now })],
  'import-processes/retention/store#finishedProcesses': [retention.finishedProcesses(walk, now)],
  'import-processes/retention/store#reduceTo': retention.reduceTo(walk, [[1, '{}']], now),
  'import-processes/retention/store#postponeWalk': [retention.postponeWalk(walk, now)],
  'import-processes/retention/store#moveWalk': [retention.moveWalk(walk, 1, now), retention.moveWalk(walk, 'end', now)],
  'import-processes/stage/store-known#processesOfCaller': [
    known.processesOfCaller(caller, [{ supplierCode: 'SUP', externalAccountNumber: 'a' }]),
  ],
  'import-processes/stage/store-known#readUnchanged': [
    known.readUnchanged({ versions: known.versions.value([{ id: 1, version: 1 }]), apiKeyId: 'key_1' }),
  ],
  'import-processes/stage/store#stagingBatch': staging.stagingBatch(
    {
      writes: [
        { supplierId: 1, account: staged, replaced: undefined, at: now, sentAt: now },
        { supplierId: 1, account: staged, replaced: existing, at: now, sentAt: now },
      ],
      reads: [{ supplierId: 1, externalAccountNumber: 'b' }],
      bodies: [key],
      suppliers: new Map([[1, 1]]),
      now,
    },
    caller,
  ),
  'import-processes/sweep/store#expiredLeases': [sweep.expiredLeases(now)],
  'import-processes/sweep/store#releaseExpired': [sweep.releaseExpired([key], now)],
  'import-processes/sweep/store#waitingSuppliers': [sweep.waitingSuppliers(now)],
  'import-processes/sweep/store#cancelClosed': sweep.cancelClosed([1], now, now),
  'import-processes/sweep/store#cancelUnderComplete': sweep.cancelUnderComplete([1], now),
  'import-processes/cancel/store#cancelProcess': cancels.cancelProcess(1, 'a', now),
  'import-processes/cancel/store#cancelOfCaller': cancels.cancelOfCaller(caller, 'SUP', 'a', now),
  'import-processes/retry/store#retryProcess': retries.retryProcess(1, 'a', now),
  'import-processes/retry/store#retryProcesses': retries.retryProcesses({ auditId: 1, supplierId: 1, ids: [1], code: 'x' }, now),
  'import-processes/retry/store#leftOutWithCode': [retries.leftOutWithCode({ supplierId: 1, code: 'x', now })],
  'import-processes/retry/store#leftOutOf': [retries.leftOutOf(1, [1], now)],
  'events/store-recording#recordWrite': [
    recording.recordWrite({ supplierId: 1, now, type: 'import_supplier.changed', data: { status: 'Paused' } }),
  ],
  'events/store-recording#recordCount': [
    recording.recordCount({
      supplierId: 1,
      now,
      type: 'notes.added',
      data: { external_account_number: 'a', platform_account_number: 'A-00000001' },
    }),
  ],
  'events/store#feedOfCaller': [events.feedOfCaller({ ...ofCaller, code: 'SUP' })],
  'events/store#wholeFeed': [events.wholeFeed({})],
  'events/store#scanned': [events.scanned({ after: 1 })],
  'events/store#eventsAfter': [events.eventsAfter({ after: 1, supplierId: 1, limit: 10 })],
  'events/store#forgetEvents': [events.forgetEvents({ now })],
  'notes/store#insertNotes': notes.insertNotes([note]),
  'notes/store#addingNotes': notes.addingNotes(caller, twice({ target, notes: [{ row: note, isDated: false, movedBody: 'b' }], now }))
    .queries,
  'health/store#appliedMigrations': [readiness.appliedMigrations({})],
  'health/store#lastBeat': [readiness.lastBeat({ name: 'sweep' })],
  'health/store#beat': [readiness.beat({ name: 'sweep', at: now })],
  'health/store#latestRestore': [readiness.latestRestore({})],
  'operator/restores/store#lastId': [restores.lastId({})],
  'operator/restores/store#newestStaged': [restores.newestStaged({})],
  'operator/restores/store#auditRestore': [restores.auditRestore({ ...audited, epoch: 1 })],
  'operator/restores/store#finishRestore': restores.finishRestore({
    auditId: 1,
    epoch: 1,
    restoredTo: now,
    finishedAt: now,
    lastId: 1,
  }),
  'operator/health/store#oldestPending': [health.oldestPending({ now })],
  'operator/health/store#expiredLeases': [health.expiredLeases({ now })],
  'operator/health/store#openDeadLetters': [health.openDeadLetters({})],
  'operator/health/store#deadLetterPage': [health.deadLetterPage({ limit: 10, cursor: null })],
  'operator/health/store#deadLetterById': [health.deadLetterById({ messageId: 'm' })],
  'operator/health/store#erroredOf': [health.erroredOf(1, [1], now)],
  'operator/health/store#auditDismissal': [health.auditDismissal({ ...audited, messageId: 'm' })],
  'operator/health/store#auditRedrive': [health.auditRedrive({ ...audited, messageId: 'm', supplierId: 1 })],
  'operator/health/store#markRedriven': [health.markRedriven({ auditId: 1, messageId: 'm', now })],
  'operator/health/store#markDismissed': [health.markDismissed({ auditId: 1, messageId: 'm', now })],
  ...Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      `operator/processes/store-pages#processPage ${name}`,
      [pages.processPage(1, { ...noFilter, ...filter }, 10)],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(counted).map(([name, filter]) => [
      `operator/processes/store-pages#processCount ${name}`,
      [pages.processCount(1, { ...noFilter, ...filter }, 10)],
    ]),
  ),
  'operator/processes/store-pages#processNamed': [pages.processNamed({ supplierId: 1, externalAccountNumber: 'a' })],
  'operator/processes/store#processByNumber': [processes.processByNumber(process)],
  'operator/processes/store#numberKey': [processes.numberKey({})],
  'operator/processes/store#processOfAccount': [processes.processOfAccount({ id: 1, accountNumber: 'A-00000001' })],
  'operator/processes/store#eventsOf': [processes.eventsOf(process)],
  'operator/processes/store#auditCancellation': [processes.auditCancellation({ ...audited, supplierId: 1, externalAccountNumber: 'a' })],
  'operator/processes/store#auditRetry': [processes.auditRetry({ ...audited, supplierId: 1, externalAccountNumber: 'a', now })],
  'operator/processes/store#auditRetries': [processes.auditRetries({ ...audited, supplierId: 1 })],
  'operator/processes/store#auditReveal': [processes.auditReveal({ ...audited, ...process })],
  'operator/processes/store-errors#errorCounts': [errors.errorCounts({ supplierId: 1 })],
  'operator/processes/store-errors#fieldErrorCounts': [errors.fieldErrorCounts(1)],
  'operator/processes/store-errors#fieldErrorGroups': [errors.fieldErrorGroups(1)],
  'operator/suppliers/store-progress#supplierSince': [supplierProgress.supplierSince({ code: 'SUP' })],
  'operator/suppliers/store-progress#importsInSpans': [supplierProgress.importsInSpans({ supplierId: 1, minute: 1, width: 15 })],
  'operator/suppliers/store-progress#firstWaiting': [supplierProgress.firstWaiting({ supplierId: 1, now, limit: 10 })],
  'operator/suppliers/store-progress#changedBy': [supplierProgress.changedBy({ subject: 'supplier SUP', from: 1, to: 2 })],
  'operator/processes/store-errors#newestWithCode': [errors.newestWithCode({ supplierId: 1, code: 'x' })],
  'operator/processes/store-errors#retryable': [errors.retryable({ ...range, limit: 10 })],
  'operator/processes/store-errors#retryableCount': [errors.retryableCount(range)],
  'operator/processes/store#importsSince': [processes.importsSince({ supplierId: 1, minute: 1 })],
  'operator/processes/store#allImportsSince': [processes.allImportsSince({ minute: 1 })],
  'operator/processes/store-search#searchPage': [
    search.searchPage({ prefix: 'a', end: 'b', afterCode: 'SUP', afterNumber: 'a', limit: 10 }),
  ],
  'operator/processes/store-search#searchNamed': [search.searchNamed({ code: 'SUP', externalAccountNumber: 'a' })],
  'account-reading/store#accountsById': [...reading.accountsById([1, 2])],
  'account-reading/store#accountByPair': [...reading.accountByPair('SUP', 'a')],
  'account-reading/store#accountNumberKey': [reading.accountNumberKey({})],
  'account-reading/store-changes#accountNumbered': [changes.accountNumbered({ id: 1, accountNumber: 'A-00000001' })],
  'account-reading/store-changes#documentKeys': [changes.documentKeys({ id: 1 })],
  'account-reading/store-changes#auditLook': [changes.auditLook({ ...audited, id: 1, accountNumber: 'A-00000001' })],
  'account-reading/store-changes#auditEnd': [
    changes.auditEnd({ ...audited, accountId: 1, type: 'CARD', vendor: 'V', reference: 'r', createdAt: 1 }),
  ],
  'account-reading/store-changes#endInstruction': [changes.endInstruction({ accountId: 1, type: 'CARD', createdAt: 1, now, auditId: 1 })],
  'refusals/store#addRefused': [refusals.addRefused([{ supplierId: 1, refused: 1 }], 1)],
  'refusals/store#addCounts': refusals.addCounts([{ supplierId: 1, code: 'invalid', attr: 'notes', accounts: 1, examples: [] }], 1),
  'refusals/store#addRefusedOfRuns': refusals.addRefusedOfRuns([{ supplierId: 1, runId: 1, refused: 1 }]),
  'refusals/store#addCountsOfRuns': refusals.addCountsOfRuns([{ supplierId: 1, runId: 1, code: 'invalid', attr: 'notes', accounts: 1 }], 1),
  'refusals/store#countsOfRun': [refusals.countsOfRun({ supplierId: 1, runId: 1, limit: 1 })],
  'refusals/store#forgetRefusalsOfRuns': [refusals.forgetRefusalsOfRuns({ supplierId: 1, minute: 1 })],
  'refusals/store#refusedSince': [refusals.refusedSince({ minute: 1 })],
  'refusals/store#refusedOf': [refusals.refusedOf({ code: 'SUP', minute: 1 })],
  'refusals/store#countsOf': [refusals.countsOf({ code: 'SUP', minute: 1, limit: 1 })],
  'refusals/store#examplesOf': [refusals.examplesOf({ code: 'SUP', minute: 1, limit: 1 })],
  'refusals/store#forgetRefusals': [refusals.forgetRefusals({ supplierId: 1, minute: 1 })],
  'erasure/store#processOfPair': [erasure.processOfPair({ code: 'SUP', externalAccountNumber: 'a' })],
  'erasure/store#auditAccount': [
    erasure.auditAccount({ ...audited, supplierId: 1, id: 1, accountNumber: 'A-00000001', transactions: 1, statements: 1, notes: 1 }),
  ],
  'erasure/store#auditProcess': [erasure.auditProcess({ ...audited, supplierId: 1, id: 1 })],
  'erasure/store#listErased': [erasure.listErased({ ...erased, now })],
  'import-processes/erase/store#markErased': [marks.markErased({ ...erased, now })],
  'erasure/store#erasePayload': [erasure.erasePayload({ ...erased, now, body: '{}' })],
  'erasure/store#eraseEvents': [erasure.eraseEvents(erased)],
  'erasure/store#eraseCustomers': [erasure.eraseCustomers(erased)],
  'erasure/store#eraseNotes': [erasure.eraseNotes(erased)],
  'erasure/store#eraseInstructions': [erasure.eraseInstructions(erased)],
  'erasure/store#eraseTransactions': erasure.eraseTransactions(erased, [{ transactionId: 't', addition: 0, imported: '{}' }]),
  'erasure/store#eraseStatements': erasure.eraseStatements(erased, [{ statementId: 's', content: '{}' }]),
  'accounts/commits/store#insertCommit': [commits.insertCommit({ now, supplierId: 1, firstId: 1, accountIds: '[1]' })],
  'accounts/commits/store#insertUnlisted': [commits.insertUnlisted({ now })],
  'accounts/commits/store#markListed': [commits.markListed({})],
  'platform/store#commitsFrom': [platform.commitsFrom({ commit: 0, limit: 10 })],
  'platform/store#supplierIdOf': [platform.supplierIdOf({ code: 'SUP' })],
  'platform/store#sizesOf': [platform.sizesOf({ wanted: platform.wantedIds([1, 2]) })],
  'progress/store#suppliersOfCaller': [progress.suppliersOfCaller({ ...ofCaller, code: null })],
  'progress/store#countsOfCaller': [progress.countsOfCaller({ ...ofCaller, code: 'SUP' })],
  'progress/store#openProcesses': [progress.openProcesses({ ...ofCaller, code: 'SUP', cursor: 'a', run: 'r' })],
  'progress/store#processesOfRun': [progress.processesOfRun({ supplierId: 1, afterId: 0, limit: 10, runId: 1, upTo: 9, status: null })],
  'progress/store#processesAfter': [progress.processesAfter({ supplierId: 1, afterId: 0, limit: 10 })],
  'progress/store#openProcessesAfter': [progress.openProcessesAfter({ supplierId: 1, afterId: 0, limit: 10, status: 0 })],
  'operator/suppliers/store#supplierByCode': [suppliers.supplierByCode({ code: 'SUP' })],
  'operator/suppliers/store#allSuppliers': [suppliers.allSuppliers({})],
  'operator/suppliers/store#suppliersNamed': [suppliers.suppliersNamed({ text: 'north', limit: 20 })],
  'operator/suppliers/store#supplierPage': [suppliers.supplierPage({ limit: 10, cursor: 'SUP' })],
  'operator/suppliers/store-counts#countsOfSuppliers': [counts.countsOfSuppliers([1])],
  'operator/suppliers/store-counts#allCounts': [counts.allCounts({})],
  'operator/suppliers/store-counts#countsByCode': [counts.countsByCode({ code: 'SUP' })],
  'operator/suppliers/store#organisationExists': [suppliers.organisationExists({ organisationId: 'org_1' })],
  'operator/suppliers/store#documentRoots': [suppliers.documentRoots({})],
  'operator/suppliers/store#auditCreation': [suppliers.auditCreation({ ...audited, code: 'SUP', organisationId: 'org_1', root: 'SUP' })],
  'operator/suppliers/store#insertSupplier': [
    suppliers.insertSupplier({ auditId: 1, organisationId: 'org_1', code: 'SUP', name: 'S', configuration: '{}', now }),
  ],
  'operator/suppliers/store#auditChange': [suppliers.auditChange({ ...audited, id: 1, version: 1 })],
  'operator/suppliers/store#auditChangeOfRoot': [
    suppliers.auditChangeOfRoot({ ...audited, id: 1, version: 1, organisationId: 'org_1', root: 'SUP' }),
  ],
  'operator/suppliers/store#updateSupplier': [
    suppliers.updateSupplier({
      auditId: 1,
      id: 1,
      version: 1,
      name: 'S',
      status: 'Paused',
      configuration: '{}',
      resumedAt: null,
      now,
    }),
  ],
  'operator/alerts/store#stuckSuppliers': [alertStore.stuckSuppliers({ now, before: now, minute: 1 })],
  'operator/alerts/store#recentWrong': [alertStore.recentWrong({ minute: 1 })],
  'operator/alerts/store#acceptedSince': [alertStore.acceptedSince({ supplierId: 1, since: now, most: 81 })],
  'operator/alerts/store#disabledWebhooks': [alertStore.disabledWebhooks({ since: now })],
  'operator/alerts/store#alertById': [alertStore.alertById({ id: 'alr_1' })],
  'operator/alerts/store#firingAlerts': [alertStore.firingAlerts({})],
  'operator/alerts/store#alertPage': [alertStore.alertPage({ limit: 10, cursor: 'alr_1', isFiringOnly: 0 })],
  'operator/alerts/store#beginAlert': [alertStore.beginAlert({ id: 'alr_1', rule: 'r', supplier: '', now, details: '{}' })],
  'operator/alerts/store#updateAlert': [alertStore.updateAlert({ id: 'alr_1', details: '{}' })],
  'operator/alerts/store#endAlert': [alertStore.endAlert({ id: 'alr_1', now })],
  'operator/alerts/store#announceAlert': [alertStore.announceAlert({ id: 'alr_1', now })],
  'operator/alerts/store#forgetAlerts': [alertStore.forgetAlerts({ before: now })],
  'operator/alerts/store-addresses#addressById': [alertAddresses.addressById({ id: 'ala_1' })],
  'operator/alerts/store-addresses#addressPage': [alertAddresses.addressPage({ limit: 10, cursor: 'ala_1' })],
  'operator/alerts/store-addresses#auditAddress': [alertAddresses.auditAddress({ ...audited, most: 20 })],
  'operator/alerts/store-addresses#insertAddress': [alertAddresses.insertAddress({ auditId: 1, id: 'ala_1', url: 'u', createdAt: now })],
  'operator/alerts/store-addresses#auditRemoval': [alertAddresses.auditRemoval({ ...audited, id: 'ala_1' })],
  'operator/alerts/store-addresses#deleteDeliveries': [alertAddresses.deleteDeliveries({ auditId: 1, id: 'ala_1' })],
  'operator/alerts/store-addresses#deleteAddress': [alertAddresses.deleteAddress({ auditId: 1, id: 'ala_1' })],
  'operator/alerts/store-addresses#dueDeliveries': [alertAddresses.dueDeliveries({ now, limit: 10 })],
  'operator/alerts/store-addresses#deliveryDone': [alertAddresses.deliveryDone({ alertId: 'a', addressId: 'b', event: 'e' })],
  'operator/alerts/store-addresses#deliveryAgain': [
    alertAddresses.deliveryAgain({ alertId: 'a', addressId: 'b', event: 'e', nextAt: now, attempts: 1 }),
  ],
  'operator/alerts/store-addresses#addressTook': [alertAddresses.addressTook({ id: 'ala_1', now })],
  'operator/alerts/store-addresses#addressFailed': [alertAddresses.addressFailed({ id: 'ala_1', now, failure: 'f' })],
  'operator/tokens/store#operatorTokenById': [operatorTokens.operatorTokenById({ id: 'opt_1' })],
  'operator/tokens/store#operatorTokenByHash': [operatorTokens.operatorTokenByHash({ hash: 'h' })],
  'operator/tokens/store#operatorTokenPage': [operatorTokens.operatorTokenPage({ limit: 10, cursor: 'opt_1' })],
  'operator/tokens/store#auditOperatorToken': [operatorTokens.auditOperatorToken({ ...audited, name: 'n' })],
  'operator/tokens/store#insertOperatorToken': [
    operatorTokens.insertOperatorToken({ auditId: 1, id: 'opt_1', name: 'n', role: 'read', hash: 'h', lastFour: 'abcd', createdAt: now }),
  ],
  'operator/tokens/store#auditOperatorTokenRevocation': [operatorTokens.auditOperatorTokenRevocation({ ...audited, id: 'opt_1' })],
  'operator/tokens/store#revokeToken': [operatorTokens.revokeToken({ auditId: 1, id: 'opt_1', now })],
  'organisations/store#insertOrganisation': [organisations.insertOrganisation({ id: 'org_1', name: 'O', createdAt: now, isTest: 0 })],
  'organisations/store#allOrganisations': [organisations.allOrganisations({})],
  'organisations/store#organisationPage': [organisations.organisationPage({ limit: 10, cursor: 'org_1' })],
  'organisations/store#organisationById': [organisations.organisationById({ organisationId: 'org_1' })],
  'organisations/store#auditApiKey': [organisations.auditApiKey({ ...audited, organisationId: 'org_1' })],
  'organisations/store#insertApiKey': [
    organisations.insertApiKey({
      auditId: 1,
      id: 'key_1',
      organisationId: 'org_1',
      label: 'l',
      hash: 'h',
      lastFour: 'abcd',
      createdAt: now,
      expiresAt: null,
      isReadOnly: 0,
    }),
  ],
  'organisations/store#apiKeyPage': [organisations.apiKeyPage({ organisationId: 'org_1', limit: 10, cursor: 'key_1' })],
  'organisations/store#apiKeysEnding': [organisations.apiKeysEnding({ lastFour: 'wxyz', limit: 20 })],
  'organisations/store#apiKeyNamed': [organisations.apiKeyNamed({ organisationId: 'org_1', id: 'key_1' })],
  'organisations/store#apiKeyById': [organisations.apiKeyById({ id: 'key_1' })],
  'organisations/store#auditRevocation': [organisations.auditRevocation({ ...audited, id: 'key_1' })],
  'organisations/store#revokeKey': [organisations.revokeKey({ auditId: 1, id: 'key_1', now })],
  'payment-instructions/store#insertPaymentInstructions': instructions.insertPaymentInstructions([{ ...instruction, position: 1 }]),
  'payment-instructions/store#loadState': ({ deps }) => instructions.loadState(deps, caller, { ...pair, type: 'CARD' }),
  'payment-instructions/store#storeActive': ({ deps }) => instructions.storeActive(deps, target, instruction),
  'queues/store#bury': [queues.bury({ queue: 'q', messageId: 'm', message: '{}', failedAt: now })],
  'statements/store#insertStatements': statements.insertStatements([row]),
  'statements/store#addingStatements': statements.addingStatements(caller, twice({ target, rows: [row], now })).queries,
  'tokens/store#activeKey': [tokens.activeKey(caller)],
  'tokens/store#ownerOfKey': [tokens.ownerOfKey({ keyHash: 'h' })],
  'tokens/store#ownerOfRefreshToken': [tokens.ownerOfRefreshToken({ hash: 'h', now })],
  'tokens/store#storeRefreshToken': ({ db }) => tokens.storeRefreshToken(db, 'h', fresh),
  'tokens/store#exchangeRefreshToken': ({ db }) => tokens.exchangeRefreshToken(db, 'h', fresh),
  'tokens/store#forgetRefreshTokens': [tokens.forgetRefreshTokens({ before: now })],
  'transactions/store#insertTransactions': transactions.insertTransactions([transaction]),
  'transactions/store#addingPostings checked': transactions.addingPostings(caller, twice({ target, posting: posting(true) })).queries,
  'transactions/store#addingPostings unchecked': transactions.addingPostings(caller, twice({ target, posting: posting(false) })).queries,
  'webhooks/store#webhooksOfCaller': [webhooks.webhooksOfCaller({ ...caller, id: null })],
  'webhooks/store#codesOfCaller': [webhooks.codesOfCaller({ ...caller, codes: '["SUP"]' })],
  'webhooks/store#insertWebhook': [
    webhooks.insertWebhook({ ...caller, id: 'whk_1', url: 'https://h.example', supplierCodes: null, types: null, now, most: 20 }),
  ],
  'webhooks/store#changeWebhook': [
    webhooks.changeWebhook({
      ...caller,
      id: 'whk_1',
      url: null,
      givesSuppliers: 1,
      supplierCodes: '["SUP"]',
      givesTypes: 0,
      types: null,
      isEnabled: 1,
    }),
  ],
  'webhooks/store#tryAgain': [webhooks.tryAgain({ ...caller, id: 'whk_1' })],
  'webhooks/store#dropFiltered': [webhooks.dropFiltered({ ...caller, id: 'whk_1' })],
  'webhooks/store#rotateSecret': [webhooks.rotateSecret({ ...caller, id: 'whk_1', generation: 1, now })],
  'webhooks/store#replayFrom': [webhooks.replayFrom({ ...caller, id: 'whk_1', after: 1, now })],
  'webhooks/store#deleteCursors': [webhooks.deleteCursors({ ...caller, id: 'whk_1' })],
  'webhooks/store#deleteWebhook': [webhooks.deleteWebhook({ ...caller, id: 'whk_1' })],
  'webhooks/store-deliveries#addCursors': [deliveries.addCursors({ id: null })],
  'webhooks/store-deliveries#markNew': [deliveries.markNew({})],
  'webhooks/store-deliveries#moveWalk': [deliveries.moveWalk({})],
  'webhooks/store-deliveries#waitingCursors': [deliveries.waitingCursors({ now, limit: 10 })],
  'webhooks/store-deliveries#claimCursor': [deliveries.claimCursor({ ...cursorOfWebhook, now, until: now })],
  'webhooks/store-deliveries#claimedCursor': [deliveries.claimedCursor(cursorOfWebhook)],
  'webhooks/store-deliveries#advanceCursor': [deliveries.advanceCursor({ ...cursorOfWebhook, afterId: 1, occurredAt: now, until: now })],
  'webhooks/store-deliveries#releaseCursor': [deliveries.releaseCursor({ ...cursorOfWebhook, now })],
  'webhooks/store-deliveries#delayCursor': [deliveries.delayCursor({ ...cursorOfWebhook, now, nextAt: now, afterId: 1 })],
  'webhooks/store-deliveries#webhookTook': [deliveries.webhookTook({ id: 'whk_1', now })],
  'webhooks/store-deliveries#webhookFailed': [
    deliveries.webhookFailed({ ...cursorOfWebhook, now, failure: 'time_out', disabledReason: null }),
  ],
};

/** Every statement with the name of its builder, in the order of its batch. */
export async function everyQuery(): Promise<{ name: string; statement: Query }[]> {
  const all: { name: string; statement: Query }[] = [];
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const recording = recorder();
    if (typeof sample === 'function') await sample(recording);
    const sent = typeof sample === 'function' ? recording.sent : sample;
    sent.forEach((statement, index) => {
      all.push({ name: sent.length > 1 ? `${name} ${index + 1}` : name, statement });
    });
  }
  return all;
}

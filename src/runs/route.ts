import { sourceOf } from '../bulk';
import type { AppContext } from '../http/app';
import { encodingOf, IDENTITY } from '../http/body';
import { NDJSON } from '../http/endpoint';
import { linesReply, readsLines } from '../http/lines';
import { linkToNext, numberIn } from '../http/number-cursor';
import { pageOf, pageReply } from '../http/page';
import {
  authenticationFailed,
  invalidTransition,
  notFound,
  parseError,
  payloadTooLarge,
  totalsDiffer,
  validationFailed,
} from '../http/replies';
import { route } from '../http/route';
import { textStream } from '../http/stream';
import { MAX_BULK_BYTES } from '../shared/sizes';
import { unreachable } from '../shared/unreachable';
import { cancelRun } from './cancel';
import { holdRun, putRun, type RunChanged, releaseRun } from './change';
import { compareWithList } from './compare';
import * as declared from './endpoints';
import { type Asker, countRun, type FoundRun, findRun, listRuns, listRunsOfSupplier, type Missing, type RunPath } from './read';
import { reconcileRun } from './reconcile';
import { reportOf } from './report';
import { undoRun } from './undo';
import { countsView, differencesView, notUndoneView, reconciliationView, runView } from './views';

const DEFAULT_LIMIT = 100;

/** Who asks: behind `importer` the caller of its key, behind `operator` the operator. */
const askerOf = ({ var: { caller, operator } }: AppContext): Asker => operator ?? caller;
/** The run that the path names: its supplier has another parameter at the operator interface. */
const pathOf = (path: { readonly run: string } & ({ readonly import_supplier_code: string } | { readonly code: string })): RunPath => ({
  code: 'code' in path ? path.code : path.import_supplier_code,
  name: path.run,
});

const missing = (c: AppContext, { kind }: Missing): Response => (kind === 'unauthenticated' ? authenticationFailed(c) : notFound(c));

const oneRun = async (c: AppContext, found: FoundRun, more: object = {}, status: 200 | 201 = 200): Promise<Response> =>
  c.json({ ...runView(found.run), counts: countsView(await countRun(c.var.deps, found)), ...more }, status);

function changedReply(c: AppContext, outcome: RunChanged): Response | Promise<Response> {
  switch (outcome.kind) {
    case 'unauthenticated':
    case 'not_found':
      return missing(c, outcome);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'differs':
      return totalsDiffer(c, differencesView(outcome.differences));
    case 'changed':
      return oneRun(c, outcome.found, {}, outcome.isNew ? 201 : 200);
    default:
      return unreachable(outcome);
  }
}

/** Ours: `PUT /v2/data-import/runs/<code>/<run>/` makes a run or changes it. 200, 201, 400, 401, 404. */
export const putOneRun = route(declared.putRun, async (c) =>
  changedReply(c, await putRun(c.var.deps, c.var.caller, pathOf(c.req.valid('param')), c.var.body.value)),
);

async function runReply(c: AppContext, path: RunPath): Promise<Response> {
  const found = await findRun(c.var.deps, askerOf(c), path);
  return found.kind === 'found' ? oneRun(c, found) : missing(c, found);
}

/** Ours: `GET …/`: the run, and how many of its accounts have each status. 200, 401, 404. */
export const getRun = route(declared.getRun, (c) => runReply(c, pathOf(c.req.valid('param'))));
export const getRunOfOperator = route(declared.operatorGetRun, (c) => runReply(c, pathOf(c.req.valid('param'))));

/** Ours: `GET /v2/data-import/runs/<code>/?limit=&cursor=`: by their names. 200, 400, 401, 404. */
export const getRuns = route(declared.listRuns, async (c) => {
  const { limit = DEFAULT_LIMIT, cursor } = c.req.valid('query');
  const page = await listRuns(c.var.deps, askerOf(c), c.req.valid('param').import_supplier_code, limit, numberIn(cursor));
  if (page.kind !== 'page') return missing(c, page);
  if (page.cursor !== undefined) c.header('Link', linkToNext(c, { limit: String(limit) }, page.cursor));
  return c.json(page.runs.map(runView));
});

/** `GET /operator/v1/suppliers/{code}/runs/?limit=&cursor=`: newest first. 200, 400, 401, 404. */
export const getRunsOfOperator = route(declared.operatorListRuns, async (c) => {
  const page = await listRunsOfSupplier(c.var.deps, c.req.valid('param').code, pageOf(c.req.valid('query')));
  return page ? pageReply(c, page, runView) : notFound(c);
});

const releasedReply = async (c: AppContext, path: RunPath): Promise<Response> =>
  changedReply(c, await releaseRun(c.var.deps, askerOf(c), path, c.var.body.value));

/** Ours: `POST …/release/` {`accounts?`, `require_match?`}. 200, 400, 401, 404, 409. */
export const postRelease = route(declared.releaseRun, (c) => releasedReply(c, pathOf(c.req.valid('param'))));
export const postReleaseOfOperator = route(declared.operatorReleaseRun, (c) => releasedReply(c, pathOf(c.req.valid('param'))));

const heldReply = async (c: AppContext, path: RunPath): Promise<Response> => changedReply(c, await holdRun(c.var.deps, askerOf(c), path));

/** Ours: `POST …/hold/`. 200, 401, 404. */
export const postHold = route(declared.holdRun, (c) => heldReply(c, pathOf(c.req.valid('param'))));
export const postHoldOfOperator = route(declared.operatorHoldRun, (c) => heldReply(c, pathOf(c.req.valid('param'))));

async function cancelledReply(c: AppContext, path: RunPath): Promise<Response> {
  const outcome = await cancelRun(c.var.deps, askerOf(c), path);
  if (outcome.kind !== 'cancelled') return missing(c, outcome);
  return oneRun(c, outcome.found, { cancelled: outcome.cancelled, is_done: outcome.isDone });
}

/** Ours: `POST …/cancel/`: 200 with how many were cancelled, and whether those were all; 401, 404. */
export const postCancelRun = route(declared.cancelRun, (c) => cancelledReply(c, pathOf(c.req.valid('param'))));
export const postCancelRunOfOperator = route(declared.operatorCancelRun, (c) => cancelledReply(c, pathOf(c.req.valid('param'))));

async function reconciledReply(c: AppContext, path: RunPath): Promise<Response> {
  const found = await findRun(c.var.deps, askerOf(c), path);
  return found.kind === 'found' ? c.json(reconciliationView(await reconcileRun(c.var.deps, found))) : missing(c, found);
}

/** Ours: `GET …/reconciliation/`: declared, staged and imported totals, and where they differ. 200, 401, 404. */
export const getReconciliation = route(declared.reconcileRun, (c) => reconciledReply(c, pathOf(c.req.valid('param'))));
export const getReconciliationOfOperator = route(declared.operatorReconcileRun, (c) => reconciledReply(c, pathOf(c.req.valid('param'))));

/** Ours: `POST …/reconciliation/` with the importer's own list, NDJSON: 200 with what differs, line by line; 400, 401, 404, 413, 415. */
export const postReconciliation = route(
  declared.compareRun,
  async (c) => {
    const found = await findRun(c.var.deps, c.var.caller, pathOf(c.req.valid('param')));
    if (found.kind !== 'found') return missing(c, found);
    const source = await sourceOf(c.req.raw.body, encodingOf(c.req.raw.headers) !== IDENTITY);
    const pieces = compareWithList(c.var.deps, found, source);
    // Until something is answered, a status can still say what is wrong with the whole body.
    const first = await pieces.next();
    if (!first.done) return linesReply(c.var.deps, first.value, pieces);
    if (first.value === 'too_large') return payloadTooLarge(c, MAX_BULK_BYTES);
    return parseError(c, 'The body ended in the middle, or is not what its Content-Encoding says.');
  },
  readsLines(declared.compareRun.body, MAX_BULK_BYTES),
);

/** Ours: `GET …/report/?status=`: every account of the run, NDJSON, or CSV where `Accept` asks for it. 200, 400, 401, 404. */
export const getReport = route(declared.reportRun, (c) => reportReply(c, pathOf(c.req.valid('param')), c.req.valid('query').status));
export const getReportOfOperator = route(declared.operatorReportRun, (c) =>
  reportReply(c, pathOf(c.req.valid('param')), c.req.valid('query').status),
);

async function reportReply(c: AppContext, path: RunPath, status: Parameters<typeof reportOf>[3]): Promise<Response> {
  const found = await findRun(c.var.deps, askerOf(c), path);
  if (found.kind !== 'found') return missing(c, found);
  const isCsv = /\btext\/csv\b/i.test(c.req.header('Accept') ?? '');
  const pieces = reportOf(c.var.deps, found, isCsv ? 'csv' : 'ndjson', status);
  return new Response(textStream(c.var.deps, pieces), { headers: { 'Content-Type': isCsv ? declared.CSV : NDJSON } });
}

/** `POST /operator/v1/suppliers/{code}/runs/{run}/undo/` {`reason`}: 200 with how many were undone; 400, 401, 404, 409. */
export const postUndo = route(declared.undoRun, async (c) => {
  const outcome = await undoRun(c.var.deps, c.var.operator, pathOf(c.req.valid('param')), c.var.body.value);
  switch (outcome.kind) {
    case 'not_found':
      return notFound(c);
    case 'invalid':
      return validationFailed(c, outcome.errors);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    case 'undone':
      return c.json({
        undone: outcome.undone,
        not_undone_count: outcome.notUndoneCount,
        not_undone: outcome.notUndone.map(notUndoneView),
        is_done: outcome.isDone,
      });
    default:
      return unreachable(outcome);
  }
});

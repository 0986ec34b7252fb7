/**
 * Makes and changes runs. Each change of a run's state is one function here; whoever changes it at the same time is noticed by its
 * version, and the change is decided anew.
 */

import type * as z from 'zod';
import { auditId, auditValues } from '../audit';
import { commit, query, type Write } from '../db';
import type { Deps } from '../deps';
import { recordWrite } from '../events';
import { lastOfFirst, sendReleased } from '../import-processes';
import { type FieldError, fieldError, inPayloadOrder } from '../shared/errors';
import { type Draft, parse } from '../shared/parse';
import { undocumentedPaths } from '../shared/undocumented';
import { type Asker, type FoundRun, findRun, findSupplierAndRun, isOperating, type Missing, type Operating, type RunPath } from './read';
import { stagedTotals } from './reconcile';
import { ALL, changed, type HeldReason, held, isSameState, NEW_RUN, type RunState, released, releasedUpTo } from './rules';
import { type Difference, expectedOf, stagedDifferences, storedExpected, totalsIn } from './rules-totals';
import { releaseBody, runBody, runName } from './schema';
import { auditRun, insertRun, type RunRow, updateRun } from './store';

export type RunChanged =
  | Missing
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'differs'; readonly differences: readonly Difference[] }
  /** `isNew`: it was made by this very request. */
  | { readonly kind: 'changed'; readonly found: FoundRun; readonly isNew: boolean };

/** How often a change is decided anew because others change the run meanwhile; more than this in a row is broken. */
const MAX_TRIES = 8;

/** Makes a run, or changes what the body gives. Other fields than the documented are refused: a slip of a name would start what was to wait. */
export async function putRun(deps: Deps, asker: Asker, path: RunPath, raw: unknown): Promise<RunChanged> {
  const { draft, errors } = parse(runBody, raw);
  const found = await findSupplierAndRun(deps, asker, path);
  if (found.kind === 'unauthenticated') return found;
  const wrong = [...nameErrors(path), ...inPayloadOrder(raw, [...errors, ...unknownFields(runBody, raw)])];
  if (wrong.length > 0) return { kind: 'invalid', errors: wrong };
  if (found.kind === 'not_found') return found;
  const expected = draft.expected === undefined ? undefined : storedExpected(totalsIn(draft.expected));
  const isNew = found.run === null && (await makeRun(deps, asker, found.supplier.id, path, draft, expected));
  const outcome = await changeRun(deps, asker, path, (run) => changed(run, draft, expected));
  return outcome.kind === 'changed' ? { ...outcome, isNew } : outcome;
}

const nameErrors = ({ name }: RunPath): FieldError[] => parse(runName, { run: name }).errors;

const unknownFields = (schema: z.ZodType, raw: unknown): FieldError[] =>
  undocumentedPaths(schema, raw).map((path) => fieldError(path, 'invalid', 'There is no such setting.'));

/** Answers whether the run is as this request makes it: nobody made it meanwhile. */
async function makeRun(
  deps: Deps,
  asker: Asker,
  supplierId: number,
  { code, name }: RunPath,
  body: Draft<z.output<typeof runBody>>,
  expected: string | null | undefined,
): Promise<boolean> {
  const now = deps.now();
  await query(deps.databaseOf(code), insertRun({ ...by(asker), ...changed(NEW_RUN, body, expected), supplierId, name, now }));
  const found = await findRun(deps, asker, { code, name });
  return found.kind === 'found' && found.run.createdAt === now;
}

const by = (asker: Asker) =>
  isOperating(asker) ? { apiKeyId: null, organisationId: null } : { apiKeyId: asker.apiKeyId, organisationId: asker.organisationId };

/** Stops what has not been claimed. */
export const holdRun = (deps: Deps, asker: Asker, path: RunPath, reason: HeldReason = 'importer'): Promise<RunChanged> =>
  changeRun(deps, asker, path, (run) => held(run, reason));

/** Lets a run start: all of it, or its first accounts. `require_match`: only if what is staged is what was declared. */
export async function releaseRun(deps: Deps, asker: Asker, path: RunPath, raw: unknown): Promise<RunChanged> {
  const { draft, errors } = parse(releaseBody, raw);
  const found = await findRun(deps, asker, path);
  if (found.kind === 'unauthenticated') return found;
  const wrong = inPayloadOrder(raw, [...errors, ...unknownFields(releaseBody, raw)]);
  if (wrong.length > 0) return { kind: 'invalid', errors: wrong };
  if (found.kind === 'not_found') return found;
  if (draft.require_match) {
    const differences = stagedDifferences(expectedOf(found.run.expected), await stagedTotals(deps, found));
    if (differences.length > 0) return { kind: 'differs', differences };
  }
  const { accounts } = draft;
  if (accounts === undefined) return changeRun(deps, asker, path, released);
  const [last] = await query(deps.databaseOf(path.code), lastOfFirst({ id: found.run.id, count: accounts }));
  return changeRun(deps, asker, path, (run) => releasedUpTo(run, last?.id ?? 0));
}

/** Decides on the run as it is, and writes it if it still is that; a repeat of what was done changes nothing. */
async function changeRun(deps: Deps, asker: Asker, path: RunPath, decide: (run: RunState) => RunState): Promise<RunChanged> {
  const db = deps.databaseOf(path.code);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const found = await findRun(deps, asker, path);
    if (found.kind !== 'found') return found;
    const { run } = found;
    const next = decide(run);
    if (isSameState(run, next)) return { kind: 'changed', found, isNew: false };
    const now = deps.now();
    const update = updateRun({ ...by(asker), ...stateOf(next), id: run.id, version: run.version, now });
    const audits = isOperating(asker) ? [auditOf(deps, asker, path, run, next)] : [];
    const results = await commit(db, [...audits, update, ...eventsOf(run, next, now)]);
    if (!results[audits.length]?.length) continue;
    if (isReleasing(run, next)) {
      deps.afterReply('send_released', sendReleased(deps, db, run, next.releasedTo === ALL ? 'all' : next.releasedTo));
    }
    return { kind: 'changed', found: { ...found, run: { ...run, ...next, version: run.version + 1, modifiedAt: now } }, isNew: false };
  }
  throw new Error('a run kept being changed');
}

const isReleasing = (run: RunState, next: RunState): boolean =>
  next.releasedTo > run.releasedTo || (run.heldReason !== null && next.heldReason === null);

/** What a change of a run says who follows: stands right behind the change. */
function eventsOf({ supplierId, name, ...run }: RunRow, next: RunState, now: number): readonly Write[] {
  const of = { supplierId, now };
  if (isReleasing(run, next)) {
    return [recordWrite({ ...of, type: 'run.released', data: { run: name, released: next.heldReason === null ? 'all' : 'some' } })];
  }
  if (next.heldReason === null || (next.heldReason === run.heldReason && next.releasedTo === run.releasedTo)) return [];
  return [recordWrite({ ...of, type: 'run.held', data: { run: name, held_by: next.heldReason, errors: next.errors } })];
}

/** What an operator changed. */
const auditOf = (deps: Deps, { actor }: Operating, { code, name }: RunPath, run: RunRow, next: RunState) =>
  auditRun({
    ...auditValues({
      id: auditId(deps),
      occurredAt: deps.now(),
      actor,
      action: 'run.changed',
      subject: `run ${code} ${name}`,
      supplier: code,
      before: auditedOf(run),
      after: auditedOf(next),
    }),
    id: run.id,
    version: run.version,
  });

const auditedOf = ({ heldReason, releasedTo, pacePerMinute, stopAfterErrors }: RunState) => ({
  held: heldReason ?? 'no',
  released: releasedTo === ALL ? 'all' : releasedTo === 0 ? 'none' : 'some',
  pace_per_minute: pacePerMinute,
  stop_after_errors: stopAfterErrors,
});

const stateOf = ({ heldReason, releasedTo, pacePerMinute, stopAfterErrors, errors, expected }: RunState) => ({
  heldReason,
  releasedTo,
  pacePerMinute,
  stopAfterErrors,
  errors,
  expected,
});

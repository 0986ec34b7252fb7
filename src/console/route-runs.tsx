import type { AppContext, AppHandler } from '../http/app';
import { textStream } from '../http/stream';
import { readSupplier } from '../operator';
import { readRefusalsOfRun } from '../refusals';
import { cancelRun, countRun, errorsIn, findRun, holdRun, listRuns, reconcileRun, releaseRun, reportOf, type Undo, undoRun } from '../runs';
import { accounts, at } from './parts';
import { Field } from './parts-forms';
import { change, html, nothingHere, noticeOf, PAGE, page, redirectTo, textOf } from './route-frame';
import type { Session } from './session';
import { AskPage } from './view-ask';
import { RunPage, RunsPage, runPath } from './view-run';
import { count } from './words';

const pathOf = (c: AppContext) => ({ code: c.req.param('code') ?? '', name: c.req.param('run') ?? '' });

export const getRunsPage: AppHandler = page(async (c, session) => {
  const { code } = pathOf(c);
  const [supplier, list] = await Promise.all([
    readSupplier(c.var.deps, code),
    listRuns(c.var.deps, session, code, PAGE, c.req.query('after') ?? ''),
  ]);
  if (!supplier || list.kind !== 'page') return nothingHere(c);
  const next = list.cursor === undefined ? undefined : `${at('suppliers', code, 'runs')}?after=${encodeURIComponent(list.cursor)}`;
  return html(c, <RunsPage session={session} supplier={supplier} runs={list.runs} next={next} />);
});

export const getRunPage: AppHandler = page(async (c, session) => {
  const { deps } = c.var;
  const [supplier, found] = await Promise.all([readSupplier(deps, pathOf(c).code), findRun(deps, session, pathOf(c))]);
  if (!supplier || found.kind !== 'found') return nothingHere(c);
  const { run } = found;
  const [counts, totals, errors, refusals] = await Promise.all([
    countRun(deps, found),
    reconcileRun(deps, found),
    errorsIn(deps, found),
    readRefusalsOfRun(deps, supplier.code, run),
  ]);
  return html(c, <RunPage {...{ session, supplier, run, counts, totals, errors, refusals }} notice={noticeOf(c)} />);
});

/** The sign-off report, as a file. */
export const getRunReport: AppHandler = page(async (c, session) => {
  const found = await findRun(c.var.deps, session, pathOf(c));
  if (found.kind !== 'found') return nothingHere(c);
  return new Response(textStream(c.var.deps, reportOf(c.var.deps, found, 'csv')), {
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="run-report.csv"' },
  });
});

const VERBS = ['release', 'hold', 'cancel', 'undo'] as const;
type Verb = (typeof VERBS)[number];
const verbOf = (c: AppContext): Verb | undefined => VERBS.find((verb) => verb === c.req.param('verb'));

interface Question {
  readonly c: AppContext;
  readonly session: Session;
  readonly verb: Verb;
  readonly pending: number;
  readonly imported: number;
  readonly refused?: string | undefined;
}

const TITLES = { release: 'Release', hold: 'Hold', cancel: 'Cancel what waits of', undo: 'Take back' } as const;

/** What is going to happen, with the number of accounts it touches. */
const RunQuestion = ({ c, session, verb, pending, imported, refused }: Question) => {
  const { code, name } = pathOf(c);
  const what = {
    release: `${accounts(pending)} can start at once.`,
    hold: `${accounts(pending)} will wait. What is being created finishes.`,
    cancel: `${accounts(pending)} will be cancelled.`,
    undo: `Up to ${accounts(imported)} will be taken back: those to which nothing was added since, and which are not too old.`,
  }[verb];
  const isDanger = verb === 'cancel' || verb === 'undo';
  return (
    <AskPage
      session={session}
      title={`${TITLES[verb]} ${name}?`}
      action={runPath(code, name, verb)}
      back={runPath(code, name)}
      confirm={isDanger ? `${verb === 'undo' ? 'Undo' : 'Cancel'} ${count(verb === 'undo' ? imported : pending)}` : TITLES[verb]}
      isDanger={isDanger}
      refused={refused}
    >
      <p>{what}</p>
      {verb === 'release' ? <Field name="accounts" label="Only the first" hint="Left empty: all of them." /> : null}
      {verb === 'undo' ? <Field name="reason" label="Reason" required hint="Kept in the audit log." /> : null}
    </AskPage>
  );
};

async function question(c: AppContext, session: Session, refused?: string): Promise<Response> {
  const verb = verbOf(c);
  const found = await findRun(c.var.deps, session, pathOf(c));
  if (!verb || found.kind !== 'found') return nothingHere(c);
  const counts = await countRun(c.var.deps, found);
  const [pending, imported] = [counts.get('PENDING') ?? 0, counts.get('PROCESSED') ?? 0];
  const content = <RunQuestion c={c} session={session} verb={verb} pending={pending} imported={imported} refused={refused} />;
  return html(c, content, refused === undefined ? 200 : 400);
}

export const getRunQuestion: AppHandler = page((c, session) => question(c, session));

export const postRunVerb: AppHandler = change(async (c, session, form) => {
  const [path, { deps }] = [pathOf(c), c.var];
  const here = runPath(path.code, path.name);
  switch (verbOf(c)) {
    case 'release': {
      const typed = textOf(form, 'accounts').trim();
      const body = typed === '' ? {} : { accounts: /^\d{1,10}$/.test(typed) ? Number(typed) : typed };
      const outcome = await releaseRun(deps, session, path, body);
      if (outcome.kind === 'invalid') return question(c, session, 'Enter a whole number of accounts, or none.');
      return outcome.kind === 'changed' ? redirectTo(c, here, 'released') : nothingHere(c);
    }
    case 'hold': {
      const outcome = await holdRun(deps, session, path);
      return outcome.kind === 'changed' ? redirectTo(c, here, 'held') : nothingHere(c);
    }
    case 'cancel': {
      const outcome = await cancelRun(deps, session, path);
      return outcome.kind === 'cancelled' ? redirectTo(c, here, 'cancelled_run', outcome.cancelled) : nothingHere(c);
    }
    case 'undo':
      return undone(c, session, await undoRun(deps, session, path, { reason: textOf(form, 'reason') }));
    case undefined:
      return nothingHere(c);
  }
});

function undone(c: AppContext, session: Session, outcome: Undo): Response | Promise<Response> {
  const { code, name } = pathOf(c);
  switch (outcome.kind) {
    case 'undone':
      return redirectTo(c, runPath(code, name), outcome.notUndoneCount > 0 ? 'undone_some' : 'undone', outcome.undone);
    case 'refused':
      return question(c, session, outcome.detail);
    case 'invalid':
      return question(c, session, 'Say why.');
    case 'not_found':
      return nothingHere(c);
  }
}

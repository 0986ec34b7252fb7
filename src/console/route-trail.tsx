import { readAudit, readFilter } from '../audit';
import type { AppContext, AppHandler } from '../http/app';
import { dismiss, listDeadLetters, redrive } from '../operator';
import { change, html, nextPage, nothingHere, noticeOf, PAGE, page, redirectRetried, redirectTo } from './route-frame';
import type { Session } from './session';
import { AUDIT_FILTERS, AuditPage } from './view-audit';
import { DeadLettersPage } from './view-letters';

export const getAuditPage: AppHandler = page(async (c, session) => {
  const cursor = c.req.query('cursor');
  const asked = Object.fromEntries(AUDIT_FILTERS.flatMap((name) => (c.req.query(name) ? [[name, c.req.query(name)]] : [])));
  const filter = readFilter((name) => c.req.query(name));
  const props = { session, asked, isFirst: cursor === undefined };
  if ('length' in filter) return html(c, <AuditPage {...props} entries={[]} wrong={filter[0]?.detail} next={undefined} />, 400);
  const found = await readAudit(c.var.deps, filter, { limit: PAGE, cursor });
  if (found.kind === 'bad_cursor') return nothingHere(c);
  return html(c, <AuditPage {...props} entries={found.rows} wrong={undefined} next={nextPage(c, found.cursor)} />);
});

async function deadLettersPage(c: AppContext, session: Session, refused?: string): Promise<Response> {
  const cursor = refused === undefined ? c.req.query('cursor') : undefined;
  const found = await listDeadLetters(c.var.deps, { limit: PAGE, cursor });
  if (found.kind === 'bad_cursor') return nothingHere(c);
  const next = nextPage(c, found.cursor, '/operator/dead-letters/');
  const props = { session, letters: found.rows, isFirst: cursor === undefined, next, notice: noticeOf(c), refused };
  return html(c, <DeadLettersPage {...props} />, refused ? 409 : 200);
}

export const getDeadLettersPage: AppHandler = page((c, session) => deadLettersPage(c, session));

export const postRedriveLetter: AppHandler = change(async (c, session) => {
  const outcome = await redrive(c.var.deps, session.actor, c.req.param('id') ?? '');
  switch (outcome.kind) {
    case 'redriven':
      return redirectRetried(c, '/operator/dead-letters/', 'redriven', outcome);
    case 'refused':
      return deadLettersPage(c, session, outcome.detail);
    case 'not_found':
      return nothingHere(c);
  }
});

export const postDismissLetter: AppHandler = change(async (c, session) => {
  const outcome = await dismiss(c.var.deps, session.actor, c.req.param('id') ?? '');
  switch (outcome.kind) {
    case 'dismissed':
      return redirectTo(c, '/operator/dead-letters/', 'dismissed');
    case 'refused':
      return deadLettersPage(c, session, outcome.detail);
    case 'not_found':
      return nothingHere(c);
  }
});

import { readAudit } from '../audit';
import type { AppContext, AppHandler } from '../http/app';
import { dismiss, listDeadLetters, redrive } from '../operator';
import { change, html, nextPage, nothingHere, PAGE, page, tell, tellRetried, toldBy } from './route-frame';
import type { Session } from './session';
import { AuditPage, DeadLettersPage } from './view-trail';

export const getAuditPage: AppHandler = page(async (c, session) => {
  const cursor = c.req.query('cursor');
  const found = await readAudit(c.var.deps, { limit: PAGE, cursor });
  if (found.kind === 'bad_cursor') return nothingHere(c);
  const next = nextPage(c, found.cursor);
  return html(c, <AuditPage session={session} entries={found.rows} isFirst={cursor === undefined} next={next} />);
});

async function deadLettersPage(c: AppContext, session: Session, refused?: string): Promise<Response> {
  const cursor = refused === undefined ? c.req.query('cursor') : undefined;
  const found = await listDeadLetters(c.var.deps, { limit: PAGE, cursor });
  if (found.kind === 'bad_cursor') return nothingHere(c);
  const next = nextPage(c, found.cursor, '/operator/dead-letters/');
  const props = { session, letters: found.rows, isFirst: cursor === undefined, next, told: toldBy(c), refused };
  return html(c, <DeadLettersPage {...props} />, refused ? 409 : 200);
}

export const getDeadLettersPage: AppHandler = page((c, session) => deadLettersPage(c, session));

export const postRedriveLetter: AppHandler = change(async (c, session) => {
  const outcome = await redrive(c.var.deps, session.actor, c.req.param('id') ?? '');
  switch (outcome.kind) {
    case 'redriven':
      return tellRetried(c, '/operator/dead-letters/', 'redriven', outcome);
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
      return tell(c, '/operator/dead-letters/', 'dismissed');
    case 'refused':
      return deadLettersPage(c, session, outcome.detail);
    case 'not_found':
      return nothingHere(c);
  }
});

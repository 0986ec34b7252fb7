import { readAudit } from '../audit';
import type { AppContext, AppHandler } from '../http/app';
import { listDeadLetters, redrive } from '../operator';
import { change, html, nothingHere, page, tellRetried, toldBy } from './route-frame';
import type { Session } from './session';
import { AuditPage, DeadLettersPage } from './view-trail';

const PAGE = 50;

const nextOf = (path: string, cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : `${path}?cursor=${encodeURIComponent(cursor)}`;

export const getAuditPage: AppHandler = page(async (c, session) => {
  const given = c.req.query('cursor');
  const isCursor = given !== undefined && /^\d{1,16}$/.test(given);
  const { entries, cursor } = await readAudit(c.var.deps, PAGE, isCursor ? Number(given) : undefined);
  return html(c, <AuditPage session={session} entries={entries} isFirst={!isCursor} next={nextOf('/operator/audit/', cursor)} />);
});

async function deadLettersPage(c: AppContext, session: Session, refused?: string): Promise<Response> {
  const given = c.req.query('cursor');
  const { letters, cursor } = await listDeadLetters(c.var.deps, PAGE, given);
  const next = nextOf('/operator/dead-letters/', cursor);
  const props = { session, letters, isFirst: given === undefined, next, told: toldBy(c), refused };
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

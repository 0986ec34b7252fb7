import type { AppContext, AppHandler } from '../http/app';
import { readSuppliers } from '../operator';
import {
  createApiKey,
  createOrganisation,
  listApiKeys,
  listOrganisations,
  readApiKey,
  readOrganisation,
  revokeApiKey,
} from '../organisations';
import { at } from './parts';
import { change, html, nextPage, nothingHere, noticeOf, PAGE, page, redirectTo, textOf } from './route-frame';
import { wrongOf } from './route-overview';
import type { Session } from './session';
import { AskPage } from './view-ask';
import { OrganisationPage, type OrganisationProps, OrganisationsPage, type OrganisationsProps } from './view-organisations';

const idOf = (c: AppContext): string => c.req.param('id') ?? '';

async function organisationsPage(c: AppContext, session: Session, typed: Pick<OrganisationsProps, 'values' | 'wrong'>): Promise<Response> {
  const cursor = c.req.query('cursor');
  const list = await listOrganisations(c.var.deps, { limit: PAGE, cursor });
  if (list.kind === 'bad_cursor') return nothingHere(c);
  const props = { session, organisations: list.rows, isFirst: cursor === undefined, next: nextPage(c, list.cursor), ...typed };
  return html(c, <OrganisationsPage {...props} />, Object.keys(typed.wrong).length > 0 ? 400 : 200);
}

export const getOrganisationsPage: AppHandler = page((c, session) => organisationsPage(c, session, { values: {}, wrong: {} }));

export const postOrganisationForm: AppHandler = change(async (c, session, form) => {
  const name = textOf(form, 'name').trim();
  const isTest = form.has('is_test');
  const outcome = await createOrganisation(c.var.deps, session.actor, { name, is_test: isTest });
  if (outcome.kind === 'created') return redirectTo(c, at('organisations', outcome.organisation.id), 'organisation_created');
  return organisationsPage(c, session, { values: { name, ...(isTest ? { is_test: 'true' } : {}) }, wrong: wrongOf(outcome.errors) });
});

async function organisationPage(
  c: AppContext,
  session: Session,
  more: Partial<Pick<OrganisationProps, 'fresh' | 'wrong' | 'values'>>,
): Promise<Response> {
  const cursor = more.fresh || more.wrong ? undefined : c.req.query('cursor');
  const [organisation, keys, suppliers] = await Promise.all([
    readOrganisation(c.var.deps, idOf(c)),
    listApiKeys(c.var.deps, idOf(c), { limit: PAGE, cursor }),
    readSuppliers(c.var.deps),
  ]);
  if (!organisation || keys?.kind !== 'page') return nothingHere(c);
  const own = suppliers.filter(({ organisationId }) => organisationId === organisation.id);
  return html(
    c,
    <OrganisationPage
      session={session}
      organisation={organisation}
      suppliers={own}
      keys={keys.rows}
      isFirst={cursor === undefined}
      next={nextPage(c, keys.cursor, at('organisations', organisation.id))}
      fresh={more.fresh}
      wrong={more.wrong ?? {}}
      values={more.values ?? {}}
      now={c.var.deps.now()}
      notice={noticeOf(c)}
    />,
    more.wrong ? 400 : 200,
  );
}

export const getOrganisationPage: AppHandler = page((c, session) => organisationPage(c, session, {}));

/** Answers with the page itself: the key is shown here, once, and is in no address. */
export const postKey: AppHandler = change(async (c, session, form) => {
  const [label, expires, isReadOnly] = [textOf(form, 'label').trim(), textOf(form, 'expires_at').trim(), form.has('is_read_only')];
  const body = { label, is_read_only: isReadOnly, ...(expires === '' ? {} : { expires_at: expires }) };
  const outcome = await createApiKey(c.var.deps, session.actor, idOf(c), body);
  switch (outcome.kind) {
    case 'created':
      return organisationPage(c, session, { fresh: { label: outcome.key.label, secret: outcome.secret } });
    case 'invalid':
      return organisationPage(c, session, {
        wrong: wrongOf(outcome.errors),
        values: { label, expires_at: expires, ...(isReadOnly ? { is_read_only: 'true' } : {}) },
      });
    case 'not_found':
      return nothingHere(c);
  }
});

export const getRevokeQuestion: AppHandler = page(async (c, session) => {
  const organisation = c.req.query('organisation') ?? '';
  const key = await readApiKey(c.var.deps, idOf(c));
  if (key?.organisationId !== organisation) return nothingHere(c);
  return html(
    c,
    <AskPage
      session={session}
      title={`Revoke “${key.label}”?`}
      place="Organisations"
      action={at('keys', key.id, 'revoke')}
      back={at('organisations', organisation)}
      confirm="Revoke the key"
      isDanger
    >
      <p>The key and every token it obtained are refused from the next request on. This cannot be taken back.</p>
      <input type="hidden" name="organisation" value={organisation} />
    </AskPage>,
  );
});

export const postRevoke: AppHandler = change(async (c, session, form) => {
  const { kind } = await revokeApiKey(c.var.deps, session.actor, idOf(c));
  return kind === 'revoked' ? redirectTo(c, at('organisations', textOf(form, 'organisation')), 'revoked') : nothingHere(c);
});

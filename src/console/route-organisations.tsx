import type { AppContext, AppHandler } from '../http/app';
import { listSuppliers } from '../operator';
import { createApiKey, createOrganisation, listApiKeys, listOrganisations, readOrganisation, revokeApiKey } from '../organisations';
import { at } from './parts';
import { change, html, nothingHere, page, tell, textOf, toldBy } from './route-frame';
import { wrongOf } from './route-overview';
import type { Session } from './session';
import { AskPage } from './view-ask';
import { OrganisationPage, type OrganisationProps, OrganisationsPage } from './view-organisations';

const idOf = (c: AppContext): string => c.req.param('id') ?? '';

export const getOrganisationsPage: AppHandler = page(async (c, session) =>
  html(c, <OrganisationsPage session={session} organisations={await listOrganisations(c.var.deps)} values={{}} wrong={{}} />),
);

export const postOrganisationForm: AppHandler = change(async (c, session, form) => {
  const name = textOf(form, 'name').trim();
  const outcome = await createOrganisation(c.var.deps, session.actor, { name });
  if (outcome.kind === 'created') return tell(c, at('organisations', outcome.organisation.id), 'organisation_created');
  const organisations = await listOrganisations(c.var.deps);
  return html(
    c,
    <OrganisationsPage session={session} organisations={organisations} values={{ name }} wrong={wrongOf(outcome.errors)} />,
    400,
  );
});

async function organisationPage(
  c: AppContext,
  session: Session,
  more: Partial<Pick<OrganisationProps, 'fresh' | 'wrong'>>,
): Promise<Response> {
  const [organisation, keys, suppliers] = await Promise.all([
    readOrganisation(c.var.deps, idOf(c)),
    listApiKeys(c.var.deps, idOf(c)),
    listSuppliers(c.var.deps),
  ]);
  if (!organisation || !keys) return nothingHere(c);
  const own = suppliers.filter(({ organisationId }) => organisationId === organisation.id);
  return html(
    c,
    <OrganisationPage
      session={session}
      organisation={organisation}
      suppliers={own}
      keys={keys}
      fresh={more.fresh}
      wrong={more.wrong ?? {}}
      told={toldBy(c)}
    />,
    more.wrong ? 400 : 200,
  );
}

export const getOrganisationPage: AppHandler = page((c, session) => organisationPage(c, session, {}));

/** Answers with the page itself: the key is told here, once, and stands in no address. */
export const postKey: AppHandler = change(async (c, session, form) => {
  const outcome = await createApiKey(c.var.deps, session.actor, idOf(c), { label: textOf(form, 'label').trim() });
  switch (outcome.kind) {
    case 'created':
      return organisationPage(c, session, { fresh: outcome });
    case 'invalid':
      return organisationPage(c, session, { wrong: wrongOf(outcome.errors) });
    case 'not_found':
      return nothingHere(c);
  }
});

export const getRevokeQuestion: AppHandler = page(async (c, session) => {
  const organisation = c.req.query('organisation') ?? '';
  const key = (await listApiKeys(c.var.deps, organisation))?.find(({ id }) => id === idOf(c));
  if (!key) return nothingHere(c);
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
  return kind === 'revoked' ? tell(c, at('organisations', textOf(form, 'organisation')), 'revoked') : nothingHere(c);
});

import type { FC } from 'hono/jsx';
import type { SupplierDetails } from '../operator';
import type { ApiKeyRow, OrganisationRow } from '../organisations';
import { Crumbs, Page } from './layout';
import { May } from './may';
import { at, Badge, DialogLink, Empty, Fresh, Moment, Pager, SupplierBadge } from './parts';
import { Check, Field, Form, type Wrong } from './parts-forms';
import type { Session } from './session';

export interface OrganisationsProps {
  readonly session: Session;
  readonly organisations: readonly OrganisationRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: Wrong;
}

export const OrganisationsPage: FC<OrganisationsProps> = ({ session, organisations, isFirst, next, values, wrong }) => (
  <Page title="Organisations" place="Organisations" session={session}>
    <div class="head">
      <div class="head-text">
        <h1>Organisations</h1>
        <p class="lead">Who sends accounts. An organisation owns suppliers, and the API keys that may import into them.</p>
      </div>
    </div>
    <section class="card" aria-label="Organisations">
      {organisations.length === 0 ? (
        <Empty title="No organisation yet">
          <p>Name the first one below.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {organisations.map(({ id, name, createdAt, isTest }) => (
            <li>
              <span class="head-line">
                <a class="main" href={at('organisations', id)}>
                  {name}
                </a>
                {isTest ? <Badge words="Test" tone="quiet" /> : null}
              </span>
              <span class="soft small">
                since <Moment instant={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pager next={next} isFirst={isFirst} first="/operator/organisations/" />
    </section>
    <May role={session.role} needs="administer">
      <section class="card" aria-labelledby="new-title">
        <div class="card-head">
          <h2 id="new-title">New organisation</h2>
        </div>
        <div class="card-body">
          <Form action="/operator/organisations/" token={session.formToken} class="form">
            <div class="inline">
              <Field name="name" label="Name" value={values['name']} wrong={wrong['name']} required />
              <button type="submit" class="primary">
                Create
              </button>
            </div>
            <Check name="is_test" isOn={values['is_test'] !== undefined}>
              For tests: its API keys begin with <code>sk_test_</code>
            </Check>
          </Form>
        </div>
      </section>
    </May>
  </Page>
);

export interface OrganisationProps {
  readonly session: Session;
  readonly organisation: OrganisationRow;
  readonly suppliers: readonly SupplierDetails[];
  readonly keys: readonly ApiKeyRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
  /** A key that was just made: shown here and never again. */
  readonly fresh?: { readonly label: string; readonly secret: string } | undefined;
  /** What was typed where something of it is wrong. */
  readonly values?: Readonly<Record<string, string>>;
  readonly now: number;
  readonly wrong: Wrong;
  readonly notice?: string | undefined;
}

const stateOf = ({ revokedAt, expiresAt }: ApiKeyRow, now: number) =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'in_force';

const STATES = {
  in_force: <Badge words="In force" tone="good" />,
  expired: <Badge words="Expired" tone="quiet" />,
  revoked: <Badge words="Revoked" tone="quiet" />,
};

const Keys: FC<{ session: Session; keys: readonly ApiKeyRow[]; now: number }> = ({ session, keys, now }) => (
  <table class="table">
    <thead>
      <tr>
        <th>Label</th>
        <th class="wide">Created</th>
        <th class="wide">Last used</th>
        <th>State</th>
        <th>
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <tr>
          <td>
            {key.label}
            <div class="soft small">
              {key.lastFour === null ? null : <code>…{key.lastFour}</code>}
              {key.isReadOnly ? ' read-only' : null}
              {key.expiresAt === null ? null : (
                <>
                  {' '}
                  {stateOf(key, now) === 'expired' ? 'expired' : 'expires'} <Moment instant={key.expiresAt} />
                </>
              )}
            </div>
          </td>
          <td class="tight wide">
            <Moment instant={key.createdAt} />
          </td>
          <td class="tight wide">{key.lastUsedAt === null ? <span class="soft">never</span> : <Moment instant={key.lastUsedAt} />}</td>
          <td class="tight">{STATES[stateOf(key, now)]}</td>
          <td class="tight right">
            {key.revokedAt === null ? (
              <May role={session.role} needs="administer">
                <DialogLink
                  class="button plain"
                  href={`${at('keys', key.id, 'revoke')}?organisation=${encodeURIComponent(key.organisationId)}`}
                >
                  Revoke…<span class="visually-hidden"> {key.label}</span>
                </DialogLink>
              </May>
            ) : null}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const OrganisationPage: FC<OrganisationProps> = ({
  session,
  organisation,
  suppliers,
  keys,
  isFirst,
  next,
  fresh,
  wrong,
  values = {},
  now,
  notice,
}) => (
  <Page title={organisation.name} place="Organisations" session={session} notice={notice}>
    <div class="head">
      <div class="head-text">
        <Crumbs path={[['Organisations', '/operator/organisations/']]} />
        <div class="head-line">
          <h1>{organisation.name}</h1>
          {organisation.isTest ? <Badge words="Test" tone="quiet" /> : null}
        </div>
        <p class="lead">
          <code>{organisation.id}</code>, since <Moment instant={organisation.createdAt} />
        </p>
      </div>
    </div>
    {fresh ? <Fresh what={`The key “${fresh.label}”`} secret={fresh.secret} /> : null}
    <section class="card" aria-labelledby="keys-title">
      <div class="card-head">
        <h2 id="keys-title">API keys</h2>
        <span class="soft small">only their digests are stored</span>
      </div>
      {keys.length === 0 ? (
        <Empty title="No API key yet">
          <p>Without one nobody can import for this organisation. Make one below and hand it over safely.</p>
        </Empty>
      ) : (
        <Keys session={session} keys={keys} now={now} />
      )}
      <Pager next={next} isFirst={isFirst} first={at('organisations', organisation.id)} />
      <May role={session.role} needs="administer">
        <div class="card-body">
          <Form action={at('organisations', organisation.id, 'keys')} token={session.formToken} class="form">
            <Field name="label" label="New key for" placeholder="migration team" value={values['label']} wrong={wrong['label']} required />
            <Field
              name="expires_at"
              label="Expires, if it does"
              placeholder="2027-03-31T00:00:00Z"
              hint="A moment in ISO 8601; without a zone it is UTC."
              value={values['expires_at']}
              wrong={wrong['expires_at']}
            />
            <Check name="is_read_only" isOn={values['is_read_only'] !== undefined}>
              Read-only: it validates and reads, and changes nothing
            </Check>
            <div class="actions">
              <button type="submit" class="primary">
                Create key
              </button>
            </div>
          </Form>
        </div>
      </May>
    </section>
    <section class="card" aria-labelledby="suppliers-title">
      <div class="card-head">
        <h2 id="suppliers-title">Suppliers</h2>
      </div>
      {suppliers.length === 0 ? (
        <Empty title="No supplier yet">
          <p>A supplier is one migration of this organisation.</p>
          <May role={session.role} needs="administer">
            <div class="actions">
              <a class="button" href={`/operator/new-supplier/?organisation=${encodeURIComponent(organisation.id)}`}>
                New supplier
              </a>
            </div>
          </May>
        </Empty>
      ) : (
        <ul class="rows">
          {suppliers.map((supplier) => (
            <li>
              <span class="head-line">
                <a class="main" href={at('suppliers', supplier.code)}>
                  {supplier.name}
                </a>
                <code class="soft">{supplier.code}</code>
              </span>
              <SupplierBadge supplier={supplier} />
            </li>
          ))}
        </ul>
      )}
    </section>
  </Page>
);

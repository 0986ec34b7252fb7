/**
 * Organisations (§10): who imports, and whom keys and suppliers belong to.
 */
import { auditId, auditWrite } from '../audit';
import { commit, type Page, type PageQuery, query, readPage } from '../db';
import type { Deps } from '../deps';
import type { FieldError } from '../shared/errors';
import { parse } from '../shared/parse';
import { organisationBody } from './schema';
import { allOrganisations, insertOrganisation, type OrganisationRow, organisationById, organisationPage } from './store';

export type OrganisationCreated =
  | { readonly kind: 'created'; readonly organisation: OrganisationRow }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export async function createOrganisation(deps: Deps, actor: string, raw: unknown): Promise<OrganisationCreated> {
  const { draft, errors } = parse(organisationBody, raw);
  if (errors.length > 0 || draft.name === undefined) return { kind: 'invalid', errors };
  const organisation = {
    id: `org_${crypto.randomUUID().replaceAll('-', '')}`,
    name: draft.name,
    createdAt: deps.now(),
    isTest: draft.is_test ?? false,
  };
  await commit(deps.db, [
    insertOrganisation({ ...organisation, isTest: organisation.isTest ? 1 : 0 }),
    auditWrite({
      id: auditId(deps),
      occurredAt: organisation.createdAt,
      actor,
      action: 'organisation.created',
      subject: `organisation ${organisation.id}`,
      after: { name: organisation.name, ...(organisation.isTest ? { is_test: true } : {}) },
    }),
  ]);
  return { kind: 'created', organisation };
}

/** All organisations, by name. */
export const readOrganisations = (deps: Deps): Promise<OrganisationRow[]> => query(deps.db, allOrganisations({}));

/** Newest first. */
export const listOrganisations = (deps: Deps, page: PageQuery): Promise<Page<OrganisationRow>> =>
  readPage(deps.db, page, {
    rows: (limit, cursor) => organisationPage({ limit, cursor: cursor ?? null }),
    named: (organisationId) => organisationById({ organisationId }),
    cursorOf: ({ id }) => id,
  });

export async function readOrganisation(deps: Deps, id: string): Promise<OrganisationRow | undefined> {
  const [row] = await query(deps.db, organisationById({ organisationId: id }));
  return row;
}

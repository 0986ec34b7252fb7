import type { AppHandler } from '../http/app';
import { createSupplier, RATE_MINUTES, ratePerMinute, readAllRates, readHealth, readStandstills, readSuppliers } from '../operator';
import { listOrganisations, readOrganisations } from '../organisations';
import { REFUSAL_MINUTES, readAllRefused } from '../refusals';
import type { FieldError } from '../shared/errors';
import { DEFAULT_SETTINGS, SUPPLIER_STATUSES } from '../suppliers';
import { at } from './parts';
import type { Wrong } from './parts-forms';
import { change, html, noticeOf, page, redirectTo, textOf } from './route-frame';
import { configurationIn, valuesIn, valuesOf } from './settings';
import { NewSupplierPage } from './view-new-supplier';
import { OverviewPage } from './view-overview';
import { needsAttention, type SupplierPace } from './view-suppliers';

/** Errors by the field of a form: settings by their own name, items of a list by the list's. */
export const wrongOf = (errors: readonly FieldError[]): Wrong =>
  Object.fromEntries(
    errors.toReversed().map(({ path, detail }) => [String(path[0] === 'configuration' ? (path[1] ?? path[0]) : path[0]), detail]),
  );

export const getOverview: AppHandler = page(async (c, session) => {
  const { deps } = c.var;
  const [suppliers, rates, refused, health, organisations] = await Promise.all([
    readSuppliers(deps),
    readAllRates(deps, RATE_MINUTES + 1),
    readAllRefused(deps, REFUSAL_MINUTES),
    readHealth(deps),
    listOrganisations(deps, { limit: 1, cursor: undefined }),
  ]);
  const standstills = await readStandstills(
    deps,
    suppliers.map((supplier) => ({ supplier, minutes: rates.get(supplier.id) ?? [] })),
  );
  const paces = suppliers.map((supplier, i) => ({
    supplier,
    perMinute: ratePerMinute(rates.get(supplier.id) ?? [], deps.now()),
    standstill: standstills[i],
    refused: refused.get(supplier.id) ?? 0,
  }));
  // What needs attention comes first, then by status.
  const placeOf = (pace: SupplierPace): number =>
    pace.supplier.status && !needsAttention(pace) ? SUPPLIER_STATUSES.indexOf(pace.supplier.status) : -1;
  const inOrder = paces.toSorted((a, b) => placeOf(a) - placeOf(b));
  return html(
    c,
    <OverviewPage
      session={session}
      suppliers={inOrder}
      health={health}
      hasOrganisations={organisations.kind === 'page' && organisations.rows.length > 0}
      now={deps.now()}
      notice={noticeOf(c)}
    />,
  );
});

export const getNewSupplier: AppHandler = page(async (c, session) => {
  const organisations = await readOrganisations(c.var.deps);
  const values = { organisation_id: c.req.query('organisation') ?? '', code: '', name: '', settings: valuesOf(DEFAULT_SETTINGS) };
  return html(c, <NewSupplierPage session={session} organisations={organisations} values={values} wrong={{}} />);
});

export const postNewSupplier: AppHandler = change(async (c, session, form) => {
  const values = {
    organisation_id: textOf(form, 'organisation_id'),
    code: textOf(form, 'code').trim(),
    name: textOf(form, 'name').trim(),
    settings: valuesIn(form),
  };
  const { settings, ...rest } = values;
  const outcome = await createSupplier(c.var.deps, session.actor, { ...rest, configuration: configurationIn(settings) });
  if (outcome.kind === 'created') return redirectTo(c, at('suppliers', outcome.supplier.code), 'supplier_created');
  const organisations = await readOrganisations(c.var.deps);
  return html(c, <NewSupplierPage session={session} organisations={organisations} values={values} wrong={wrongOf(outcome.errors)} />, 400);
});

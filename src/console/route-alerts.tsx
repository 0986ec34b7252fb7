import type { AppContext, AppHandler } from '../http/app';
import { createAddress, listAddresses, listAlerts, mayDo, readAddress, removeAddress, tryAddress } from '../operator';
import { at } from './parts';
import { change, html, nextPage, nothingHere, noticeOf, PAGE, page, redirectTo, textOf } from './route-frame';
import { wrongOf } from './route-overview';
import type { Session } from './session';
import { ALERTS, AlertsPage, type AlertsProps } from './view-alerts';
import { AskPage } from './view-ask';

async function alertsPage(c: AppContext, session: Session, more: Pick<AlertsProps, 'values' | 'wrong' | 'fresh'>): Promise<Response> {
  const cursor = c.req.method === 'GET' ? c.req.query('cursor') : undefined;
  const list = await listAlerts(c.var.deps, false, { limit: PAGE, cursor });
  if (list.kind === 'bad_cursor') return nothingHere(c);
  // There are never more than one page of them.
  const addresses = mayDo(session.role, 'administer') ? await listAddresses(c.var.deps, { limit: PAGE, cursor: undefined }) : undefined;
  const props = {
    session,
    alerts: list.rows,
    isFirst: cursor === undefined,
    next: nextPage(c, list.cursor, ALERTS),
    addresses: addresses?.kind === 'page' ? addresses.rows : undefined,
    notice: noticeOf(c),
  };
  return html(c, <AlertsPage {...props} {...more} />, Object.keys(more.wrong).length > 0 ? 400 : 200);
}

export const getAlertsPage: AppHandler = page((c, session) => alertsPage(c, session, { values: {}, wrong: {} }));

/** Answers with the page itself: the secret is shown here, once, and is in no address. */
export const postAddressForm: AppHandler = change(async (c, session, form) => {
  const url = textOf(form, 'url').trim();
  const outcome = await createAddress(c.var.deps, session.actor, { url });
  return outcome.kind === 'created'
    ? alertsPage(c, session, { values: {}, wrong: {}, fresh: { url, secret: outcome.secret } })
    : alertsPage(c, session, { values: { url }, wrong: wrongOf(outcome.errors) });
});

export const postAddressTest: AppHandler = change(async (c) => {
  const sent = await tryAddress(c.var.deps, c.req.param('id') ?? '');
  return sent ? redirectTo(c, ALERTS, sent.kind === 'taken' ? 'alert_test_taken' : 'alert_test_failed') : nothingHere(c);
});

export const getRemoveAddressQuestion: AppHandler = page(async (c, session) => {
  const address = await readAddress(c.var.deps, c.req.param('id') ?? '');
  if (!address) return nothingHere(c);
  return html(
    c,
    <AskPage
      session={session}
      title="Remove this address?"
      place="Alerts"
      action={at('alert-addresses', address.id, 'remove')}
      back={ALERTS}
      confirm="Remove the address"
      isDanger
    >
      <p>
        Nothing is sent to <code>{address.url}</code> any more, also nothing that waits. Adding it again gives it another secret.
      </p>
    </AskPage>,
  );
});

export const postRemoveAddress: AppHandler = change(async (c, session) => {
  const { kind } = await removeAddress(c.var.deps, session.actor, c.req.param('id') ?? '');
  return kind === 'removed' ? redirectTo(c, ALERTS, 'alert_address_removed') : nothingHere(c);
});

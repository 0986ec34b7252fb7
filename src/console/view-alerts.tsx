/**
 * What fires and since when, what ended, and who is notified.
 */
import type { FC } from 'hono/jsx';
import { type AddressRow, type AlertRow, detailsOf, summaryOf } from '../operator';
import { Page } from './layout';
import { May } from './may';
import { at, Badge, DialogLink, Empty, Fresh, Moment, Pager } from './parts';
import { Field, Form, type Wrong } from './parts-forms';
import type { Session } from './session';

export const ALERTS = '/operator/alerts/';

export interface AlertsProps {
  readonly session: Session;
  readonly alerts: readonly AlertRow[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
  /** Undefined for those who may not see where alerts go. */
  readonly addresses: readonly AddressRow[] | undefined;
  /** Of an address that was just made: shown here and never again. */
  readonly fresh?: { readonly url: string; readonly secret: string } | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: Wrong;
  readonly notice?: string | undefined;
}

/** Where to look, by what is wrong. */
const pageOf = ({ rule, supplier }: AlertRow): readonly [words: string, href: string] =>
  supplier !== ''
    ? [supplier, at('suppliers', supplier)]
    : rule === 'dead_letters'
      ? ['Dead letters', at('dead-letters')]
      : ['Overview', '/operator/'];

const Alert: FC<{ alert: AlertRow }> = ({ alert }) => {
  const [words, href] = pageOf(alert);
  return (
    <tr>
      <td>
        {summaryOf(alert.rule, alert.supplier, detailsOf(alert))}
        <div class="soft small">
          <code>{alert.rule}</code> · <a href={href}>{words}</a>
        </div>
      </td>
      <td class="tight">{alert.endedAt === null ? <Badge words="Firing" tone="bad" /> : <Badge words="Ended" tone="quiet" />}</td>
      <td class="tight">
        <Moment instant={alert.since} />
      </td>
      <td class="tight wide">{alert.endedAt === null ? '–' : <Moment instant={alert.endedAt} />}</td>
    </tr>
  );
};

const Address: FC<{ session: Session; address: AddressRow }> = ({ session, address }) => (
  <tr>
    <td>
      <code>{address.url}</code>
      <div class="soft small">
        {address.failure !== null && address.failedAt !== null ? (
          <>
            Not taken (<code>{address.failure}</code>) <Moment instant={address.failedAt} />
          </>
        ) : address.deliveredAt === null ? (
          'Nothing was sent yet'
        ) : (
          <>
            Taken <Moment instant={address.deliveredAt} />
          </>
        )}
      </div>
    </td>
    <td class="tight right">
      <Form action={at('alert-addresses', address.id, 'test')} token={session.formToken} class="inline">
        <button type="submit" class="plain">
          Send a test<span class="visually-hidden"> to {address.url}</span>
        </button>
      </Form>
    </td>
    <td class="tight right">
      <DialogLink class="button plain" href={at('alert-addresses', address.id, 'remove')}>
        Remove…<span class="visually-hidden"> {address.url}</span>
      </DialogLink>
    </td>
  </tr>
);

const Addresses: FC<Pick<AlertsProps, 'session' | 'values' | 'wrong'> & { addresses: readonly AddressRow[] }> = ({
  session,
  addresses,
  values,
  wrong,
}) => (
  <section class="card" aria-labelledby="addresses-title">
    <div class="card-head">
      <h2 id="addresses-title">Who is notified</h2>
    </div>
    {addresses.length === 0 ? (
      <Empty title="Nobody is notified">
        <p>Alerts are shown here and written to the log. Add the address of what wakes you.</p>
      </Empty>
    ) : (
      <table class="table">
        <thead class="visually-hidden">
          <tr>
            <th>Address</th>
            <th>Test</th>
            <th>Remove</th>
          </tr>
        </thead>
        <tbody>
          {addresses.map((address) => (
            <Address session={session} address={address} />
          ))}
        </tbody>
      </table>
    )}
    <div class="card-body">
      <Form action={at('alert-addresses')} token={session.formToken} class="form">
        <Field
          name="url"
          label="Address"
          placeholder="https://alerts.example.com/import"
          hint="Posted there signed, by the convention of Standard Webhooks, when an alert begins and when it ends."
          value={values['url']}
          wrong={wrong['url']}
          required
        />
        <div class="actions">
          <button type="submit" class="primary">
            Add the address
          </button>
        </div>
      </Form>
    </div>
  </section>
);

export const AlertsPage: FC<AlertsProps> = ({ session, alerts, isFirst, next, addresses, fresh, values, wrong, notice }) => {
  const firing = alerts.filter(({ endedAt }) => endedAt === null).length;
  return (
    <Page title="Alerts" place="Alerts" session={session} notice={notice}>
      <div class="head">
        <div class="head-text">
          <h1>{firing === 0 ? 'Nothing fires' : firing === 1 ? 'One alert fires' : `${firing} alerts fire`}</h1>
          <p class="lead">Looked for every minute. The operator's guide says for each what to look at and what to do.</p>
        </div>
      </div>
      {fresh ? <Fresh what={`The secret of ${fresh.url}`} secret={fresh.secret} /> : null}
      <section class="card" aria-label="Alerts">
        {alerts.length === 0 ? (
          <Empty title="No alert in the last 90 days" />
        ) : (
          <table class="table">
            <thead>
              <tr>
                <th>What</th>
                <th>State</th>
                <th>Since</th>
                <th class="wide">Ended</th>
              </tr>
            </thead>
            <tbody>
              {alerts.map((alert) => (
                <Alert alert={alert} />
              ))}
            </tbody>
          </table>
        )}
        <Pager next={next} isFirst={isFirst} first={ALERTS} />
      </section>
      <May role={session.role} needs="administer">
        {addresses === undefined ? null : <Addresses session={session} addresses={addresses} values={values} wrong={wrong} />}
      </May>
    </Page>
  );
};

import type { FC } from 'hono/jsx';
import type { SupplierDetails } from '../operator';
import type { SupplierConfiguration } from '../suppliers';
import { Crumbs, Page } from './layout';
import { at, Field, Form, Moment, type Wrong } from './parts';
import type { Session } from './session';

export const VENDORS = ['STRIPE', 'GOCARDLESS', 'SANDBOX'] as const;

/** Settings as the form holds them. */
export interface SettingsValues {
  readonly name: string;
  readonly default_country: string;
  readonly documents_root: string;
  readonly send_customer_emails: boolean;
  readonly extra_charge_reasons: string;
  readonly extra_credit_reasons: string;
  readonly vendors: readonly string[];
  readonly payload_retention_days: string;
}

export const valuesOf = (name: string, configuration: SupplierConfiguration): SettingsValues => ({
  ...configuration,
  name,
  extra_charge_reasons: configuration.extra_charge_reasons.join(' '),
  extra_credit_reasons: configuration.extra_credit_reasons.join(' '),
  payload_retention_days: String(configuration.payload_retention_days),
});

export interface SettingsProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly values: SettingsValues;
  readonly wrong: Wrong;
}

export const SettingsPage: FC<SettingsProps> = ({ session, supplier, values, wrong }) => (
  <Page title={`Settings of ${supplier.name}`} place="Overview" session={session}>
    <div class="head">
      <div class="head-text">
        <Crumbs
          path={[
            ['Suppliers', '/operator/'],
            [supplier.name, at('suppliers', supplier.code)],
          ]}
        />
        <h1>Settings</h1>
        <p class="lead">
          A change counts for what is judged after it. Last changed <Moment instant={supplier.modifiedAt} />.
        </p>
      </div>
    </div>
    <section class="card narrow">
      <div class="card-body">
        <Form class="form" action={at('suppliers', supplier.code, 'settings')} token={session.formToken}>
          <Field name="name" label="Name" value={values.name} wrong={wrong['name']} required />
          <Field
            name="default_country"
            label="Default country"
            mono
            required
            value={values.default_country}
            wrong={wrong['default_country']}
            hint="Two letters. Phone numbers without a country code are read as of this country."
          />
          <Field
            name="documents_root"
            label="Documents folder"
            mono
            value={values.documents_root}
            wrong={wrong['documents_root']}
            hint="Document paths of payloads start here. Empty is the whole bucket."
          />
          <Field
            name="extra_charge_reasons"
            label="More charge reasons"
            mono
            value={values.extra_charge_reasons}
            wrong={wrong['extra_charge_reasons']}
            hint="Beside the standard ones; separated by spaces."
          />
          <Field
            name="extra_credit_reasons"
            label="More credit reasons"
            mono
            value={values.extra_credit_reasons}
            wrong={wrong['extra_credit_reasons']}
            hint="Beside the standard ones; separated by spaces."
          />
          <fieldset class="field">
            <legend class="label">Payment vendors</legend>
            {VENDORS.map((vendor) => (
              <div class="check">
                <input type="checkbox" id={`v-${vendor}`} name="vendors" value={vendor} checked={values.vendors.includes(vendor)} />
                <label for={`v-${vendor}`}>{vendor}</label>
              </div>
            ))}
            {wrong['vendors'] ? <p class="wrong">{wrong['vendors']}</p> : <p class="hint">None chosen: all are allowed.</p>}
          </fieldset>
          <Field
            name="payload_retention_days"
            label="Days payloads are kept"
            value={values.payload_retention_days}
            wrong={wrong['payload_retention_days']}
            required
            hint="Counted from the moment an account was imported or cancelled."
          />
          <div class="check">
            <input type="checkbox" id="f-emails" name="send_customer_emails" value="on" checked={values.send_customer_emails} />
            <label for="f-emails">Customers may be sent e-mail (kept for other services; this one sends nothing)</label>
          </div>
          <div class="actions">
            <button type="submit" class="primary">
              Save settings
            </button>
            <a class="button plain" href={at('suppliers', supplier.code)}>
              Cancel
            </a>
          </div>
        </Form>
      </div>
    </section>
  </Page>
);

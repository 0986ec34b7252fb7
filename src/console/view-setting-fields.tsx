/** The fields of a supplier's settings, for a new supplier and for one that is there. */
import type { FC } from 'hono/jsx';
import { VENDORS } from '../shared/vendors';
import { Field, type Wrong } from './parts-forms';
import type { SettingsValues } from './settings';

export const SettingFields: FC<{ values: SettingsValues; wrong: Wrong }> = ({ values, wrong }) => (
  <>
    <Field
      name="default_country"
      label="Default country"
      mono
      required
      value={values.default_country}
      wrong={wrong['default_country']}
      hint="Two letters, for example GB. Phone numbers without a country code are read as of this country."
    />
    <Field
      name="time_zone"
      label="Time zone"
      mono
      value={values.time_zone}
      wrong={wrong['time_zone']}
      placeholder="UTC"
      hint="For example Australia/Sydney. “Today” of the open statement period is the date there. Empty is UTC."
    />
    <Field
      name="documents_root"
      label="Documents folder"
      mono
      value={values.documents_root}
      wrong={wrong['documents_root']}
      placeholder="the supplier's code"
      hint="Document paths of payloads start in this folder of the bucket. No other organisation may share it. Empty is the supplier's code."
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
      label="Days payloads are stored"
      value={values.payload_retention_days}
      wrong={wrong['payload_retention_days']}
      required
      hint="Counted from the moment an account was imported or cancelled."
    />
    <Field
      name="undo_hours"
      label="Hours in which an imported run can be undone"
      value={values.undo_hours}
      wrong={wrong['undo_hours']}
      required
      hint="Counted from the moment an account was imported; 0: never."
    />
    <Field
      name="event_retention_days"
      label="Days events are stored"
      value={values.event_retention_days}
      wrong={wrong['event_retention_days']}
      hint="Whoever follows them less often has to begin anew."
    />
    <div class="check">
      <input type="checkbox" id="f-emails" name="send_customer_emails" value="on" checked={values.send_customer_emails} />
      <label for="f-emails">Customers may be sent e-mail (stored for other services; this one sends nothing)</label>
    </div>
  </>
);

import type { FC } from 'hono/jsx';
import { Crumbs, Page } from './layout';
import { Empty } from './parts';
import { Field, Form, type Wrong } from './parts-forms';
import type { Session } from './session';
import type { SettingsValues } from './settings';
import { SettingFields } from './view-setting-fields';

export interface NewSupplierProps {
  readonly session: Session;
  readonly organisations: readonly { readonly id: string; readonly name: string }[];
  readonly values: { readonly organisation_id: string; readonly code: string; readonly name: string; readonly settings: SettingsValues };
  readonly wrong: Wrong;
}

export const NewSupplierPage: FC<NewSupplierProps> = ({ session, organisations, values, wrong }) => (
  <Page title="New supplier" place="Overview" session={session}>
    <div class="head">
      <div class="head-text">
        <Crumbs path={[['Suppliers', '/operator/']]} />
        <h1>New supplier</h1>
        <p class="lead">A supplier is one migration. Accounts name it by its code, and only its organisation can send them.</p>
      </div>
    </div>
    <section class="card narrow">
      <div class="card-body">
        {organisations.length === 0 ? (
          <Empty title="An organisation comes first">
            <p>It owns the supplier and the API keys that may import into it.</p>
            <div class="actions">
              <a class="button primary" href="/operator/organisations/">
                New organisation
              </a>
            </div>
          </Empty>
        ) : (
          <Form class="form" action="/operator/new-supplier/" token={session.formToken}>
            <div class="field">
              <label for="f-organisation_id">Organisation</label>
              <select id="f-organisation_id" name="organisation_id">
                {organisations.map(({ id, name }) => (
                  <option value={id} selected={id === values.organisation_id}>
                    {name}
                  </option>
                ))}
              </select>
              {wrong['organisation_id'] ? <p class="wrong">{wrong['organisation_id']}</p> : null}
            </div>
            <Field name="name" label="Name" value={values.name} wrong={wrong['name']} required autofocus hint="As people call it." />
            <Field
              name="code"
              label="Code"
              mono
              value={values.code}
              wrong={wrong['code']}
              required
              hint="Up to 32 characters, part of every address. It never changes."
            />
            <SettingFields values={values.settings} wrong={wrong} />
            <div class="actions">
              <button type="submit" class="primary">
                Create supplier
              </button>
              <a class="button plain" href="/operator/">
                Cancel
              </a>
            </div>
          </Form>
        )}
      </div>
    </section>
  </Page>
);

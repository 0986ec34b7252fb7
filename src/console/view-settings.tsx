import type { FC } from 'hono/jsx';
import type { SupplierDetails } from '../operator';
import { Crumbs, Page } from './layout';
import { at, Changes, Moment } from './parts';
import { Field, Form, type Wrong } from './parts-forms';
import type { Session } from './session';
import type { SettingsValues } from './settings';
import { SettingFields } from './view-setting-fields';
import type { Change } from './words';

export interface SettingsProps {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  /** The version that the form was filled from: what it is saved over. */
  readonly version: string;
  readonly name: string;
  readonly values: SettingsValues;
  readonly wrong: Wrong;
  /** Where somebody saved other settings meanwhile: what they saved, and what is typed here. */
  readonly differing?: readonly Change[] | undefined;
}

const SavedMeanwhile: FC<{ differing: readonly Change[] }> = ({ differing }) => (
  <div class="note bad" role="alert">
    <b>These settings were saved by somebody else since you opened them. Yours are not saved.</b>
    {differing.length > 0 ? (
      <>
        <p>Saved now, and what you typed:</p>
        <Changes changes={differing} />
      </>
    ) : (
      <p>They equal yours.</p>
    )}
    <p>Save again to put yours over them.</p>
  </div>
);

const Unreadable: FC<{ stored: string }> = ({ stored }) => (
  <div class="note bad">
    <b>This release cannot read all settings that are stored. Give those anew that are empty below.</b>
    <p>
      <code>{stored}</code>
    </p>
  </div>
);

export const SettingsPage: FC<SettingsProps> = ({ session, supplier, version, name, values, wrong, differing }) => (
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
          A change counts for what is checked after it. Last changed <Moment instant={supplier.modifiedAt} />.
        </p>
      </div>
    </div>
    {differing ? <SavedMeanwhile differing={differing} /> : null}
    {supplier.configuration ? null : <Unreadable stored={supplier.stored} />}
    <section class="card narrow">
      <div class="card-body">
        <Form class="form" action={at('suppliers', supplier.code, 'settings')} token={session.formToken}>
          <input type="hidden" name="version" value={version} />
          <Field name="name" label="Name" value={name} wrong={wrong['name']} required />
          <SettingFields values={values} wrong={wrong} />
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

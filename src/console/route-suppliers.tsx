import type { AppContext, AppHandler } from '../http/app';
import {
  changeSupplier,
  RANGES,
  readErrorCodes,
  readErrorGroups,
  readProgress,
  readSupplier,
  retryWithCode,
  type SupplierDetails,
} from '../operator';
import { readOrganisation } from '../organisations';
import { REFUSAL_MINUTES, readRefused } from '../refusals';
import { readableSettings, SUPPLIER_STATUSES, type SupplierStatus } from '../suppliers';
import { accounts, at } from './parts';
import { Field } from './parts-forms';
import { change, html, nothingHere, noticeOf, page, redirectRetried, redirectTo, textOf } from './route-frame';
import { wrongOf } from './route-overview';
import type { Session } from './session';
import { configurationIn, valuesIn, valuesOf } from './settings';
import { AskPage } from './view-ask';
import { SettingsPage } from './view-settings';
import { SupplierPage } from './view-supplier';
import { changesBetween, count } from './words';

const codeOf = (c: AppContext): string => c.req.param('code') ?? '';

export const getSupplierPage: AppHandler = page(async (c, session) => {
  const { deps } = c.var;
  const code = codeOf(c);
  // The numbers are asked for often, the errors seldom: looking at them reads every errored process.
  const wantsErrors = c.req.header('HX-Target') !== 'live';
  const range = RANGES.find((name) => name === c.req.query('range')) ?? '1h';
  const progress = await readProgress(deps, code, range);
  if (!progress) return nothingHere(c);
  const { id, organisationId } = progress.supplier;
  const [errors, organisation, refused] = await Promise.all([
    wantsErrors ? readErrorGroups(deps, code, id) : undefined,
    readOrganisation(deps, organisationId),
    readRefused(deps, code, REFUSAL_MINUTES),
  ]);
  const props = { session, organisation: organisation?.name ?? organisationId, progress, range, refused, errors, notice: noticeOf(c) };
  return html(c, <SupplierPage {...props} />);
});

export const getSettings: AppHandler = page(async (c, session) => {
  const supplier = await readSupplier(c.var.deps, codeOf(c));
  if (!supplier) return nothingHere(c);
  const { name, version, configuration = readableSettings(supplier.code, supplier.stored) } = supplier;
  const props = { session, supplier, name, version: String(version), values: valuesOf(configuration), wrong: {} };
  return html(c, <SettingsPage {...props} />);
});

export const postSettings: AppHandler = change(async (c, session, form) => {
  const [name, version, values] = [textOf(form, 'name').trim(), textOf(form, 'version'), valuesIn(form)];
  const typed = { name, configuration: configurationIn(values) };
  const body = { ...typed, ...(/^\d{1,15}$/.test(version) ? { version: Number(version) } : {}) };
  const outcome = await changeSupplier(c.var.deps, session.actor, codeOf(c), body);
  if (outcome.kind === 'changed') return redirectTo(c, at('suppliers', codeOf(c)), 'saved');
  const supplier = await readSupplier(c.var.deps, codeOf(c));
  if (!supplier) return nothingHere(c);
  const props = { session, supplier, name, values };
  switch (outcome.kind) {
    case 'invalid':
      return html(c, <SettingsPage {...props} version={version} wrong={wrongOf(outcome.errors)} />, 400);
    case 'changed_since': {
      const saved = { name: supplier.name, configuration: supplier.configuration };
      const differing = changesBetween(saved, typed);
      return html(c, <SettingsPage {...props} version={String(supplier.version)} wrong={{}} differing={differing} />, 409);
    }
    case 'refused':
    case 'not_found':
      return nothingHere(c);
  }
});

const isStatus = (text: string): text is SupplierStatus => SUPPLIER_STATUSES.some((status) => status === text);

interface StatusQuestion {
  readonly session: Session;
  readonly supplier: SupplierDetails;
  readonly to: SupplierStatus;
  readonly refused?: string;
  readonly wrongReason?: string | undefined;
}

/** What a change of status will do, with the number of accounts it touches. */
const StatusQuestion = ({ session, supplier, to, refused, wrongReason }: StatusQuestion) => {
  const { PENDING, IN_PROGRESS } = supplier.counts;
  const isReopened = supplier.status === 'Complete' || supplier.status === undefined;
  const title = { Paused: 'Pause', Ongoing: isReopened ? 'Open again' : 'Resume', Complete: 'Complete' }[to];
  const pending = `${accounts(PENDING)} pending`;
  const what = {
    Paused:
      PENDING > 0
        ? `${pending} will wait, and new ones are refused, until the supplier is resumed.`
        : 'New accounts are refused until the supplier is resumed.',
    Ongoing: isReopened
      ? 'New accounts are accepted again. What was cancelled stays cancelled.'
      : PENDING > 0
        ? `${pending} can start at once, and new ones are accepted again.`
        : 'New accounts are accepted again.',
    Complete:
      PENDING > 0 ? `${pending} will be cancelled, and new ones are refused.` : 'Nothing is pending. New accounts are refused from now on.',
  }[to];
  const finishing = to !== 'Ongoing' && IN_PROGRESS > 0 ? ` What is being created finishes: ${accounts(IN_PROGRESS)}.` : '';
  return (
    <AskPage
      session={session}
      title={`${title} ${supplier.name}?`}
      action={at('suppliers', supplier.code, 'status')}
      back={at('suppliers', supplier.code)}
      confirm={to === 'Complete' && PENDING > 0 ? `Complete and cancel ${count(PENDING)}` : title}
      isDanger={to === 'Complete'}
      refused={refused}
    >
      <p>{what + finishing}</p>
      <input type="hidden" name="to" value={to} />
      {to === 'Complete' ? <input type="hidden" name="confirm_pending" value={String(PENDING)} /> : null}
      <Field
        name="reason"
        label={isReopened ? 'Why it is opened again' : 'Reason, if there is one'}
        wrong={wrongReason}
        required={isReopened}
        hint="Kept in the audit log."
      />
    </AskPage>
  );
};

export const getStatusQuestion: AppHandler = page(async (c, session) => {
  const supplier = await readSupplier(c.var.deps, codeOf(c));
  const to = c.req.query('to') ?? '';
  return supplier && isStatus(to) ? html(c, <StatusQuestion session={session} supplier={supplier} to={to} />) : nothingHere(c);
});

export const postStatus: AppHandler = change(async (c, session, form) => {
  const to = textOf(form, 'to');
  if (!isStatus(to)) return nothingHere(c);
  const confirmed = /^\d{1,15}$/.test(textOf(form, 'confirm_pending')) ? Number(textOf(form, 'confirm_pending')) : undefined;
  const outcome = await changeSupplier(c.var.deps, session.actor, codeOf(c), {
    status: to,
    reason: textOf(form, 'reason').trim(),
    ...(confirmed === undefined ? {} : { confirm_pending: confirmed }),
  });
  if (outcome.kind === 'changed') return redirectTo(c, at('suppliers', codeOf(c)), to);
  const supplier = await readSupplier(c.var.deps, codeOf(c));
  if (!supplier || outcome.kind === 'not_found') return nothingHere(c);
  if (outcome.kind !== 'invalid')
    return html(c, <StatusQuestion session={session} supplier={supplier} to={to} refused={outcome.detail} />, 409);
  const wrongReason = wrongOf(outcome.errors)['reason'];
  return html(c, <StatusQuestion session={session} supplier={supplier} to={to} wrongReason={wrongReason} />, 400);
});

export const getRetryQuestion: AppHandler = page(async (c, session) => {
  const errorCode = c.req.query('error_code') ?? '';
  const [supplier, codes] = await Promise.all([readSupplier(c.var.deps, codeOf(c)), readErrorCodes(c.var.deps, codeOf(c))]);
  const errored = codes.find(({ code }) => code === errorCode)?.count ?? 0;
  if (!supplier) return nothingHere(c);
  return html(
    c,
    <AskPage
      session={session}
      title={`Retry ${accounts(errored)}?`}
      action={at('suppliers', codeOf(c), 'retry-errored')}
      back={at('suppliers', codeOf(c))}
      confirm={`Retry ${count(errored)}`}
    >
      <p>
        Every account whose latest error is <code>{errorCode}</code> is scheduled again with the payload it has.
      </p>
      <input type="hidden" name="error_code" value={errorCode} />
    </AskPage>,
  );
});

export const postRetryWithCode: AppHandler = change(async (c, session, form) => {
  const outcome = await retryWithCode(c.var.deps, session.actor, codeOf(c), textOf(form, 'error_code'));
  if (outcome.kind !== 'done') return nothingHere(c);
  if (outcome.left > 0) return redirectTo(c, at('suppliers', codeOf(c)), 'retried_some', outcome.retried);
  return redirectRetried(c, at('suppliers', codeOf(c)), 'retried', outcome);
});

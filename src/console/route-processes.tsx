import type { AppContext, AppHandler } from '../http/app';
import { STATUSES, type Status } from '../import-processes';
import {
  accountNumberIn,
  cancel,
  countProcesses,
  listProcesses,
  type ProcessFilter,
  readErrorCodes,
  readProcess,
  readSupplier,
  retry,
  revealPayload,
  type SupplierDetails,
  type Total,
} from '../operator';
import { at } from './parts';
import { change, html, nextPage, nothingHere, noticeOf, PAGE, page, redirectTo, textOf } from './route-frame';
import type { Session } from './session';
import { AskPage } from './view-ask';
import { ProcessPage, type ProcessProps } from './view-process';
import { ProcessesPage } from './view-processes';
import { plural } from './words';

const codeOf = (c: AppContext): string => c.req.param('code') ?? '';
const numberOf = (c: AppContext): string => c.req.param('external') ?? '';
const isStatus = (text: string): text is Status => STATUSES.some((status) => status === text);

/** What a list shows, by its address. */
export function filterOf(c: AppContext): ProcessFilter {
  const { prefix, status: wanted = '', error_code: errorCode, field_code: fieldCode, attr, cursor } = c.req.query();
  return {
    status: isStatus(wanted) ? wanted : undefined,
    prefix: prefix || undefined,
    errorCode: errorCode || undefined,
    field: fieldCode && attr ? { code: fieldCode, attr } : undefined,
    accountNumber: undefined,
    cursor,
  };
}

/** How many the list has: by status they are known, all else is counted. */
async function totalOf(c: AppContext, { id, code, counts }: SupplierDetails, filter: ProcessFilter): Promise<Total> {
  const { status, prefix, errorCode, field } = filter;
  if (prefix || errorCode || field) return countProcesses(c.var.deps, id, code, filter);
  return { count: status ? counts[status] : Object.values(counts).reduce((sum, one) => sum + one, 0), isMore: false };
}

export const getProcessesPage: AppHandler = page(async (c, session) => {
  const filter = filterOf(c);
  const { prefix, cursor } = filter;
  const { deps } = c.var;
  // Only the form asks for the codes there are, not each keystroke in it.
  const isWhole = c.req.header('HX-Target') !== 'results';
  const [supplier, list, codes] = await Promise.all([
    readSupplier(deps, codeOf(c)),
    listProcesses(deps, codeOf(c), filter, PAGE),
    isWhole ? readErrorCodes(deps, codeOf(c)) : [],
  ]);
  if (!supplier || list.kind !== 'page') return nothingHere(c);
  const accountNumber = cursor === undefined ? accountNumberIn(prefix?.trim() ?? '') : undefined;
  const named = accountNumber && (await listProcesses(deps, codeOf(c), { ...filter, prefix: undefined, accountNumber }, 1));
  const found = named && named.kind === 'page' ? named.rows : [];
  const others = list.rows.filter((row) => !found.some((one) => one.externalAccountNumber === row.externalAccountNumber));
  const total = await totalOf(c, supplier, filter);
  return html(
    c,
    <ProcessesPage
      session={session}
      supplier={supplier}
      rows={[...found, ...others]}
      total={{ ...total, count: Math.max(total.count, found.length) }}
      filter={filter}
      codes={codes.map(({ code }) => code)}
      next={nextPage(c, list.cursor)}
      notice={noticeOf(c)}
    />,
  );
});

/** The list that a form with a selection was sent from. */
const listOf = (c: AppContext, form: FormData): string => {
  const query = new URLSearchParams(textOf(form, 'list'));
  query.delete('told');
  return `${at('suppliers', codeOf(c), 'processes')}?${query.toString()}`;
};

/** Retries or cancels what was selected, one by one: what has changed meanwhile is left as it is, and counted. */
export const postSelected: AppHandler = change(async (c, session, form) => {
  const numbers = form.getAll('external').filter((value) => typeof value === 'string');
  const isCancel = textOf(form, 'do') === 'cancel';
  if (numbers.length === 0) return redirectTo(c, listOf(c, form), 'none_selected');
  if (isCancel && textOf(form, 'confirmed') === '') {
    return html(
      c,
      <AskPage
        session={session}
        title={`Cancel ${plural(numbers.length, 'import')}?`}
        action={at('suppliers', codeOf(c), 'selected')}
        back={listOf(c, form)}
        confirm={`Cancel ${plural(numbers.length, 'import')}`}
        isDanger
      >
        <p>What is pending of them is not created. The importer can create it again at any time.</p>
        {Object.entries({ do: 'cancel', confirmed: 'true', list: textOf(form, 'list') }).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {numbers.map((number) => (
          <input type="hidden" name="external" value={number} />
        ))}
      </AskPage>,
    );
  }
  let left = 0;
  for (const number of numbers.slice(0, PAGE)) {
    const outcome = await (isCancel ? cancel : retry)(c.var.deps, session.actor, codeOf(c), number);
    if (outcome.kind !== 'done') left++;
  }
  if (left > 0) return redirectTo(c, listOf(c, form), isCancel ? 'not_all_cancelled' : 'not_all_retried_here', left);
  return redirectTo(c, listOf(c, form), isCancel ? 'cancelled_some' : 'retried', numbers.length);
});

async function processPage(c: AppContext, session: Session, more: Pick<ProcessProps, 'revealed' | 'refused'> = {}): Promise<Response> {
  const [supplier, process] = await Promise.all([readSupplier(c.var.deps, codeOf(c)), readProcess(c.var.deps, codeOf(c), numberOf(c))]);
  if (!supplier || !process) return nothingHere(c);
  return html(
    c,
    <ProcessPage session={session} supplier={supplier} process={process} notice={noticeOf(c)} {...more} />,
    more.refused ? 409 : 200,
  );
}

export const getProcessPage: AppHandler = page((c, session) => processPage(c, session));

const here = (c: AppContext): string => at('suppliers', codeOf(c), 'processes', numberOf(c));

export const postRetryProcess: AppHandler = change(async (c, session) => {
  const outcome = await retry(c.var.deps, session.actor, codeOf(c), numberOf(c));
  if (outcome.kind === 'done') return redirectTo(c, here(c), 'retried_one');
  return outcome.kind === 'refused' ? processPage(c, session, { refused: outcome.detail }) : nothingHere(c);
});

export const getCancelQuestion: AppHandler = page(async (c, session) => {
  const process = await readProcess(c.var.deps, codeOf(c), numberOf(c));
  if (!process) return nothingHere(c);
  return html(
    c,
    <AskPage
      session={session}
      title={`Cancel the import of ${numberOf(c)}?`}
      action={at('suppliers', codeOf(c), 'processes', numberOf(c), 'cancel')}
      back={here(c)}
      confirm="Cancel the import"
      isDanger
    >
      <p>The account is not created. The importer can create it again at any time.</p>
    </AskPage>,
  );
});

export const postCancelProcess: AppHandler = change(async (c, session) => {
  const outcome = await cancel(c.var.deps, session.actor, codeOf(c), numberOf(c));
  if (outcome.kind === 'done') return redirectTo(c, here(c), 'cancelled');
  return outcome.kind === 'refused' ? processPage(c, session, { refused: outcome.detail }) : nothingHere(c);
});

export const postRevealPayload: AppHandler = change(async (c, session) => {
  const outcome = await revealPayload(c.var.deps, session.actor, codeOf(c), numberOf(c));
  return outcome.kind === 'revealed' ? processPage(c, session, { revealed: { payload: outcome.payload } }) : nothingHere(c);
});

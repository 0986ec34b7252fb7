import type { AppContext, AppHandler } from '../http/app';
import { STATUSES, type Status } from '../import-processes';
import { accountNumberIn, cancel, listProcesses, readProcess, readSupplier, retry, revealPayload } from '../operator';
import { at } from './parts';
import { change, html, nextPage, nothingHere, PAGE, page, tell, toldBy } from './route-frame';
import type { Session } from './session';
import { AskPage } from './view-ask';
import { ProcessPage, type ProcessProps } from './view-process';
import { ProcessesPage } from './view-processes';

const codeOf = (c: AppContext): string => c.req.param('code') ?? '';
const numberOf = (c: AppContext): string => c.req.param('external') ?? '';
const isStatus = (text: string): text is Status => STATUSES.some((status) => status === text);

export const getProcessesPage: AppHandler = page(async (c, session) => {
  const { prefix = '', status: wanted = '', error_code: errorCode = '', cursor } = c.req.query();
  const status = isStatus(wanted) ? wanted : undefined;
  const filter = { status, prefix: prefix || undefined, errorCode: errorCode || undefined, accountNumber: undefined, cursor };
  const [supplier, list] = await Promise.all([readSupplier(c.var.deps, codeOf(c)), listProcesses(c.var.deps, codeOf(c), filter, PAGE)]);
  if (!supplier || list.kind !== 'page') return nothingHere(c);
  const accountNumber = cursor === undefined ? accountNumberIn(prefix.trim()) : undefined;
  const named = accountNumber && (await listProcesses(c.var.deps, codeOf(c), { ...filter, prefix: undefined, accountNumber }, 1));
  const found = named && named.kind === 'page' ? named.rows : [];
  const others = list.rows.filter((row) => !found.some((one) => one.externalAccountNumber === row.externalAccountNumber));
  return html(
    c,
    <ProcessesPage
      session={session}
      supplier={supplier}
      rows={[...found, ...others]}
      status={status}
      prefix={prefix}
      errorCode={errorCode}
      isFirst={cursor === undefined}
      next={nextPage(c, list.cursor)}
      told={toldBy(c)}
    />,
  );
});

async function processPage(c: AppContext, session: Session, more: Pick<ProcessProps, 'revealed' | 'refused'> = {}): Promise<Response> {
  const [supplier, process] = await Promise.all([readSupplier(c.var.deps, codeOf(c)), readProcess(c.var.deps, codeOf(c), numberOf(c))]);
  if (!supplier || !process) return nothingHere(c);
  return html(
    c,
    <ProcessPage session={session} supplier={supplier} process={process} told={toldBy(c)} {...more} />,
    more.refused ? 409 : 200,
  );
}

export const getProcessPage: AppHandler = page((c, session) => processPage(c, session));

const here = (c: AppContext): string => at('suppliers', codeOf(c), 'processes', numberOf(c));

export const postRetryProcess: AppHandler = change(async (c, session) => {
  const outcome = await retry(c.var.deps, session.actor, codeOf(c), numberOf(c));
  if (outcome.kind === 'done') return tell(c, here(c), 'retried_one');
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
  if (outcome.kind === 'done') return tell(c, here(c), 'cancelled');
  return outcome.kind === 'refused' ? processPage(c, session, { refused: outcome.detail }) : nothingHere(c);
});

export const postRevealPayload: AppHandler = change(async (c, session) => {
  const outcome = await revealPayload(c.var.deps, session.actor, codeOf(c), numberOf(c));
  return outcome.kind === 'revealed' ? processPage(c, session, { revealed: { payload: outcome.payload } }) : nothingHere(c);
});

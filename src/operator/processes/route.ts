import type { AppContext } from '../../http/app';
import { pageOf, pageReply } from '../../http/page';
import { invalidTransition, notFound, validationFailed } from '../../http/replies';
import { route } from '../../http/route';
import { isoInstant } from '../../shared/dates';
import { fieldError } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { queryParameter } from '../../shared/query';
import { unreachable } from '../../shared/unreachable';
import * as declared from './endpoints';
import { accountNumberIn, findAccount } from './find';
import { listProcesses } from './list';
import { readErrors, readRates } from './rates';
import { readProcess } from './read';
import { accountsQuery, retryBody } from './schema';
import { searchAccounts } from './search';
import { cancel, retry, retryWithCode, revealPayload, type Transition } from './transitions';
import { foundView, listedView, processView, retriedView } from './views';

/** `GET /operator/v1/suppliers/{code}/import-processes/?status=&prefix=&error_code=&number=&limit=&cursor=`: 200, 400, 401, 404. */
export const getProcesses = route(declared.listProcesses, async (c) => {
  const wanted = c.req.valid('query');
  const { limit, cursor } = pageOf(wanted);
  const accountNumber = numberOf(c, wanted.number);
  if (accountNumber instanceof Response) return accountNumber;
  const filter = {
    status: wanted.status || undefined,
    accountNumber,
    prefix: wanted.prefix || undefined,
    errorCode: wanted.error_code || undefined,
    cursor,
  };
  const list = await listProcesses(c.var.deps, c.req.valid('param').code, filter, limit);
  return list.kind === 'not_found' ? notFound(c) : pageReply(c, list, listedView);
});

/** `GET /operator/v1/accounts/?number=` or `?search=&limit=&cursor=`, over all suppliers: 200 with what was found; 400, 401. */
export const getAccounts = route(declared.findAccounts, async (c) => {
  const wanted = c.req.valid('query');
  const search = wanted.search?.trim();
  if (search) return pageReply(c, await searchAccounts(c.var.deps, search, pageOf(wanted)), foundView);
  const number = numberOf(c, wanted.number);
  if (number instanceof Response) return number;
  if (number === undefined) return validationFailed(c, [fieldError(['number'], 'required', 'Say which account.')]);
  const row = await findAccount(c.var.deps, number);
  return c.json(row ? [foundView(row)] : []);
});

/** The account number of `?number=`, which may say it as the platform identifier; undefined if it is absent. */
function numberOf(c: AppContext, given: string | undefined): string | undefined | Response {
  if (given === undefined) return undefined;
  const { code, detail } = queryParameter(accountsQuery.shape.number);
  return accountNumberIn(given) ?? validationFailed(c, [fieldError(['number'], code, detail)]);
}

/** `GET /operator/v1/suppliers/{code}/import-processes/{external}/`: 200 with event log, errors and masked payload; 401, 404. */
export const getProcess = route(declared.getProcess, async (c) => {
  const { code, external } = c.req.valid('param');
  const process = await readProcess(c.var.deps, code, external);
  return process ? c.json(processView(process)) : notFound(c);
});

async function transitioned(
  c: AppContext,
  { code, external }: Readonly<Record<'code' | 'external', string>>,
  transition: Transition,
): Promise<Response> {
  switch (transition.kind) {
    case 'done': {
      const process = await readProcess(c.var.deps, code, external);
      return process ? c.json(processView(process)) : notFound(c);
    }
    case 'not_found':
      return notFound(c);
    case 'refused':
      return invalidTransition(c, transition.detail);
    default:
      return unreachable(transition);
  }
}

/** `POST …/{external}/cancel/`: PENDING → CANCELLED. 200, 401, 404, 409. */
export const postCancel = route(declared.cancelProcess, async (c) => {
  const pair = c.req.valid('param');
  return transitioned(c, pair, await cancel(c.var.deps, c.var.operator.actor, pair.code, pair.external));
});

/** `POST …/{external}/retry/`: ERRORED → PENDING, unless its window is over or its payload emptied. 200, 401, 404, 409. */
export const postRetry = route(declared.retryProcess, async (c) => {
  const pair = c.req.valid('param');
  return transitioned(c, pair, await retry(c.var.deps, c.var.operator.actor, pair.code, pair.external));
});

/** `POST …/{external}/reveal/`: 200 with the payload as staged, audited; 401, 404. */
export const postReveal = route(declared.revealPayload, async (c) => {
  const { code, external } = c.req.valid('param');
  const revealed = await revealPayload(c.var.deps, c.var.operator.actor, code, external);
  return revealed.kind === 'revealed' ? c.json({ payload: revealed.payload }) : notFound(c);
});

/** `POST /operator/v1/suppliers/{code}/retry-errored/` {`error_code`}: 200 with how many; 400, 401, 404, 409. */
export const postRetryErrored = route(declared.retryErrored, async (c) => {
  const { draft, errors } = parse(retryBody, c.var.body.value);
  if (errors.length > 0 || draft.error_code === undefined) return validationFailed(c, errors);
  const outcome = await retryWithCode(c.var.deps, c.var.operator.actor, c.req.valid('param').code, draft.error_code);
  switch (outcome.kind) {
    case 'done':
      return c.json({ ...retriedView(outcome), left: outcome.left });
    case 'not_found':
      return notFound(c);
    case 'refused':
      return invalidTransition(c, outcome.detail);
    default:
      return unreachable(outcome);
  }
});

/** `GET /operator/v1/suppliers/{code}/errors/`: 200 with ERRORED processes by code; 401, 404. */
export const getErrors = route(declared.getErrors, async (c) => {
  const errors = await readErrors(c.var.deps, c.req.valid('param').code);
  return errors ? c.json({ codes: errors.codes, field_codes: errors.fieldCodes }) : notFound(c);
});

const DEFAULT_MINUTES = 60;

/** `GET /operator/v1/suppliers/{code}/rates/?minutes=60`: 200 with imports per minute, oldest first; 400, 401, 404. */
export const getRates = route(declared.getRates, async (c) => {
  const { minutes = DEFAULT_MINUTES } = c.req.valid('query');
  const rates = await readRates(c.var.deps, c.req.valid('param').code, minutes);
  return rates ? c.json(rates.map(({ minute, ...counts }) => ({ minute: isoInstant(minute * 60_000), ...counts }))) : notFound(c);
});

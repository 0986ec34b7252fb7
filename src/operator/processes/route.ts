import type { AppContext, AppHandler } from '../../http/app';
import { pageQuery, pageReply } from '../../http/page';
import { invalidTransition, notFound, validationFailed } from '../../http/replies';
import { STATUSES, type Status } from '../../import-processes';
import { isoInstant } from '../../shared/dates';
import { fieldError } from '../../shared/errors';
import { parse } from '../../shared/parse';
import { unreachable } from '../../shared/unreachable';
import { accountNumberIn, findAccount } from './find';
import { listProcesses } from './list';
import { readErrors, readRates } from './rates';
import { readProcess } from './read';
import { retryBody } from './schema';
import { searchAccounts } from './search';
import { cancel, retry, retryWithCode, revealPayload, type Transition } from './transitions';
import { foundView, listedView, processView, retriedView } from './views';

const supplierOf = (c: AppContext): string => c.req.param('code') ?? '';
const numberOf = (c: AppContext): string => c.req.param('external') ?? '';
const isStatus = (text: string): text is Status => STATUSES.some((status) => status === text);

/** `GET /operator/v1/suppliers/{code}/import-processes/?status=&prefix=&error_code=&number=&limit=&cursor=`: 200, 400, 401, 404. */
export const getProcesses: AppHandler = async (c) => {
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  const status = c.req.query('status') || undefined;
  if (status !== undefined && !isStatus(status)) {
    return validationFailed(c, [fieldError(['status'], 'invalid', `Choose one of ${STATUSES.join(', ')}.`)]);
  }
  const accountNumber = numberQuery(c);
  if (accountNumber instanceof Response) return accountNumber;
  const filter = {
    status,
    accountNumber,
    prefix: c.req.query('prefix') || undefined,
    errorCode: c.req.query('error_code') || undefined,
    cursor: page.cursor,
  };
  const list = await listProcesses(c.var.deps, supplierOf(c), filter, page.limit);
  return list.kind === 'not_found' ? notFound(c) : pageReply(c, list, listedView);
};

/** `GET /operator/v1/accounts/?number=` or `?search=&limit=&cursor=`, over all suppliers: 200 with what was found; 400, 401. */
export const getAccounts: AppHandler = async (c) => {
  const page = pageQuery(c);
  if (page instanceof Response) return page;
  const search = c.req.query('search')?.trim();
  if (search) return pageReply(c, await searchAccounts(c.var.deps, search, page), foundView);
  const number = numberQuery(c);
  if (number instanceof Response) return number;
  if (number === undefined) return validationFailed(c, [fieldError(['number'], 'required', 'Say which account.')]);
  const row = await findAccount(c.var.deps, number);
  return c.json(row ? [foundView(row)] : []);
};

/** The account number of `?number=`, which may say it as the platform identifier; undefined if it is absent. */
function numberQuery(c: AppContext): string | undefined | Response {
  const given = c.req.query('number');
  if (given === undefined) return undefined;
  const detail = 'Enter A- and eight of 0-9 and A-F, or a platform identifier.';
  return accountNumberIn(given) ?? validationFailed(c, [fieldError(['number'], 'invalid', detail)]);
}

/** `GET /operator/v1/suppliers/{code}/import-processes/{external}/`: 200 with event log, errors and masked payload; 401, 404. */
export const getProcess: AppHandler = async (c) => {
  const process = await readProcess(c.var.deps, supplierOf(c), numberOf(c));
  return process ? c.json(processView(process)) : notFound(c);
};

async function transitioned(c: AppContext, transition: Transition): Promise<Response> {
  switch (transition.kind) {
    case 'done': {
      const process = await readProcess(c.var.deps, supplierOf(c), numberOf(c));
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
export const postCancel: AppHandler = async (c) => {
  return transitioned(c, await cancel(c.var.deps, c.var.operator.actor, supplierOf(c), numberOf(c)));
};

/** `POST …/{external}/retry/`: ERRORED → PENDING, unless its window is over or its payload emptied. 200, 401, 404, 409. */
export const postRetry: AppHandler = async (c) => {
  return transitioned(c, await retry(c.var.deps, c.var.operator.actor, supplierOf(c), numberOf(c)));
};

/** `POST …/{external}/reveal/`: 200 with the payload as staged, audited; 401, 404. */
export const postReveal: AppHandler = async (c) => {
  const revealed = await revealPayload(c.var.deps, c.var.operator.actor, supplierOf(c), numberOf(c));
  return revealed.kind === 'revealed' ? c.json({ payload: revealed.payload }) : notFound(c);
};

/** `POST /operator/v1/suppliers/{code}/retry-errored/` {`error_code`}: 200 with how many; 400, 401, 404, 409. */
export const postRetryErrored: AppHandler = async (c) => {
  const { draft, errors } = parse(retryBody, c.var.body.value);
  if (errors.length > 0 || draft.error_code === undefined) return validationFailed(c, errors);
  const outcome = await retryWithCode(c.var.deps, c.var.operator.actor, supplierOf(c), draft.error_code);
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
};

/** `GET /operator/v1/suppliers/{code}/errors/`: 200 with ERRORED processes by code; 401, 404. */
export const getErrors: AppHandler = async (c) => {
  const errors = await readErrors(c.var.deps, supplierOf(c));
  return errors ? c.json({ codes: errors.codes, field_codes: errors.fieldCodes }) : notFound(c);
};

const MAX_MINUTES = 1_440;

/** `GET /operator/v1/suppliers/{code}/rates/?minutes=60`: 200 with imports per minute, oldest first; 400, 401, 404. */
export const getRates: AppHandler = async (c) => {
  const given = c.req.query('minutes') ?? '60';
  const minutes = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (minutes < 1 || minutes > MAX_MINUTES) {
    return validationFailed(c, [fieldError(['minutes'], 'invalid', `Enter a number from 1 to ${MAX_MINUTES}.`)]);
  }
  const rates = await readRates(c.var.deps, supplierOf(c), minutes);
  return rates ? c.json(rates.map(({ minute, ...counts }) => ({ minute: isoInstant(minute * 60_000), ...counts }))) : notFound(c);
};

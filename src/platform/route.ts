import { accountView, asIs, readAccount } from '../account-reading';
import { notFound, validationFailed } from '../http/replies';
import { route } from '../http/route';
import { textStream } from '../http/stream';
import { fieldError } from '../shared/errors';
import * as declared from './endpoints';
import { readFeed } from './feed';

/** `GET /platform/v1/accounts/{number}/`, by platform account number or identifier: 200 whole; 401, 404, 429. */
export const getPlatformAccount = route(declared.getPlatformAccount, async (c) => {
  const account = await readAccount(c.var.deps, c.req.valid('param').number);
  return account ? c.json(accountView(account, c.var.deps.now(), asIs)) : notFound(c);
});

const DEFAULT_LIMIT = 100;

/** `GET /platform/v1/accounts/?import_supplier=&cursor=&limit=`: 200 NDJSON in commit order; 400, 401, 429. */
export const getPlatformAccounts = route(declared.listPlatformAccounts, async (c) => {
  const { import_supplier: supplierCode, cursor = { commit: 0, position: 0 }, limit = DEFAULT_LIMIT } = c.req.valid('query');
  const feed = await readFeed(c.var.deps, { supplierCode, cursor, limit });
  if (feed.kind === 'unknown_supplier')
    return validationFailed(c, [fieldError(['import_supplier'], 'does_not_exist', 'There is no import supplier with this code.')]);
  return c.body(textStream(c.var.deps, feed.pieces), 200, { 'Content-Type': 'application/x-ndjson' });
});

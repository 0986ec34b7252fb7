/**
 * The map: every endpoint with its full path, in the order of the specification.
 */
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { getAccount, getAccountOfPair, getDocument, postEndInstruction, postRevealAccount } from './account-reading/route';
import { postAccount, postAccountValidation, postBulk } from './accounts/route';
import { getAudit } from './audit/route';
import { consolePages } from './console/route';
import type { DepsFrom } from './deps';
import { getHealth, getReadiness } from './health/route';
import type { App, AppHandler } from './http/app';
import { envelope, onError, onlyReadablePaths, onNotFound, onOtherMethod } from './http/failures';
import { getDocs, getFavicon, getOpenapi } from './http/pages';
import { deleteImport, getAll, getImported, getPending, getStatus, getTransferStatus } from './import-processes/route';
import { postNotes } from './notes/route';
import { getDeadLetters, getQueue, postDismiss, postRedrive } from './operator/health/route';
import {
  getAccounts,
  getErrors,
  getProcess,
  getProcesses,
  getRates,
  postCancel,
  postRetry,
  postRetryErrored,
  postReveal,
} from './operator/processes/route';
import { postRestore } from './operator/restores/route';
import { getSupplier, getSuppliers, patchSupplier, postSupplier } from './operator/suppliers/route';
import { deleteApiKey, getApiKeys, getOrganisations, postApiKey, postOrganisation } from './organisations/route';
import { postPaymentInstruction } from './payment-instructions/route';
import { getPlatformAccount, getPlatformAccounts } from './platform/route';
import { getImportProcesses, getImportSupplier, getImportSuppliers } from './progress/route';
import { postStatements } from './statements/route';
import { postGraphql } from './tokens/route';
import { postTransactions } from './transactions/route';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Endpoint = readonly [method: Method, path: string, handler: AppHandler];

export const ENDPOINTS: readonly Endpoint[] = [
  ['POST', '/v1/data-import/notes/create/', postNotes], // §4.1
  ['POST', '/v1/data-import/transactions/create/', postTransactions], // §4.2
  ['POST', '/v1/data-import/historical-statements/create/', postStatements], // §4.3
  ['POST', '/v1/data-import/payment-instruction/create/', postPaymentInstruction], // §4.4
  ['POST', '/v2/data-import/accounts/validate/', postAccountValidation], // §4.5
  ['POST', '/v2/data-import/accounts/', postAccount], // §4.6
  ['POST', '/v2/data-import/accounts/bulk/', postBulk], // ours: §4.5 and §4.6, many at once
  ['GET', '/v2/data-import/accounts/:supplier/:number/', getStatus], // §4.7
  ['DELETE', '/v2/data-import/accounts/:supplier/:number/', deleteImport], // ours: cancels a PENDING import
  ['GET', '/v1/data-import/account-transfer-status/:supplier/:number/', getTransferStatus], // §4.8
  ['GET', '/v1/data-import/all-account-import-processes/:supplier/', getAll], // §4.9
  ['GET', '/v1/data-import/pending-account-import-processes/:supplier/', getPending], // §4.10
  ['GET', '/v1/data-import/imported-account-import-processes/:supplier/', getImported], // §4.11
  ['GET', '/v2/data-import/import-suppliers/', getImportSuppliers], // ours: §4.14
  ['GET', '/v2/data-import/import-suppliers/:supplier/', getImportSupplier], // ours: §4.14
  ['GET', '/v2/data-import/import-processes/:supplier/', getImportProcesses], // ours: §4.15

  // The operator interface
  ['POST', '/operator/v1/organisations/', postOrganisation],
  ['GET', '/operator/v1/organisations/', getOrganisations],
  ['POST', '/operator/v1/organisations/:id/api-keys/', postApiKey],
  ['GET', '/operator/v1/organisations/:id/api-keys/', getApiKeys],
  ['DELETE', '/operator/v1/api-keys/:id/', deleteApiKey],
  ['POST', '/operator/v1/suppliers/', postSupplier],
  ['GET', '/operator/v1/suppliers/', getSuppliers],
  ['GET', '/operator/v1/suppliers/:code/', getSupplier],
  ['PATCH', '/operator/v1/suppliers/:code/', patchSupplier],
  ['GET', '/operator/v1/suppliers/:code/rates/', getRates],
  ['GET', '/operator/v1/suppliers/:code/errors/', getErrors],
  ['POST', '/operator/v1/suppliers/:code/retry-errored/', postRetryErrored],
  ['GET', '/operator/v1/suppliers/:code/import-processes/', getProcesses],
  ['GET', '/operator/v1/suppliers/:code/import-processes/:external/', getProcess],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/cancel/', postCancel],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/retry/', postRetry],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/reveal/', postReveal],
  ['GET', '/operator/v1/suppliers/:code/accounts/:external/', getAccountOfPair],
  ['GET', '/operator/v1/accounts/', getAccounts],
  ['GET', '/operator/v1/accounts/:number/', getAccount],
  ['POST', '/operator/v1/accounts/:number/reveal/', postRevealAccount],
  ['GET', '/operator/v1/accounts/:number/documents/', getDocument],
  ['POST', '/operator/v1/accounts/:number/payment-instructions/:type/end/', postEndInstruction],
  ['GET', '/operator/v1/queue/', getQueue],
  ['GET', '/operator/v1/dead-letters/', getDeadLetters],
  ['POST', '/operator/v1/dead-letters/:id/redrive/', postRedrive],
  ['POST', '/operator/v1/dead-letters/:id/dismiss/', postDismiss],
  ['POST', '/operator/v1/restores/', postRestore],
  ['GET', '/operator/v1/audit/', getAudit],

  // Platform systems
  ['GET', '/platform/v1/accounts/', getPlatformAccounts],
  ['GET', '/platform/v1/accounts/:number/', getPlatformAccount],

  // Open without a token
  ['GET', '/healthz/', getHealth],
  ['GET', '/readyz/', getReadiness],
  ['GET', '/openapi.json/', getOpenapi],
  ['GET', '/docs/', getDocs],
  ['GET', '/favicon.ico/', getFavicon],
  ['POST', '/v1/graphql/', postGraphql], // §5.2
];

export function appOf(depsFrom: DepsFrom): Hono<App> {
  // Every path also answers without its trailing slash, never with a redirect.
  const app = new Hono<App>({ getPath: (request) => withSlash(getPath(request)) });
  app.use(envelope(depsFrom), onlyReadablePaths);
  const methods = new Map<string, Method[]>();
  for (const [method, path, handler] of ENDPOINTS) {
    app.on(method, path, handler);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  for (const [path, allowed] of methods) app.all(path, onOtherMethod(allowed));
  app.route('/', consolePages);
  app.notFound(onNotFound);
  app.onError(onError);
  return app;
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

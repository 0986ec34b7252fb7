/**
 * The map: every endpoint with its full path, in the order of the specification.
 */
import { Hono } from 'hono';
import type { H } from 'hono/types';
import { getPath } from 'hono/utils/url';
import { getAccount, getAccountOfPair, getDocument, postEndInstruction, postRevealAccount } from './account-reading/route';
import { ndjson, postAccount, postAccountValidation, postBulk } from './accounts/route';
import { bulkQuery, validateQuery } from './accounts/schema';
import { getAudit } from './audit/route';
import { consolePages } from './console/route';
import type { DepsFrom } from './deps';
import { getDocuments, postDocumentsCheck, putDocument } from './documents/route';
import { documentsQuery } from './documents/schema';
import { getHealth, getReadiness } from './health/route';
import { administering, importer, open, operating, platform, reading, writer } from './http/access';
import type { App, AppMiddleware } from './http/app';
import { envelope, onError, onlyReadablePaths, onNotFound, onOtherMethod } from './http/failures';
import { json } from './http/json';
import { getDocs, getFavicon, getOpenapi } from './http/pages';
import { query } from './http/query';
import { deleteImport, getAll, getImported, getPending, getStatus, getTransferStatus } from './import-processes/route';
import { listQuery } from './import-processes/schema';
import { postNotes } from './notes/route';
import { deleteAlertAddress, getAlertAddresses, getAlerts, postAlertAddress, postAlertTest } from './operator/alerts/route';
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
import { deleteOperatorToken, getOperatorTokens, postOperatorToken } from './operator/tokens/route';
import { deleteApiKey, getApiKeys, getOrganisations, postApiKey, postOrganisation } from './organisations/route';
import { postPaymentInstruction } from './payment-instructions/route';
import { getPlatformAccount, getPlatformAccounts } from './platform/route';
import { getImportProcesses, getImportSupplier, getImportSuppliers } from './progress/route';
import { processesQuery } from './progress/schema';
import { postStatements } from './statements/route';
import { postGraphql } from './tokens/route';
import { postTransactions } from './transactions/route';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Behind the path stand who may call, what is read of the request, and what answers it. */
export type Endpoint = readonly [method: Method, path: string, access: AppMiddleware, ...handlers: H<App>[]];

export const ENDPOINTS: readonly Endpoint[] = [
  ['POST', '/v1/data-import/notes/create/', writer, json, postNotes], // §4.1
  ['POST', '/v1/data-import/transactions/create/', writer, json, postTransactions], // §4.2
  ['POST', '/v1/data-import/historical-statements/create/', writer, json, postStatements], // §4.3
  ['POST', '/v1/data-import/payment-instruction/create/', writer, json, postPaymentInstruction], // §4.4
  ['POST', '/v2/data-import/accounts/validate/', importer, json, query(validateQuery), postAccountValidation], // §4.5
  ['POST', '/v2/data-import/accounts/', writer, json, postAccount], // §4.6
  ['POST', '/v2/data-import/accounts/bulk/', importer, ndjson, query(bulkQuery), postBulk], // ours: §4.5 and §4.6, many at once
  ['GET', '/v2/data-import/accounts/:supplier/:number/', importer, getStatus], // §4.7
  ['DELETE', '/v2/data-import/accounts/:supplier/:number/', writer, deleteImport], // ours: cancels a PENDING import
  ['GET', '/v1/data-import/account-transfer-status/:supplier/:number/', importer, getTransferStatus], // §4.8
  ['GET', '/v1/data-import/all-account-import-processes/:supplier/', importer, query(listQuery), getAll], // §4.9
  ['GET', '/v1/data-import/pending-account-import-processes/:supplier/', importer, query(listQuery), getPending], // §4.10
  ['GET', '/v1/data-import/imported-account-import-processes/:supplier/', importer, query(listQuery), getImported], // §4.11
  ['GET', '/v2/data-import/import-suppliers/', importer, getImportSuppliers], // ours: §4.14
  ['GET', '/v2/data-import/import-suppliers/:supplier/', importer, getImportSupplier], // ours: §4.14
  ['GET', '/v2/data-import/import-processes/:supplier/', importer, query(processesQuery), getImportProcesses], // ours: §4.15
  ['POST', '/v2/data-import/documents/check/', importer, json, postDocumentsCheck], // ours: §4.16
  ['PUT', '/v2/data-import/documents/:supplier/:path{[\\s\\S]+}', writer, putDocument], // ours: §4.17
  ['GET', '/v2/data-import/documents/:supplier/', importer, query(documentsQuery), getDocuments], // ours: §4.18

  // The operator interface: each endpoint with the role that it needs
  ['POST', '/operator/v1/organisations/', administering, json, postOrganisation],
  ['GET', '/operator/v1/organisations/', reading, getOrganisations],
  ['POST', '/operator/v1/organisations/:id/api-keys/', administering, json, postApiKey],
  ['GET', '/operator/v1/organisations/:id/api-keys/', reading, getApiKeys],
  ['DELETE', '/operator/v1/api-keys/:id/', administering, deleteApiKey],
  ['POST', '/operator/v1/suppliers/', administering, json, postSupplier],
  ['GET', '/operator/v1/suppliers/', reading, getSuppliers],
  ['GET', '/operator/v1/suppliers/:code/', reading, getSupplier],
  ['PATCH', '/operator/v1/suppliers/:code/', operating, json, patchSupplier],
  ['GET', '/operator/v1/suppliers/:code/rates/', reading, getRates],
  ['GET', '/operator/v1/suppliers/:code/errors/', reading, getErrors],
  ['POST', '/operator/v1/suppliers/:code/retry-errored/', operating, json, postRetryErrored],
  ['GET', '/operator/v1/suppliers/:code/import-processes/', reading, getProcesses],
  ['GET', '/operator/v1/suppliers/:code/import-processes/:external/', reading, getProcess],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/cancel/', operating, postCancel],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/retry/', operating, postRetry],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/reveal/', operating, postReveal],
  ['GET', '/operator/v1/suppliers/:code/accounts/:external/', reading, getAccountOfPair],
  ['GET', '/operator/v1/accounts/', reading, getAccounts],
  ['GET', '/operator/v1/accounts/:number/', reading, getAccount],
  ['POST', '/operator/v1/accounts/:number/reveal/', operating, postRevealAccount],
  ['GET', '/operator/v1/accounts/:number/documents/', operating, getDocument],
  ['POST', '/operator/v1/accounts/:number/payment-instructions/:type/end/', operating, json, postEndInstruction],
  ['GET', '/operator/v1/queue/', reading, getQueue],
  ['GET', '/operator/v1/dead-letters/', reading, getDeadLetters],
  ['POST', '/operator/v1/dead-letters/:id/redrive/', operating, postRedrive],
  ['POST', '/operator/v1/dead-letters/:id/dismiss/', operating, postDismiss],
  ['POST', '/operator/v1/restores/', administering, json, postRestore],
  ['GET', '/operator/v1/audit/', reading, getAudit],
  ['POST', '/operator/v1/operator-tokens/', administering, json, postOperatorToken],
  ['GET', '/operator/v1/operator-tokens/', administering, getOperatorTokens],
  ['DELETE', '/operator/v1/operator-tokens/:id/', administering, deleteOperatorToken],
  ['GET', '/operator/v1/alerts/', reading, getAlerts],
  ['POST', '/operator/v1/alert-addresses/', administering, json, postAlertAddress],
  ['GET', '/operator/v1/alert-addresses/', administering, getAlertAddresses],
  ['DELETE', '/operator/v1/alert-addresses/:id/', administering, deleteAlertAddress],
  ['POST', '/operator/v1/alert-addresses/:id/test/', administering, postAlertTest],

  // Platform systems
  ['GET', '/platform/v1/accounts/', platform, getPlatformAccounts],
  ['GET', '/platform/v1/accounts/:number/', platform, getPlatformAccount],

  // Open without a token
  ['GET', '/healthz/', open, getHealth],
  ['GET', '/readyz/', open, getReadiness],
  ['GET', '/openapi.json/', open, getOpenapi],
  ['GET', '/docs/', open, getDocs],
  ['GET', '/favicon.ico/', open, getFavicon],
  ['POST', '/v1/graphql/', open, postGraphql], // §5.2
];

export function appOf(depsFrom: DepsFrom): Hono<App> {
  // Every path also answers without its trailing slash, never with a redirect.
  const app = new Hono<App>({ getPath: (request) => withSlash(getPath(request)) });
  app.use(envelope(depsFrom), onlyReadablePaths);
  for (const [path, endpoints] of Map.groupBy(ENDPOINTS, ([, at]) => at)) {
    for (const [method, , ...handlers] of endpoints) app.on(method, path, ...handlers);
    // Before the next path: one with a name in it is not asked for what has a path of its own.
    app.all(path, onOtherMethod(endpoints.map(([method]) => method)));
  }
  app.route('/', consolePages);
  app.notFound(onNotFound);
  app.onError(onError);
  return app;
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/**
 * The map: every endpoint with its full path, in the order of the specification.
 */
import { Hono } from 'hono';
import type { H } from 'hono/types';
import { getPath } from 'hono/utils/url';
import { getAccount, getAccountOfPair, getDocument, postEndInstruction, postRevealAccount } from './account-reading/route';
import { postAccount, postAccountValidation, postBulk } from './accounts/route';
import { bulkQuery, validateQuery } from './accounts/schema';
import { getAudit } from './audit/route';
import { consolePages } from './console/route';
import type { DepsFrom } from './deps';
import { getDocuments, postDocumentsCheck, putDocument } from './documents/route';
import { documentsQuery } from './documents/schema';
import { getHealth, getReadiness } from './health/route';
import { importer, open, operator, platform } from './http/access';
import type { App, AppMiddleware } from './http/app';
import { ndjson } from './http/bulk';
import { envelope, onError, onlyReadablePaths, onNotFound, onOtherMethod } from './http/failures';
import { json } from './http/json';
import { getDocs, getDocsPage, getFavicon, getOpenapi } from './http/pages';
import { query } from './http/query';
import { getTool, getTools } from './http/tools';
import { deleteImport, getAll, getImported, getPending, getStatus, getTransferStatus } from './import-processes/route';
import { listQuery } from './import-processes/schema';
import { postNotes, postNotesInBulk } from './notes/route';
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
import { processesQuery } from './progress/schema';
import { postStatements, postStatementsInBulk } from './statements/route';
import { postGraphql } from './tokens/route';
import { postTransactions, postTransactionsInBulk } from './transactions/route';
import { bulkQuery as transactionsBulkQuery } from './transactions/schema';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Behind the path stand who may call, what is read of the request, and what answers it. */
export type Endpoint = readonly [method: Method, path: string, access: AppMiddleware, ...handlers: H<App>[]];

export const ENDPOINTS: readonly Endpoint[] = [
  ['POST', '/v1/data-import/notes/create/', importer, json, postNotes], // §4.1
  ['POST', '/v1/data-import/transactions/create/', importer, json, postTransactions], // §4.2
  ['POST', '/v1/data-import/historical-statements/create/', importer, json, postStatements], // §4.3
  ['POST', '/v1/data-import/notes/bulk/', importer, ndjson, postNotesInBulk], // ours: §4.1, many at once
  ['POST', '/v1/data-import/transactions/bulk/', importer, ndjson, query(transactionsBulkQuery), postTransactionsInBulk], // ours: §4.2, many at once
  ['POST', '/v1/data-import/historical-statements/bulk/', importer, ndjson, postStatementsInBulk], // ours: §4.3, many at once
  ['POST', '/v1/data-import/payment-instruction/create/', importer, json, postPaymentInstruction], // §4.4
  ['POST', '/v2/data-import/accounts/validate/', importer, json, query(validateQuery), postAccountValidation], // §4.5
  ['POST', '/v2/data-import/accounts/', importer, json, postAccount], // §4.6
  ['POST', '/v2/data-import/accounts/bulk/', importer, ndjson, query(bulkQuery), postBulk], // ours: §4.5 and §4.6, many at once
  ['GET', '/v2/data-import/accounts/:supplier/:number/', importer, getStatus], // §4.7
  ['DELETE', '/v2/data-import/accounts/:supplier/:number/', importer, deleteImport], // ours: cancels a PENDING import
  ['GET', '/v1/data-import/account-transfer-status/:supplier/:number/', importer, getTransferStatus], // §4.8
  ['GET', '/v1/data-import/all-account-import-processes/:supplier/', importer, query(listQuery), getAll], // §4.9
  ['GET', '/v1/data-import/pending-account-import-processes/:supplier/', importer, query(listQuery), getPending], // §4.10
  ['GET', '/v1/data-import/imported-account-import-processes/:supplier/', importer, query(listQuery), getImported], // §4.11
  ['GET', '/v2/data-import/import-suppliers/', importer, getImportSuppliers], // ours: §4.14
  ['GET', '/v2/data-import/import-suppliers/:supplier/', importer, getImportSupplier], // ours: §4.14
  ['GET', '/v2/data-import/import-processes/:supplier/', importer, query(processesQuery), getImportProcesses], // ours: §4.15
  ['POST', '/v2/data-import/documents/check/', importer, json, postDocumentsCheck], // ours: §4.16
  ['PUT', '/v2/data-import/documents/:supplier/:path{[\\s\\S]+}', importer, putDocument], // ours: §4.17
  ['GET', '/v2/data-import/documents/:supplier/', importer, query(documentsQuery), getDocuments], // ours: §4.18

  // The operator interface
  ['POST', '/operator/v1/organisations/', operator, json, postOrganisation],
  ['GET', '/operator/v1/organisations/', operator, getOrganisations],
  ['POST', '/operator/v1/organisations/:id/api-keys/', operator, json, postApiKey],
  ['GET', '/operator/v1/organisations/:id/api-keys/', operator, getApiKeys],
  ['DELETE', '/operator/v1/api-keys/:id/', operator, deleteApiKey],
  ['POST', '/operator/v1/suppliers/', operator, json, postSupplier],
  ['GET', '/operator/v1/suppliers/', operator, getSuppliers],
  ['GET', '/operator/v1/suppliers/:code/', operator, getSupplier],
  ['PATCH', '/operator/v1/suppliers/:code/', operator, json, patchSupplier],
  ['GET', '/operator/v1/suppliers/:code/rates/', operator, getRates],
  ['GET', '/operator/v1/suppliers/:code/errors/', operator, getErrors],
  ['POST', '/operator/v1/suppliers/:code/retry-errored/', operator, json, postRetryErrored],
  ['GET', '/operator/v1/suppliers/:code/import-processes/', operator, getProcesses],
  ['GET', '/operator/v1/suppliers/:code/import-processes/:external/', operator, getProcess],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/cancel/', operator, postCancel],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/retry/', operator, postRetry],
  ['POST', '/operator/v1/suppliers/:code/import-processes/:external/reveal/', operator, postReveal],
  ['GET', '/operator/v1/suppliers/:code/accounts/:external/', operator, getAccountOfPair],
  ['GET', '/operator/v1/accounts/', operator, getAccounts],
  ['GET', '/operator/v1/accounts/:number/', operator, getAccount],
  ['POST', '/operator/v1/accounts/:number/reveal/', operator, postRevealAccount],
  ['GET', '/operator/v1/accounts/:number/documents/', operator, getDocument],
  ['POST', '/operator/v1/accounts/:number/payment-instructions/:type/end/', operator, json, postEndInstruction],
  ['GET', '/operator/v1/queue/', operator, getQueue],
  ['GET', '/operator/v1/dead-letters/', operator, getDeadLetters],
  ['POST', '/operator/v1/dead-letters/:id/redrive/', operator, postRedrive],
  ['POST', '/operator/v1/dead-letters/:id/dismiss/', operator, postDismiss],
  ['POST', '/operator/v1/restores/', operator, json, postRestore],
  ['GET', '/operator/v1/audit/', operator, getAudit],

  // Platform systems
  ['GET', '/platform/v1/accounts/', platform, getPlatformAccounts],
  ['GET', '/platform/v1/accounts/:number/', platform, getPlatformAccount],

  // Open without a token
  ['GET', '/healthz/', open, getHealth],
  ['GET', '/readyz/', open, getReadiness],
  ['GET', '/openapi.json/', open, getOpenapi],
  ['GET', '/docs/', open, getDocs],
  ['GET', '/docs/:page{[a-z0-9./-]+}', open, getDocsPage],
  ['GET', '/tools/', open, getTools],
  ['GET', '/tools/:file/', open, getTool],
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

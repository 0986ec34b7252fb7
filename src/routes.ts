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
import { getDocuments, postDocumentsCheck, putDocument } from './documents/route';
import { getAllEvents, getEvents } from './events/route';
import { getHealth, getReadiness } from './health/route';
import { importer, open, operator, platform } from './http/access';
import type { App } from './http/app';
import { envelope, onError, onlyReadablePaths, onNotFound, onOtherMethod } from './http/failures';
import { type Mapped, on, withSlash } from './http/route';
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
import { getDocs, getDocsPage, getFavicon, getOpenapi } from './pages/route';
import { postPaymentInstruction } from './payment-instructions/route';
import { getPlatformAccount, getPlatformAccounts } from './platform/route';
import { getImportProcesses, getImportSupplier, getImportSuppliers } from './progress/route';
import { postStatements } from './statements/route';
import { postGraphql } from './tokens/route';
import { postTransactions } from './transactions/route';
import {
  deleteWebhookOfId,
  getWebhooks,
  patchWebhookOfId,
  postReplay,
  postRotateSecret,
  postTestOfWebhook,
  postWebhook,
} from './webhooks/route';

export const ENDPOINTS: readonly Mapped[] = [
  on('POST', '/v1/data-import/notes/create/', importer, postNotes),
  on('POST', '/v1/data-import/transactions/create/', importer, postTransactions),
  on('POST', '/v1/data-import/historical-statements/create/', importer, postStatements),
  on('POST', '/v1/data-import/payment-instruction/create/', importer, postPaymentInstruction),
  on('POST', '/v2/data-import/accounts/validate/', importer, postAccountValidation),
  on('POST', '/v2/data-import/accounts/', importer, postAccount),
  on('POST', '/v2/data-import/accounts/bulk/', importer, postBulk),
  on('GET', '/v2/data-import/accounts/:import_supplier_code/:external_identifier/', importer, getStatus),
  on('DELETE', '/v2/data-import/accounts/:import_supplier_code/:external_identifier/', importer, deleteImport),
  on('GET', '/v1/data-import/account-transfer-status/:import_supplier_code/:external_account_number/', importer, getTransferStatus),
  on('GET', '/v1/data-import/all-account-import-processes/:import_supplier_code/', importer, getAll),
  on('GET', '/v1/data-import/pending-account-import-processes/:import_supplier_code/', importer, getPending),
  on('GET', '/v1/data-import/imported-account-import-processes/:import_supplier_code/', importer, getImported),
  on('GET', '/v2/data-import/import-suppliers/', importer, getImportSuppliers),
  on('GET', '/v2/data-import/import-suppliers/:import_supplier_code/', importer, getImportSupplier),
  on('GET', '/v2/data-import/import-processes/:import_supplier_code/', importer, getImportProcesses),
  on('POST', '/v2/data-import/documents/check/', importer, postDocumentsCheck),
  on('PUT', '/v2/data-import/documents/:import_supplier_code/:document_path{[\\s\\S]+}', importer, putDocument),
  on('GET', '/v2/data-import/documents/:import_supplier_code/', importer, getDocuments),
  on('GET', '/v2/data-import/events/:import_supplier_code/', importer, getEvents),
  on('POST', '/v2/data-import/webhooks/', importer, postWebhook),
  on('GET', '/v2/data-import/webhooks/', importer, getWebhooks),
  on('PATCH', '/v2/data-import/webhooks/:webhook_id/', importer, patchWebhookOfId),
  on('DELETE', '/v2/data-import/webhooks/:webhook_id/', importer, deleteWebhookOfId),
  on('POST', '/v2/data-import/webhooks/:webhook_id/test/', importer, postTestOfWebhook),
  on('POST', '/v2/data-import/webhooks/:webhook_id/rotate-secret/', importer, postRotateSecret),
  on('POST', '/v2/data-import/webhooks/:webhook_id/replay/', importer, postReplay),

  // The operator interface
  on('POST', '/operator/v1/organisations/', operator, postOrganisation),
  on('GET', '/operator/v1/organisations/', operator, getOrganisations),
  on('POST', '/operator/v1/organisations/:id/api-keys/', operator, postApiKey),
  on('GET', '/operator/v1/organisations/:id/api-keys/', operator, getApiKeys),
  on('DELETE', '/operator/v1/api-keys/:id/', operator, deleteApiKey),
  on('POST', '/operator/v1/suppliers/', operator, postSupplier),
  on('GET', '/operator/v1/suppliers/', operator, getSuppliers),
  on('GET', '/operator/v1/suppliers/:code/', operator, getSupplier),
  on('PATCH', '/operator/v1/suppliers/:code/', operator, patchSupplier),
  on('GET', '/operator/v1/suppliers/:code/rates/', operator, getRates),
  on('GET', '/operator/v1/suppliers/:code/errors/', operator, getErrors),
  on('POST', '/operator/v1/suppliers/:code/retry-errored/', operator, postRetryErrored),
  on('GET', '/operator/v1/suppliers/:code/import-processes/', operator, getProcesses),
  on('GET', '/operator/v1/suppliers/:code/import-processes/:external/', operator, getProcess),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/cancel/', operator, postCancel),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/retry/', operator, postRetry),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/reveal/', operator, postReveal),
  on('GET', '/operator/v1/suppliers/:code/accounts/:external/', operator, getAccountOfPair),
  on('GET', '/operator/v1/accounts/', operator, getAccounts),
  on('GET', '/operator/v1/accounts/:number/', operator, getAccount),
  on('POST', '/operator/v1/accounts/:number/reveal/', operator, postRevealAccount),
  on('GET', '/operator/v1/accounts/:number/documents/', operator, getDocument),
  on('POST', '/operator/v1/accounts/:number/payment-instructions/:type/end/', operator, postEndInstruction),
  on('GET', '/operator/v1/queue/', operator, getQueue),
  on('GET', '/operator/v1/dead-letters/', operator, getDeadLetters),
  on('POST', '/operator/v1/dead-letters/:id/redrive/', operator, postRedrive),
  on('POST', '/operator/v1/dead-letters/:id/dismiss/', operator, postDismiss),
  on('POST', '/operator/v1/restores/', operator, postRestore),
  on('GET', '/operator/v1/audit/', operator, getAudit),

  // Platform systems
  on('GET', '/platform/v1/accounts/', platform, getPlatformAccounts),
  on('GET', '/platform/v1/accounts/:number/', platform, getPlatformAccount),
  on('GET', '/platform/v1/events/', platform, getAllEvents),

  // Open without a token
  on('GET', '/healthz', open, getHealth),
  on('GET', '/readyz', open, getReadiness),
  on('GET', '/openapi.json', open, getOpenapi),
  on('GET', '/docs/', open, getDocs),
  on('GET', '/docs/:page{[a-z0-9./-]+}', open, getDocsPage),
  on('GET', '/favicon.ico', open, getFavicon),
  on('POST', '/v1/graphql/', open, postGraphql),
];

export function appOf(depsFrom: DepsFrom): Hono<App> {
  // Every path also answers without its trailing slash, never with a redirect.
  const app = new Hono<App>({ getPath: (request) => withSlash(getPath(request)) });
  app.use(envelope(depsFrom), onlyReadablePaths);
  for (const [path, endpoints] of Map.groupBy(ENDPOINTS, ([, at]) => at)) {
    for (const [method, , , access, ...handlers] of endpoints) app.on(method, path, access, ...handlers);
    // Before the next path: one with a name in it is not asked for what has a path of its own.
    app.all(path, onOtherMethod(endpoints.map(([method]) => method)));
  }
  app.route('/', consolePages);
  app.notFound(onNotFound);
  app.onError(onError);
  return app;
}

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
import { postEraseAccount, postEraseProcess } from './erasure/route';
import { getAllEvents, getEvents } from './events/route';
import { getHealth, getReadiness } from './health/route';
import { administering, importer, open, operating, platform, reading, writer } from './http/access';
import type { App } from './http/app';
import { envelope, onError, onlyReadablePaths, onNotFound, onOtherMethod } from './http/failures';
import { type Mapped, on, withSlash } from './http/route';
import { deleteImport, getAll, getImported, getPending, getStatus, getTransferStatus } from './import-processes/route';
import { postNotes, postNotesInBulk } from './notes/route';
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
import { getDocs, getDocsPage, getFavicon, getOpenapi, getTool, getTools } from './pages/route';
import { postPaymentInstruction } from './payment-instructions/route';
import { getPlatformAccount, getPlatformAccounts } from './platform/route';
import { getImportProcesses, getImportSupplier, getImportSuppliers } from './progress/route';
import { getRefusals } from './refusals/route';
import {
  getReconciliation,
  getReconciliationOfOperator,
  getReport,
  getReportOfOperator,
  getRun,
  getRunOfOperator,
  getRuns,
  getRunsOfOperator,
  postCancelRun,
  postCancelRunOfOperator,
  postHold,
  postHoldOfOperator,
  postReconciliation,
  postRelease,
  postReleaseOfOperator,
  postUndo,
  putOneRun,
} from './runs/route';
import { postStatements, postStatementsInBulk } from './statements/route';
import { postGraphql } from './tokens/route';
import { postTransactions, postTransactionsInBulk } from './transactions/route';
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
  on('POST', '/v1/data-import/notes/create/', writer, postNotes),
  on('POST', '/v1/data-import/transactions/create/', writer, postTransactions),
  on('POST', '/v1/data-import/historical-statements/create/', writer, postStatements),
  on('POST', '/v1/data-import/notes/bulk/', writer, postNotesInBulk),
  on('POST', '/v1/data-import/transactions/bulk/', writer, postTransactionsInBulk),
  on('POST', '/v1/data-import/historical-statements/bulk/', writer, postStatementsInBulk),
  on('POST', '/v1/data-import/payment-instruction/create/', writer, postPaymentInstruction),
  on('POST', '/v2/data-import/accounts/validate/', importer, postAccountValidation),
  on('POST', '/v2/data-import/accounts/', writer, postAccount),
  on('POST', '/v2/data-import/accounts/bulk/', importer, postBulk),
  on('GET', '/v2/data-import/accounts/:import_supplier_code/:external_identifier/', importer, getStatus),
  on('DELETE', '/v2/data-import/accounts/:import_supplier_code/:external_identifier/', writer, deleteImport),
  on('GET', '/v1/data-import/account-transfer-status/:import_supplier_code/:external_account_number/', importer, getTransferStatus),
  on('GET', '/v1/data-import/all-account-import-processes/:import_supplier_code/', importer, getAll),
  on('GET', '/v1/data-import/pending-account-import-processes/:import_supplier_code/', importer, getPending),
  on('GET', '/v1/data-import/imported-account-import-processes/:import_supplier_code/', importer, getImported),
  on('GET', '/v2/data-import/import-suppliers/', importer, getImportSuppliers),
  on('GET', '/v2/data-import/import-suppliers/:import_supplier_code/', importer, getImportSupplier),
  on('GET', '/v2/data-import/import-processes/:import_supplier_code/', importer, getImportProcesses),
  on('POST', '/v2/data-import/documents/check/', importer, postDocumentsCheck),
  on('PUT', '/v2/data-import/documents/:import_supplier_code/:document_path{[\\s\\S]+}', writer, putDocument),
  on('GET', '/v2/data-import/documents/:import_supplier_code/', importer, getDocuments),
  on('PUT', '/v2/data-import/runs/:import_supplier_code/:run/', writer, putOneRun),
  on('GET', '/v2/data-import/runs/:import_supplier_code/:run/', importer, getRun),
  on('GET', '/v2/data-import/runs/:import_supplier_code/', importer, getRuns),
  on('POST', '/v2/data-import/runs/:import_supplier_code/:run/release/', writer, postRelease),
  on('POST', '/v2/data-import/runs/:import_supplier_code/:run/hold/', writer, postHold),
  on('POST', '/v2/data-import/runs/:import_supplier_code/:run/cancel/', writer, postCancelRun),
  on('GET', '/v2/data-import/runs/:import_supplier_code/:run/reconciliation/', importer, getReconciliation),
  on('POST', '/v2/data-import/runs/:import_supplier_code/:run/reconciliation/', importer, postReconciliation),
  on('GET', '/v2/data-import/runs/:import_supplier_code/:run/report/', importer, getReport),
  on('GET', '/v2/data-import/events/:import_supplier_code/', importer, getEvents),
  on('POST', '/v2/data-import/webhooks/', writer, postWebhook),
  on('GET', '/v2/data-import/webhooks/', importer, getWebhooks),
  on('PATCH', '/v2/data-import/webhooks/:webhook_id/', writer, patchWebhookOfId),
  on('DELETE', '/v2/data-import/webhooks/:webhook_id/', writer, deleteWebhookOfId),
  on('POST', '/v2/data-import/webhooks/:webhook_id/test/', writer, postTestOfWebhook),
  on('POST', '/v2/data-import/webhooks/:webhook_id/rotate-secret/', writer, postRotateSecret),
  on('POST', '/v2/data-import/webhooks/:webhook_id/replay/', writer, postReplay),

  // The operator interface: each endpoint with the role that it needs
  on('POST', '/operator/v1/organisations/', administering, postOrganisation),
  on('GET', '/operator/v1/organisations/', reading, getOrganisations),
  on('POST', '/operator/v1/organisations/:id/api-keys/', administering, postApiKey),
  on('GET', '/operator/v1/organisations/:id/api-keys/', reading, getApiKeys),
  on('DELETE', '/operator/v1/api-keys/:id/', administering, deleteApiKey),
  on('POST', '/operator/v1/suppliers/', administering, postSupplier),
  on('GET', '/operator/v1/suppliers/', reading, getSuppliers),
  on('GET', '/operator/v1/suppliers/:code/', reading, getSupplier),
  on('PATCH', '/operator/v1/suppliers/:code/', operating, patchSupplier),
  on('GET', '/operator/v1/suppliers/:code/rates/', reading, getRates),
  on('GET', '/operator/v1/suppliers/:code/errors/', reading, getErrors),
  on('GET', '/operator/v1/suppliers/:code/refusals/', reading, getRefusals),
  on('POST', '/operator/v1/suppliers/:code/retry-errored/', operating, postRetryErrored),
  on('GET', '/operator/v1/suppliers/:code/import-processes/', reading, getProcesses),
  on('GET', '/operator/v1/suppliers/:code/import-processes/:external/', reading, getProcess),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/cancel/', operating, postCancel),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/retry/', operating, postRetry),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/reveal/', operating, postReveal),
  on('POST', '/operator/v1/suppliers/:code/import-processes/:external/erase/', administering, postEraseProcess),
  on('GET', '/operator/v1/suppliers/:code/accounts/:external/', reading, getAccountOfPair),
  on('GET', '/operator/v1/suppliers/:code/runs/', reading, getRunsOfOperator),
  on('GET', '/operator/v1/suppliers/:code/runs/:run/', reading, getRunOfOperator),
  on('POST', '/operator/v1/suppliers/:code/runs/:run/release/', operating, postReleaseOfOperator),
  on('POST', '/operator/v1/suppliers/:code/runs/:run/hold/', operating, postHoldOfOperator),
  on('POST', '/operator/v1/suppliers/:code/runs/:run/cancel/', operating, postCancelRunOfOperator),
  on('GET', '/operator/v1/suppliers/:code/runs/:run/reconciliation/', reading, getReconciliationOfOperator),
  on('GET', '/operator/v1/suppliers/:code/runs/:run/report/', reading, getReportOfOperator),
  on('POST', '/operator/v1/suppliers/:code/runs/:run/undo/', administering, postUndo),
  on('GET', '/operator/v1/accounts/', reading, getAccounts),
  on('GET', '/operator/v1/accounts/:number/', reading, getAccount),
  on('POST', '/operator/v1/accounts/:number/reveal/', operating, postRevealAccount),
  on('GET', '/operator/v1/accounts/:number/documents/', operating, getDocument),
  on('POST', '/operator/v1/accounts/:number/payment-instructions/:type/end/', operating, postEndInstruction),
  on('POST', '/operator/v1/accounts/:number/erase/', administering, postEraseAccount),
  on('GET', '/operator/v1/queue/', reading, getQueue),
  on('GET', '/operator/v1/dead-letters/', reading, getDeadLetters),
  on('POST', '/operator/v1/dead-letters/:id/redrive/', operating, postRedrive),
  on('POST', '/operator/v1/dead-letters/:id/dismiss/', operating, postDismiss),
  on('POST', '/operator/v1/restores/', administering, postRestore),
  on('GET', '/operator/v1/audit/', reading, getAudit),
  on('POST', '/operator/v1/operator-tokens/', administering, postOperatorToken),
  on('GET', '/operator/v1/operator-tokens/', administering, getOperatorTokens),
  on('DELETE', '/operator/v1/operator-tokens/:id/', administering, deleteOperatorToken),
  on('GET', '/operator/v1/alerts/', reading, getAlerts),
  on('POST', '/operator/v1/alert-addresses/', administering, postAlertAddress),
  on('GET', '/operator/v1/alert-addresses/', administering, getAlertAddresses),
  on('DELETE', '/operator/v1/alert-addresses/:id/', administering, deleteAlertAddress),
  on('POST', '/operator/v1/alert-addresses/:id/test/', administering, postAlertTest),

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
  on('GET', '/tools/', open, getTools),
  on('GET', '/tools/:file', open, getTool),
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

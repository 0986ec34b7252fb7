import { endpoint, jsonBody, linesBody, NDJSON } from '../http/endpoint';
import { operatorPage } from '../shared/query';
import { listedAccount, releaseBody, reportQuery, runBody, runsQuery, undoBody } from './schema';

export const putRun = endpoint({
  section: '4.19',
  method: 'PUT',
  path: '/v2/data-import/runs/:import_supplier_code/:run/',
  access: 'writer',
  body: jsonBody(runBody),
  answers: { 200: ['run'], 201: ['run'], 400: ['validationError', 'problem'], 404: ['problem'] },
});

export const getRun = endpoint({
  section: '4.19',
  method: 'GET',
  path: '/v2/data-import/runs/:import_supplier_code/:run/',
  access: 'importer',
  answers: { 200: ['run'], 404: ['problem'] },
});

export const listRuns = endpoint({
  section: '4.19',
  method: 'GET',
  path: '/v2/data-import/runs/:import_supplier_code/',
  access: 'importer',
  query: runsQuery,
  answers: { 200: ['listedRuns'], 400: ['validationError'], 404: ['problem'] },
});

export const releaseRun = endpoint({
  section: '4.20',
  method: 'POST',
  path: '/v2/data-import/runs/:import_supplier_code/:run/release/',
  access: 'writer',
  body: jsonBody(releaseBody),
  answers: { 200: ['run'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['totalsDiffer'] },
});

export const holdRun = endpoint({
  section: '4.20',
  method: 'POST',
  path: '/v2/data-import/runs/:import_supplier_code/:run/hold/',
  access: 'writer',
  answers: { 200: ['run'], 404: ['problem'] },
});

export const cancelRun = endpoint({
  section: '4.20',
  method: 'POST',
  path: '/v2/data-import/runs/:import_supplier_code/:run/cancel/',
  access: 'writer',
  answers: { 200: ['cancelledRun'], 404: ['problem'] },
});

export const reconcileRun = endpoint({
  section: '4.21',
  method: 'GET',
  path: '/v2/data-import/runs/:import_supplier_code/:run/reconciliation/',
  access: 'importer',
  answers: { 200: ['reconciliation'], 404: ['problem'] },
});

export const compareRun = endpoint({
  section: '4.21',
  method: 'POST',
  path: '/v2/data-import/runs/:import_supplier_code/:run/reconciliation/',
  access: 'importer',
  body: linesBody(listedAccount),
  produces: NDJSON,
  answers: { 200: ['comparedLine', 'comparedDone'], 400: ['problem'], 404: ['problem'] },
});

export const CSV = 'text/csv; charset=utf-8';

export const reportRun = endpoint({
  section: '4.22',
  method: 'GET',
  path: '/v2/data-import/runs/:import_supplier_code/:run/report/',
  access: 'importer',
  query: reportQuery,
  produces: [NDJSON, CSV],
  answers: { 200: ['listedProcess', 'reportDone', 'reportCsv'], 400: ['validationError'], 404: ['problem'] },
});

export const operatorListRuns = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/runs/',
  access: 'reading',
  query: operatorPage,
  answers: { 200: ['listedRuns'], 400: ['validationError'], 404: ['problem'] },
});

export const operatorGetRun = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/runs/:run/',
  access: 'reading',
  answers: { 200: ['run'], 404: ['problem'] },
});

export const operatorReleaseRun = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/runs/:run/release/',
  access: 'operating',
  body: jsonBody(releaseBody),
  answers: { 200: ['run'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['totalsDiffer'] },
});

export const operatorHoldRun = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/runs/:run/hold/',
  access: 'operating',
  answers: { 200: ['run'], 404: ['problem'] },
});

export const operatorCancelRun = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/runs/:run/cancel/',
  access: 'operating',
  answers: { 200: ['cancelledRun'], 404: ['problem'] },
});

export const operatorReconcileRun = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/runs/:run/reconciliation/',
  access: 'reading',
  answers: { 200: ['reconciliation'], 404: ['problem'] },
});

export const operatorReportRun = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/runs/:run/report/',
  access: 'reading',
  query: reportQuery,
  produces: [NDJSON, CSV],
  answers: { 200: ['listedProcess', 'reportDone', 'reportCsv'], 400: ['validationError'], 404: ['problem'] },
});

export const undoRun = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/:code/runs/:run/undo/',
  access: 'administering',
  body: jsonBody(undoBody),
  answers: { 200: ['undone'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['problem'] },
});

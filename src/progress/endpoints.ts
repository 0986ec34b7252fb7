import { endpoint } from '../http/endpoint';
import { processesQuery } from './schema';

export const listImportSuppliers = endpoint({
  section: '4.14',
  method: 'GET',
  path: '/v2/data-import/import-suppliers/',
  access: 'importer',
  answers: { 200: ['supplierProgresses'] },
});

export const getImportSupplier = endpoint({
  section: '4.14',
  method: 'GET',
  path: '/v2/data-import/import-suppliers/:import_supplier_code/',
  access: 'importer',
  answers: { 200: ['supplierProgress'], 404: ['problem'] },
});

export const listImportProcesses = endpoint({
  section: '4.15',
  method: 'GET',
  path: '/v2/data-import/import-processes/:import_supplier_code/',
  access: 'importer',
  query: processesQuery,
  answers: { 200: ['listedProcesses'], 400: ['validationError'], 404: ['problem'] },
});

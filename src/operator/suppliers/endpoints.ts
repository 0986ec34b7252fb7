import { endpoint, jsonBody } from '../../http/endpoint';
import { operatorPage } from '../../shared/query';
import { supplierBody, supplierPatch } from './schema';

export const createSupplier = endpoint({
  method: 'POST',
  path: '/operator/v1/suppliers/',
  access: 'administering',
  body: jsonBody(supplierBody),
  answers: { 201: ['supplier'], 400: ['validationError', 'problem'] },
});

export const listSuppliers = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/',
  access: 'reading',
  query: operatorPage,
  answers: { 200: ['suppliers'], 400: ['validationError'] },
});

export const getSupplier = endpoint({
  method: 'GET',
  path: '/operator/v1/suppliers/:code/',
  access: 'reading',
  answers: { 200: ['supplier'], 404: ['problem'] },
});

export const changeSupplier = endpoint({
  method: 'PATCH',
  path: '/operator/v1/suppliers/:code/',
  access: 'operating',
  body: jsonBody(supplierPatch),
  answers: { 200: ['supplier'], 400: ['validationError', 'problem'], 404: ['problem'], 409: ['problem'] },
});

/** The operator interface: organisations, keys and suppliers. */
import { supplierBody, supplierPatch } from '../operator/suppliers/schema';
import { apiKeyBody, organisationBody } from '../organisations/schema';
import * as shown from './answers-operator';
import { invalidQuery, noContent, OPERATOR_READ, type Operation, ok } from './operation';
import { API_KEY_ID, AT, CONFLICT, get, ORGANISATION_ID, operator, PAGE, REQUIRED, UNKNOWN, write } from './operator-helpers';

const ORGANISATION = { id: ORGANISATION_ID, name: 'North Energy', created_at: AT };
const CONFIGURATION = {
  default_country: 'GB',
  documents_root: 'north',
  time_zone: 'Europe/London',
  send_customer_emails: false,
  extra_charge_reasons: [],
  extra_credit_reasons: [],
  vendors: [],
  payload_retention_days: 90,
  undo_hours: 0,
};
const SUPPLIER = {
  organisation_id: ORGANISATION.id,
  code: 'NORTH',
  name: 'North',
  status: 'Ongoing',
  configuration: CONFIGURATION,
  version: 1,
  created_at: AT,
  modified_at: AT,
  import_processes: { PENDING: 3, PROCESSED: 120 },
};
export const OPERATOR_OPERATIONS: readonly Operation[] = [
  write(
    'post',
    {
      id: 'createOrganisation',
      path: 'organisations/',
      summary: 'Create an organisation',
      description: 'An organisation holds API keys and suppliers.',
    },
    organisationBody,
    { name: 'North Energy' },
    { 201: ok('Created.', shown.organisation, ORGANISATION), 400: REQUIRED('name') },
  ),
  get(
    { id: 'listOrganisations', path: 'organisations/', summary: 'List organisations', description: 'Newest first.', query: PAGE },
    { 200: ok('Organisations.', shown.organisations, [ORGANISATION], ['Link']), 400: invalidQuery('limit') },
  ),
  write(
    'post',
    { id: 'createApiKey', path: 'organisations/{id}/api-keys/', summary: 'Issue an API key', description: 'The key is shown once.' },
    apiKeyBody,
    { label: 'migration team' },
    {
      201: ok('Issued.', shown.newApiKey, { id: API_KEY_ID, api_key: 'sk_live_…', label: 'migration team', created_at: AT }),
      400: REQUIRED('label'),
      404: UNKNOWN,
    },
  ),
  get(
    {
      id: 'listApiKeys',
      path: 'organisations/{id}/api-keys/',
      summary: 'List API keys',
      description: 'By label and use, newest first; the keys themselves are never shown again.',
      query: PAGE,
    },
    {
      200: ok('Keys.', shown.apiKeys, [{ id: API_KEY_ID, label: 'migration team', created_at: AT, last_used_at: AT }], ['Link']),
      400: invalidQuery('limit'),
      404: UNKNOWN,
    },
  ),
  operator(
    'delete',
    {
      id: 'revokeApiKey',
      path: 'api-keys/{id}/',
      summary: 'Revoke an API key',
      description: 'The key and its tokens are refused from the next request on. A key that is revoked already is answered alike.',
    },
    { 204: noContent('Revoked, now or before.'), 404: UNKNOWN, ...OPERATOR_READ },
  ),
  write(
    'post',
    {
      id: 'createSupplier',
      path: 'suppliers/',
      summary: 'Create an import supplier',
      description:
        'New suppliers are Ongoing. Its code is unique in the service. Its `documents_root` is the code unless given, and may not be, hold or lie in that of another organisation.',
    },
    supplierBody,
    { organisation_id: ORGANISATION.id, code: 'NORTH', name: 'North', configuration: { default_country: 'GB', documents_root: 'north' } },
    { 201: ok('Created.', shown.supplier, SUPPLIER), 400: REQUIRED('code') },
  ),
  get(
    {
      id: 'listSuppliers',
      path: 'suppliers/',
      summary: 'List import suppliers',
      description: 'Newest first, with the number of import processes by status.',
      query: PAGE,
    },
    { 200: ok('Suppliers.', shown.suppliers, [SUPPLIER], ['Link']), 400: invalidQuery('limit') },
  ),
  get(
    {
      id: 'getSupplier',
      path: 'suppliers/{code}/',
      summary: 'Get an import supplier',
      description: 'With the number of import processes by status.',
    },
    { 200: ok('The supplier.', shown.supplier, SUPPLIER), 404: UNKNOWN },
  ),
  write(
    'patch',
    {
      id: 'changeSupplier',
      path: 'suppliers/{code}/',
      summary: 'Change an import supplier',
      description:
        'Status and configuration, merged key by key. Ongoing and Paused lead to each other and to Complete; Complete leads back to Ongoing with a `reason`. What was accepted waits while Paused; Complete cancels what is still PENDING, if that is no more than `confirm_pending`, where given. With `version` nothing is changed once somebody else changed the supplier (409).',
    },
    supplierPatch,
    { status: 'Paused' },
    { 200: ok('Changed.', shown.supplier, { ...SUPPLIER, status: 'Paused' }), 400: REQUIRED('reason'), 404: UNKNOWN, 409: CONFLICT },
  ),
];

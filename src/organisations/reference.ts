/** Words and examples for organisations and API keys. */

import { describe, type Operation } from '../reference/operation';
import { API_KEY_ID, AT, ORGANISATION_ID, PAGE, REQUIRED, UNKNOWN } from '../reference/operator';
import { invalidQuery, ok, one } from '../reference/words';
import { operatorPage } from '../shared/query';
import * as answers from './answers';
import * as declared from './endpoints';

const ORGANISATION = { id: ORGANISATION_ID, name: 'North Energy', is_test: false, created_at: AT };
const API_KEY = { id: API_KEY_ID, label: 'migration team', last_four: 'x7Qk', is_read_only: false, created_at: AT };
const ORGANISATION_PATH = { id: { description: 'Id of the organisation.', example: ORGANISATION_ID } };

export const ORGANISATIONS: readonly Operation[] = [
  describe(declared.createOrganisation, answers, {
    tag: 'Operator',
    id: 'createOrganisation',
    summary: 'Create an organisation',
    description: 'An organisation holds API keys and suppliers. With `is_test` its keys begin with `sk_test_`, for ever.',
    body: one('Create an organisation', { name: 'North Energy' }),
    answers: { 201: ok('Created.', ORGANISATION), 400: REQUIRED('name') },
  }),
  describe(declared.listOrganisations, answers, {
    tag: 'Operator',
    id: 'listOrganisations',
    summary: 'List organisations',
    description: 'Newest first.',
    query: PAGE,
    answers: { 200: ok('Organisations.', [ORGANISATION], ['Link']), 400: invalidQuery(operatorPage, 'limit') },
  }),
  describe(declared.createApiKey, answers, {
    tag: 'Operator',
    id: 'createApiKey',
    summary: 'Issue an API key',
    description:
      'The key is shown once. From `expires_at` on it is refused as a revoked one is; with `is_read_only` it validates and reads, and changes nothing (403).',
    path: ORGANISATION_PATH,
    body: one('Issue an API key', { label: 'migration team' }),
    answers: {
      201: ok('Issued.', { ...API_KEY, api_key: 'sk_live_…' }),
      400: REQUIRED('label'),
      404: UNKNOWN,
    },
  }),
  describe(declared.listApiKeys, answers, {
    tag: 'Operator',
    id: 'listApiKeys',
    summary: 'List API keys',
    description: 'By label and use, newest first; the keys themselves are never shown again.',
    path: ORGANISATION_PATH,
    query: PAGE,
    answers: {
      200: ok('Keys.', [{ ...API_KEY, last_used_at: AT }], ['Link']),
      400: invalidQuery(operatorPage, 'limit'),
      404: UNKNOWN,
    },
  }),
  describe(declared.revokeApiKey, answers, {
    tag: 'Operator',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'The key and its tokens are refused from the next request on. A key that is revoked already is answered alike.',
    path: { id: { description: 'Id of the API key; not the key itself.', example: API_KEY_ID } },
    answers: { 204: { description: 'Revoked, now or before.' }, 404: UNKNOWN },
  }),
];

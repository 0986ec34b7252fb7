/** Words and examples for tokens of operators. */
import { describe, type Operation } from '../../reference/operation';
import { AT, PAGE, REQUIRED, UNKNOWN } from '../../reference/operator';
import { invalidQuery, ok, one } from '../../reference/words';
import { operatorPage } from '../../shared/query';
import * as answers from './answers';
import * as declared from './endpoints';

const TOKEN = {
  id: 'opt_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  name: 'Ada Lovelace',
  role: 'operate',
  last_four: 'b2Zc',
  created_at: AT,
};

export const OPERATOR_TOKENS: readonly Operation[] = [
  describe(declared.createOperatorToken, answers, {
    tag: 'Operator',
    id: 'createOperatorToken',
    summary: 'Create an operator token',
    description:
      'For one person or program. The token is shown once; its name is unique for ever. `read` looks, `operate` also moves migrations on and sees personal data, `administer` also decides who has access.',
    body: one('Create an operator token', { name: 'Ada Lovelace', role: 'operate' }),
    answers: { 201: ok('Created.', { ...TOKEN, token: 'op_…' }), 400: REQUIRED('name') },
  }),
  describe(declared.listOperatorTokens, answers, {
    tag: 'Operator',
    id: 'listOperatorTokens',
    summary: 'List operator tokens',
    description: 'By name and role, newest first; the tokens themselves are never shown again.',
    query: PAGE,
    answers: { 200: ok('Tokens.', [TOKEN], ['Link']), 400: invalidQuery(operatorPage, 'limit') },
  }),
  describe(declared.revokeOperatorToken, answers, {
    tag: 'Operator',
    id: 'revokeOperatorToken',
    summary: 'Revoke an operator token',
    description:
      'The token and its sessions of the console are refused from the next request on. One that is revoked already is answered alike.',
    path: { id: { description: 'Id of the operator token; not the token itself.', example: TOKEN.id } },
    answers: { 204: { description: 'Revoked, now or before.' }, 404: UNKNOWN },
  }),
];

/** What the operations of the operator interface share. */
import * as z from 'zod';
import type { operatorTokenBody } from '../operator/tokens/schema';
import * as answer from './answers';
import {
  type Answer,
  type Content,
  invalid,
  NEEDS_ROLE,
  NOT_FOUND,
  OPERATOR_READ,
  OPERATOR_WRITE,
  type Operation,
  one,
  type Parameter,
} from './operation';

export const AT = '2026-11-20T10:00:00.000Z';
export const ORGANISATION_ID = 'org_5f2c9d0e7b1a4c3f8e6d2a1b0c9f8e7d';
export const API_KEY_ID = 'key_0a1b2c3d4e5f60718293a4b5c6d7e8f9';
export const MESSAGE_ID = '3f1c2b6a9d8e47f0a5c4b3d2e1f00918';

export const UNKNOWN = NOT_FOUND('No such resource.');
export const CONFLICT: Answer = {
  description: 'The state does not allow this change.',
  schemas: [answer.problem],
  examples: one('Not allowed', { detail: 'Only an import process that is PENDING can be cancelled.', code: 'invalid_transition' }),
};
export const REQUIRED = (attr: string) => invalid('Not valid.', [{ detail: 'This field is required.', code: 'required', attr }]);

export const PAGE: readonly Parameter[] = [
  { name: 'limit', description: 'At most so many items, 1 to 500; 50 unless told.', schema: z.int().min(1).max(500), example: 50 },
  { name: 'cursor', description: 'Where to go on: taken from the `Link` header of the page before.', schema: z.string() },
];

type Given = Pick<Operation, 'id' | 'summary' | 'description'> & {
  readonly path: string;
  readonly query?: readonly Parameter[];
  /** The role that it needs; to look, `read`, and to change something `operate` unless given. */
  readonly role?: z.output<typeof operatorTokenBody>['role'];
};
export const operator = (
  method: Operation['method'],
  { path, role = method === 'get' ? 'read' : 'operate', description, ...given }: Given,
  answers: Operation['answers'],
  body?: Content,
): Operation => ({
  method,
  path: `/operator/v1/${path}`,
  tag: 'Operator',
  access: 'operator',
  ...given,
  description: `${description} Role: \`${role}\`.`,
  answers: { ...answers, ...(role === 'read' ? {} : NEEDS_ROLE) },
  ...(body ? { body } : {}),
});
export const get = (given: Given, answers: Operation['answers']) => operator('get', given, { ...answers, ...OPERATOR_READ });
export const act = (given: Given, answers: Operation['answers']) => operator('post', given, { ...answers, ...OPERATOR_READ });
export const write = (method: 'post' | 'patch', given: Given, body: z.ZodType, value: unknown, answers: Operation['answers']) =>
  operator(method, given, { ...answers, ...OPERATOR_WRITE }, { schemas: [body], examples: one(given.summary, value) });

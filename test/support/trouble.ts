/**
 * A database in trouble: full, read-only, slow or away, in the words that D1 and SQLite use for it.
 */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Bindings } from '../../src/deps';
import worker from '../../src/worker';
import { databaseAround, lostConnection, never } from './around';
import { type Answer, anAddress } from './given';
import { checkAnswer } from './openapi';
import { textOf } from './text';

/** What a database says that takes no writes. */
export const REFUSALS = [
  'D1_ERROR: Exceeded maximum DB size',
  "D1_ERROR: Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit.",
  'D1_ERROR: database or disk is full: SQLITE_FULL',
  'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY',
] as const;

const WRITES = /\b(?:insert|update|delete)\b/;
/** A full database has no page left for a row more; rows that are there can still be changed. */
const GROWS = /\binsert\b/;

const refusing = (refused: RegExp, message: string): D1Database =>
  databaseAround(env.DB, ({ what }, run) => (refused.test(what) ? Promise.reject(new Error(message)) : run()));

/** Takes no write, answers every read. */
export const readOnlyDatabase = (message: string = REFUSALS[3]): D1Database => refusing(WRITES, message);

/** Takes no row more. */
export const fullDatabase = (message: string = REFUSALS[2]): D1Database => refusing(GROWS, message);

export const awayDatabase = (): D1Database => databaseAround(env.DB, () => Promise.reject(lostConnection()));

/** Never answers. */
export const slowDatabase = (): D1Database => databaseAround(env.DB, never);

/** Calls a service whose bindings are these. The answer must fit the OpenAPI document, where it is in it. */
export async function callWith(
  settings: Partial<Bindings>,
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer & { readonly text: string }> {
  const context = createExecutionContext();
  const { token, body } = options;
  const form = body instanceof URLSearchParams ? body.toString() : undefined;
  const request = new Request(`https://import.test${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined || form !== undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
      ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(form.length) }),
      'CF-Connecting-IP': anAddress(),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: form ?? (typeof body === 'string' ? body : JSON.stringify(body)) }),
  });
  const response = await worker.fetch(request, { ...env, ...settings }, context);
  const text = await textOf(response);
  await waitOnExecutionContext(context);
  const isJson = response.headers.get('Content-Type')?.includes('json') === true && text !== '';
  if (isJson || text === '') checkAnswer(method, path, { status: response.status, headers: response.headers, text });
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && !response.headers.get('Content-Type')?.includes('ndjson') ? JSON.parse(text) : undefined,
  };
}

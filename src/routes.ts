/**
 * The map: every endpoint with its full path, in the order of the specification.
 */
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { postAccount, postAccountValidation } from './accounts/route';
import type { DepsFrom } from './deps';
import type { App, AppHandler } from './http/app';
import { envelope, onError, onNotFound, onOtherMethod } from './http/failures';
import { getHealth } from './http/health';
import { getFavicon } from './http/pages';
import { getStatus } from './import-processes/route';
import { postNotes } from './notes/route';
import { postPaymentInstruction } from './payment-instructions/route';
import { postGraphql } from './tokens/route';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Endpoint = readonly [method: Method, path: string, handler: AppHandler];

export const ENDPOINTS: readonly Endpoint[] = [
  ['POST', '/v1/data-import/notes/create/', postNotes], // §4.1
  ['POST', '/v1/data-import/payment-instruction/create/', postPaymentInstruction], // §4.4
  ['POST', '/v2/data-import/accounts/validate/', postAccountValidation], // §4.5
  ['POST', '/v2/data-import/accounts/', postAccount], // §4.6

  // Open without a token
  ['GET', '/healthz/', getHealth],
  ['GET', '/favicon.ico/', getFavicon],
  ['POST', '/v1/graphql/', postGraphql], // §5.2

  ['GET', '/v2/data-import/accounts/:supplier/:number/', getStatus], // §4.7
];

export function appOf(depsFrom: DepsFrom): Hono<App> {
  // Every path also answers without its trailing slash, never with a redirect.
  const app = new Hono<App>({ getPath: (request) => withSlash(getPath(request)) });
  app.use(envelope(depsFrom));
  const methods = new Map<string, Method[]>();
  for (const [method, path, handler] of ENDPOINTS) {
    app.on(method, path, handler);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  for (const [path, allowed] of methods) app.all(path, onOtherMethod(allowed));
  app.notFound(onNotFound);
  app.onError(onError);
  return app;
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/**
 * Checks every answer that a test sees against the published document, strictly: no undocumented status, no undocumented field.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import { TestRunner } from 'vitest';
import published from '../../public/openapi.json';

declare module 'vitest' {
  interface TaskMeta {
    /** `operationId status`, of every answer seen by the test. */
    answers?: string[];
  }
}

type Json = { readonly [key: string]: unknown };

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJson(node) ? node[key] : undefined), value);

/** The document with every object closed, so that a field nobody documented is found. */
const document = closed(published);
const validators = new Map<string, Validator>();

const operations = Object.entries(isJson(published.paths) ? published.paths : {}).flatMap(([path, item]) =>
  Object.keys(isJson(item) ? item : {}).map((method) => ({
    method: method.toUpperCase(),
    path,
    id: String(at(item, method, 'operationId')),
    pattern: new RegExp(
      `^${path
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        // A path has slashes of its own.
        .replace('{document_path}', '.+')
        .replace(/\{\w+\}/g, '[^/]+')}/?$`,
    ),
  })),
);

/** The document as a validator without formats reads it: they are notes there, and the patterns beside them say what is taken. */
const noted = withoutFormats(published);

/** Throws if the document does not allow a body that was accepted. */
export function checkRequest(method: string, url: string, body: unknown): void {
  const errors = refusedBy(noted, method, url, body);
  if (errors) throw new Error(`${method} ${url} took what the document does not allow: ${JSON.stringify(errors.slice(-3))}`);
}

/** What the document, with every object closed and formats meant, has against a body; undefined where it allows it. */
export const strictlyRefused = (method: string, url: string, body: unknown) => refusedBy(document, method, url, body);

function refusedBy(reading: unknown, method: string, url: string, body: unknown) {
  const path = operationAt(method, url)?.path ?? '';
  const schema = at(reading, 'paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema');
  if (schema === undefined) return undefined;
  const { valid, errors } = validatorOf(schema, reading).validate(body);
  return valid ? undefined : errors;
}

function withoutFormats(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutFormats);
  if (!isJson(node)) return node;
  const isSchema = typeof node['format'] === 'string';
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, child]) => (isSchema && key === 'format' ? [] : [[key, withoutFormats(child)]])),
  );
}

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A path without a name in it is not one with a name, whatever methods that one answers. */
function operationAt(method: string, url: string) {
  const path = url.replace(/[?#].*$/, '');
  const matching = operations.filter((one) => one.pattern.test(path)).sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  return matching.find((one) => one.method === method && one.path === matching[0]?.path);
}

/** Throws if the document does not allow this answer. Answers of unknown paths and methods are in no document. */
export function checkAnswer(method: string, url: string, { status, headers, text }: Seen): void {
  const operation = operationAt(method, url);
  if (!operation) return;
  const place = ['paths', operation.path, method.toLowerCase(), 'responses', String(status)];
  if (at(document, ...place) === undefined) throw new Error(`${operation.id} may not answer ${status}: ${text.slice(0, 500)}`);
  if (!headers.has('X-Request-Id')) throw new Error(`${operation.id} ${status} has no X-Request-Id`);
  const challenge = /^\/(?:operator|platform)\//.test(operation.path) ? 'Bearer' : 'Token';
  if (status === 401 && headers.get('WWW-Authenticate') !== challenge) throw new Error(`${operation.id} 401 does not offer ${challenge}`);
  if (status === 429 && !headers.has('Retry-After')) throw new Error(`${operation.id} 429 has no Retry-After`);
  checkBody(operation.id, place, headers.get('Content-Type')?.split(';')[0] ?? '', { status, text });
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta) meta.answers = [...new Set([...(meta.answers ?? []), `${operation.id} ${status}`])];
}

function checkBody(id: string, place: readonly string[], mediaType: string, { status, text }: { status: number; text: string }): void {
  const answer = resolved(at(document, ...place));
  const content = at(answer, 'content');
  if (content === undefined) {
    if (text !== '') throw new Error(`${id} ${status} has a body`);
    return;
  }
  const types = isJson(content) ? Object.keys(content) : [];
  const type = types.find((one) => one.split(';')[0] === mediaType) ?? '*/*';
  const schema = at(content, type, 'schema');
  if (schema === undefined) throw new Error(`${id} may not answer ${status} with ${mediaType}`);
  const values = mediaType === 'application/json' ? [text] : mediaType === 'application/x-ndjson' ? text.split('\n').filter(Boolean) : [];
  for (const value of values) {
    const { valid, errors } = validatorOf(schema).validate(JSON.parse(value));
    if (!valid) throw new Error(`${id} ${status} does not fit the document: ${JSON.stringify(errors.slice(-4))}\n${value.slice(0, 1_000)}`);
  }
}

function resolved(node: unknown): unknown {
  const reference = at(node, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : node;
}

function validatorOf(schema: unknown, reading: unknown = document): Validator {
  const text = `${reading === document} ${JSON.stringify(schema)}`;
  const known = validators.get(text);
  if (known) return known;
  const root: Schema = { ...(isJson(schema) ? schema : {}), components: at(reading, 'components') };
  const made = new Validator(root, '2020-12');
  validators.set(text, made);
  return made;
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isJson(node)) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, child]) => [key, key === 'examples' || key === 'if' ? child : closed(child)]),
  );
  const isShape =
    (node['type'] === 'object' || (Array.isArray(node['type']) && node['type'].includes('object'))) && !('additionalProperties' in node);
  return isShape ? { ...copy, additionalProperties: false } : copy;
}

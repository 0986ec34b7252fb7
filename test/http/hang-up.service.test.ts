/** Over real connections: senders that hang up, and HEAD, whose answer must leave the connection as it was. */
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

// Required, not imported: vite would spend ten seconds on transforming wrangler's bundle.
const { createTestHarness }: typeof import('wrangler') = createRequire(import.meta.url)('wrangler');

const OPERATOR_TOKEN = 'kit-operator-token-of-at-least-32-bytes';
/** A service of its own, whose log is read. */
const server = createTestHarness({
  workers: [{ configPath: 'wrangler.toml', secrets: { TOKEN_SIGNING_KEY: 'kit-signing-key-of-at-least-32-bytes', OPERATOR_TOKEN } }],
});
let url = new URL('http://127.0.0.1');
let token = '';

const json = { 'Content-Type': 'application/json' };
const operator = async (path: string, body: object): Promise<Record<string, string>> => {
  const answer = await fetch(new URL(`/operator/v1/${path}`, url), {
    method: 'POST',
    headers: { ...json, Authorization: `Bearer ${OPERATOR_TOKEN}` },
    body: JSON.stringify(body),
  });
  return answer.json<Record<string, string>>();
};

beforeAll(async () => {
  ({ url } = await server.listen());
  await server.getWorker().applyD1Migrations('DB');
  const { id } = await operator('organisations/', { name: 'Hang-up' });
  const { api_key } = await operator(`organisations/${id}/api-keys/`, { label: 'test' });
  await operator('suppliers/', { organisation_id: id, code: 'HANG', name: 'Hang-up', configuration: { default_country: 'GB' } });
  const query = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }';
  const answer = await fetch(new URL('/v1/graphql/', url), {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ query, variables: { key: api_key } }),
  });
  ({ token } = (await answer.json<{ data: { obtainPlatformToken: { token: string } } }>()).data.obtainPlatformToken);
});
afterAll(() => server.close());
beforeEach(() => server.clearLogs());

/** Sends a head and some bytes over a socket, then hangs up. */
async function hangUp(head: readonly string[], bytes: string): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(`${[...head, `Host: ${url.host}`, 'Content-Length: 100000'].join('\r\n')}\r\n\r\n${bytes}`);
  await pause(300);
  socket.destroy();
}

/** Lines of the Worker's own log, as it wrote them. */
const logged = () =>
  server
    .getLogs()
    .map(({ message }) => message)
    .filter((message) => message.startsWith('{"level"'))
    .map((message) => JSON.parse(message) as { level: string; event: string });

const BULK = 'POST /v2/data-import/accounts/bulk/?mode=validate HTTP/1.1';
const ACCOUNT = '{"import_supplier":"HANG","external_account_number":"A"}';
it.each([
  ['an account', 'POST /v2/data-import/accounts/ HTTP/1.1', 'Token', 'application/json', '{"import'],
  ['a GraphQL request', 'POST /v1/graphql/ HTTP/1.1', 'Token', 'application/json', '{"query"'],
  ['a supplier', 'POST /operator/v1/suppliers/ HTTP/1.1', 'Bearer', 'application/json', '{"code"'],
  ['a document', 'PUT /v2/data-import/documents/HANG/a.pdf HTTP/1.1', 'Token', 'application/pdf', '%PDF'],
  ['a bulk body in its first line', BULK, 'Token', 'application/x-ndjson', '{"import'],
  ['a bulk body whose answer has begun', BULK, 'Token', 'application/x-ndjson', `${ACCOUNT}\n{"import`],
])('who hangs up in the middle of %s is logged as an info line, not as an error line', async (_, request, scheme, type, bytes) => {
  const credential = scheme === 'Bearer' ? OPERATOR_TOKEN : token;
  await hangUp([request, `Authorization: ${scheme} ${credential}`, `Content-Type: ${type}`], bytes);
  await vi.waitFor(() => expect(logged()).toMatchObject([{ level: 'info', event: 'body_cut' }]), { timeout: 5_000 });
  await pause(200);
  expect(logged()).toHaveLength(1);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
});

it('HEAD answers the head of GET alone: the next answer of the connection is whole', async () => {
  const paths = ['/v1/data-import/all-account-import-processes/HANG/', '/v2/data-import/accounts/HANG/none/', '/healthz', '/openapi.json'];
  const requests = paths.flatMap((path) => [`HEAD ${path}`, `GET ${path}`]);
  const socket = connect(Number(url.port), url.hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  for (const request of requests) {
    const before = text.split('HTTP/1.1 ').length;
    socket.write(`${request} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Token ${token}\r\n\r\n`);
    await vi.waitFor(() => expect(text.split('HTTP/1.1 ').length).toBeGreaterThan(before), { timeout: 5_000 });
    await pause(200);
  }
  socket.destroy();
  const answers = text.split('HTTP/1.1 ').slice(1);
  const bodies = answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '404', '404', '200', '200', '200', '200']);
  expect(bodies.map((body) => body.length > 0)).toEqual(requests.map((request) => request.startsWith('GET')));
});

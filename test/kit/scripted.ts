/** A server that answers as a test asks it to, over real HTTP: what a well-behaved service never does on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** `drop` breaks the connection without an answer, `cut` in the middle of the body, `silence` never answers. */
  readonly fault?: 'drop' | 'cut' | 'silence';
}

export interface Scripted {
  readonly url: string;
  /** Everything that was asked but tokens. */
  readonly asked: Asked[];
  /** The credentials that tokens were asked for with. */
  readonly credentials: Record<string, unknown>[];
}

export interface TokenScript {
  /** Seconds a token lives. */
  readonly lifetime?: number;
  /** The GraphQL error code for a refresh token. */
  readonly refusesRefresh?: string;
  readonly refusesKey?: string;
  /** True where the service cannot spend a refresh token: it answers 500. */
  readonly failsRefresh?: boolean;
  /** True where it stores none: tokens come without one. */
  readonly withoutRefresh?: boolean;
}

/** Replies in order; the last reply stands for all that follow. */
export async function scripted(replies: readonly (Reply | ((asked: Asked) => Reply))[], tokens: TokenScript = {}): Promise<Scripted> {
  const asked: Asked[] = [];
  const credentials: Record<string, unknown>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const part of request) body += part;
    const received: Asked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    if (received.path === '/v1/graphql/') {
      const input: Record<string, unknown> = JSON.parse(body).variables.input;
      credentials.push(input);
      response.setHeader('Content-Type', 'application/json');
      if (tokens.failsRefresh && 'refreshToken' in input) {
        response.writeHead(500, { 'Retry-After': '60' });
        response.end(JSON.stringify({ code: 'error', detail: 'x' }));
        return;
      }
      response.end(JSON.stringify(tokenAnswer(input, credentials.length, tokens)));
      return;
    }
    const script = replies[Math.min(asked.length, replies.length - 1)] ?? {};
    asked.push(received);
    const reply = typeof script === 'function' ? script(received) : script;
    if (reply.fault === 'drop') return request.socket.destroy();
    if (reply.fault === 'silence') return undefined;
    response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers });
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    if (reply.fault !== 'cut') return response.end(text);
    response.write(text);
    return setTimeout(() => request.socket.destroy(), 20);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, credentials };
}

function tokenAnswer(
  input: Record<string, unknown>,
  count: number,
  { lifetime = 3_600, refusesRefresh, refusesKey, withoutRefresh }: TokenScript,
): unknown {
  const code = 'refreshToken' in input ? refusesRefresh : refusesKey;
  if (code) return { errors: [{ message: 'refused', extensions: { errorCode: code, errorDescription: 'Refused.' } }], data: null };
  const iat = Math.floor(Date.now() / 1_000);
  const granted = {
    token: `token-${count}`,
    payload: { iat, exp: iat + lifetime },
    refreshToken: withoutRefresh ? null : `refresh-${count}`,
    refreshExpiresIn: withoutRefresh ? null : iat + 604_800,
  };
  return { data: { obtainPlatformToken: granted } };
}

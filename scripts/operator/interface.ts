/**
 * Calls to the operator interface (`/operator/v1/`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readLocal } from '../local.ts';

/** A refusal, in words for a person; with the status where the service gave it. */
export class Refused extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, string | undefined>>;

/** `Answer` is what the reference says of this endpoint; nothing checks it here. */
export interface Call {
  <Answer>(method: Method, parts: readonly string[], body?: object, query?: Query): Promise<Answer>;
  /** The lines of an answer in NDJSON, without the last one, which says that it is whole. */
  lines(parts: readonly string[], query?: Query): Promise<unknown[]>;
  list<Item>(parts: readonly string[], query?: Query): Promise<Item[]>;
  /** The answer itself, for what is no JSON. */
  open(parts: readonly string[], query?: Query, accept?: string): Promise<Response>;
}

/**
 * Where the service is and what opens it: options, then the environment, then what `npm start` left in this folder. Answers a
 * function that calls it: `call(method, path parts, body?, query?)` gives the body of the answer and throws {@link Refused} for
 * everything but a success; `call.list(path parts, query?)` gives all items of a list, page by page, `call.lines` those of an answer in NDJSON,
 * `call.open(path parts, query?, accept?)` the answer unread.
 */
export function operatorInterface({ url, token }: { readonly url?: string | undefined; readonly token?: string | undefined }): Call {
  const base = (url ?? process.env.OPERATOR_URL ?? readLocal().url)?.replace(/\/+$/, '');
  const secret = token ?? process.env.OPERATOR_TOKEN ?? localToken();
  if (!base) throw new Refused('Which service? Give --url or OPERATOR_URL, or run npm start in this folder.');
  if (!secret) throw new Refused('Which operator? Set OPERATOR_TOKEN.');

  async function send(method: Method, address: URL, body?: object, accept?: string): Promise<Response> {
    const answer = await fetch(address, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
      throw new Refused(`${base} does not answer (${error.cause?.code ?? error.message}).`);
    });
    if (!answer.ok) throw new Refused(refusal(answer.status, await answer.text()), answer.status);
    return answer;
  }

  async function ask(method: Method, address: URL, body?: object) {
    const answer = await send(method, address, body);
    const text = await answer.text();
    const isLines = answer.headers.get('Content-Type')?.startsWith('application/x-ndjson');
    return { value: isLines ? linesIn(text) : text === '' ? null : JSON.parse(text), link: answer.headers.get('Link') };
  }

  const addressOf = (parts: readonly string[], query: Query = {}) => {
    const address = new URL(`${base}/operator/v1/${parts.map((part) => `${encodeURIComponent(part)}/`).join('')}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
    return address;
  };

  const call = async (method: Method, parts: readonly string[], body?: object, query?: Query) =>
    (await ask(method, addressOf(parts, query), body)).value;

  const list = async (parts: readonly string[], query?: Query) => {
    const items = [];
    const first = addressOf(parts, query);
    for (let address: URL | undefined = first; address; ) {
      address.searchParams.set('limit', '500');
      const { value, link }: Awaited<ReturnType<typeof ask>> = await ask('GET', address);
      items.push(...value);
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
      address = next === undefined ? undefined : new URL(next, base);
    }
    return items;
  };

  const lines = (parts: readonly string[], query?: Query) => call('GET', parts, undefined, query);
  const open = (parts: readonly string[], query?: Query, accept?: string) => send('GET', addressOf(parts, query), undefined, accept);

  return Object.assign(call, { list, lines, open });
}

/** The newest items of a list, as many as a page holds or `limit` says; where the whole is asked for, all unless a limit is given. */
export const upTo = <Item>(call: Call, parts: readonly string[], query: Query, limit: string | undefined, isWhole = false) =>
  isWhole && limit === undefined ? call.list<Item>(parts, query) : call<Item[]>('GET', parts, undefined, { ...query, limit });

function linesIn(text: string): unknown[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (lines.pop()?.done !== true) throw new Refused('The answer was cut off: ask again.');
  return lines;
}

function localToken() {
  const file = join(ROOT, '.dev.vars');
  return existsSync(file) ? /^OPERATOR_TOKEN=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.trim() : undefined;
}

function refusal(status: number, text: string): string {
  if (status === 401) return 'The operator token was refused.';
  try {
    const { detail, code, errors } = JSON.parse(text);
    return errors
      ? errors.map((error: { attr: string; detail: string }) => `${error.attr}: ${error.detail}`).join('\n')
      : `${detail} (${code})`;
  } catch {
    return `The service answered ${status} and no JSON.`;
  }
}

/** `listen`: what happens under a supplier from now on, posted to an address of the developer's own machine as a webhook would. */
import { randomBytes } from 'node:crypto';
import { postSigned, type Sent } from '../../shared/standard-webhooks';
import { ApiError, type ImportEvent, pause } from '../client';
import { EXIT, type ExitCode, Stopped, UsageError } from './exit';
import { type LookOptions, printed } from './look';

const POLL_MILLISECONDS = 1_000;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/** How the command line names it. */
export const LISTEN = {
  about: 'Posts what happens under a supplier to an address of yours, signed as a webhook, until it is stopped',
  args: {
    'forward-to': { type: 'string', description: 'For example http://127.0.0.1:3000/webhooks', required: true },
    secret: { type: 'string', description: 'What signs, whsec_…; a new one is printed without' },
    cursor: { type: 'string', description: 'Where an earlier run ended; from now on without' },
  },
} as const;

const given = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Forwards each event until it was taken, in order, and prints a line for each try; ends when it is stopped. */
export async function listen(args: Readonly<Record<string, unknown>>, options: LookOptions): Promise<ExitCode> {
  const [forwardTo = '', secret, cursor] = [given(args['forward-to']), given(args['secret']), given(args['cursor'])];
  const { client, supplier, isJson, signal } = options;
  if (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo))
    throw new UsageError('--forward-to takes an address, for example http://127.0.0.1:3000/webhooks.');
  if (secret !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
    throw new UsageError('--secret begins with whsec_ and goes on in base64.');
  const signing = secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  let last = cursor;
  try {
    last ??= await newest(options);
    process.stderr.write(`Forwarding what happens under ${supplier} to ${forwardTo}${secret ? '' : `, signed by ${signing}`}\n`);
    const onCursor = (next: string): void => {
      last = next;
    };
    for await (const event of client.events(supplier, {
      cursor: last,
      follow: true,
      pollMilliseconds: POLL_MILLISECONDS,
      onCursor,
      signal,
    })) {
      if (!(await forward(event, { forwardTo, signing, isJson, signal }))) break;
    }
  } catch (error) {
    if (error instanceof Stopped) return EXIT.stopped;
    if (!(error instanceof ApiError) || error.code !== 'cursor_expired') throw error;
    process.stderr.write('Events behind this cursor have been deleted. Listen without a cursor: from now on.\n');
    return EXIT.someFailed;
  } finally {
    if (last !== undefined && last !== cursor) process.stderr.write(`Go on later with --cursor=${last}\n`);
  }
  return EXIT.allDone;
}

/** The cursor behind everything that has happened. */
async function newest({ client, supplier, signal }: LookOptions): Promise<string> {
  let page = await client.getEvents(supplier, { limit: 1_000, signal });
  while (page.has_more) page = await client.getEvents(supplier, { limit: 1_000, cursor: page.cursor, signal });
  return page.cursor;
}

interface Way {
  readonly forwardTo: string;
  readonly signing: string;
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

/** False where nobody reads what is printed any more. */
async function forward(event: ImportEvent, { forwardTo, signing, isJson, signal }: Way): Promise<boolean> {
  for (let wait = 1_000; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MILLISECONDS)) {
    const sent = await postSigned(forwardTo, { id: event.id, at: Date.now(), body: JSON.stringify(event) }, [signing]);
    if (!(await printed(isJson ? JSON.stringify({ ...event, forwarded: wordOf(sent) }) : lineOf(event, sent)))) return false;
    if (sent.kind === 'taken') return true;
    await pause(wait, signal);
  }
}

const wordOf = (sent: Sent): string => (sent.kind === 'taken' ? 'taken' : sent.reason);
const lineOf = (event: ImportEvent, sent: Sent): string => [event.occurred_at, event.type, event.id, wordOf(sent)].join('\t');

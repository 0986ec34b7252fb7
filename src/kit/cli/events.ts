/** `events`: what happened under a supplier, one line for each event. */
import { ApiError, type ImportEvent } from '../client';
import { EXIT, type ExitCode, Stopped } from './exit';
import { type LookOptions, printed } from './look';

const POLL_MILLISECONDS = 2_000;

/** Prints events from the cursor on; with `follow` until it is stopped. At the end it says on stderr where to go on. */
export async function events(
  { follow, cursor }: { readonly follow: boolean; readonly cursor: string | undefined },
  { client, supplier, isJson, signal }: LookOptions,
): Promise<ExitCode> {
  let last = cursor;
  const onCursor = (next: string): void => {
    last = next;
  };
  const options = { follow, pollMilliseconds: POLL_MILLISECONDS, onCursor, signal, ...(cursor === undefined ? {} : { cursor }) };
  try {
    for await (const event of client.events(supplier, options)) {
      if (!(await printed(isJson ? JSON.stringify(event) : wordsOf(event)))) break;
    }
  } catch (error) {
    if (error instanceof Stopped) return EXIT.stopped;
    if (!(error instanceof ApiError) || error.code !== 'cursor_expired') throw error;
    process.stderr.write('Events behind this cursor have been deleted. Look at the lists, then follow the events without a cursor.\n');
    return EXIT.someFailed;
  } finally {
    if (last !== undefined && last !== cursor) process.stderr.write(`Go on later with --cursor=${last}\n`);
  }
  return EXIT.allDone;
}

/** Of many imports the numbers by status: whoever wants each takes `--json`. */
export function wordsOf(event: ImportEvent): string {
  return [event.occurred_at, event.type, detailsOf(event)].join('\t');
}

function detailsOf(event: ImportEvent): string {
  switch (event.type) {
    case 'account_imports.finished':
      return countsOf(event.data.imports.map(({ status, code }) => (code === undefined ? status : `${status} ${code}`)));
    case 'account_imports.cancelled':
      return `${event.data.imports.length} CANCELLED: ${event.data.reason}`;
    case 'account_imports.undone':
      return `${event.data.imports.length} taken back`;
    case 'import_supplier.changed':
      return event.data.status;
    case 'run.held':
      return `${event.data.run} by ${event.data.held_by}`;
    case 'run.released':
      return `${event.data.run} ${event.data.released}`;
    case 'run.finished':
      return `${event.data.run} ${listed(Object.entries(event.data.counts).filter(([, count]) => count > 0))}`;
    case 'run.cancelled':
    case 'run.undone':
      return `${event.data.count} ${event.data.run}`;
    case 'account.erased':
      return event.data.external_account_number;
    case 'notes.added':
    case 'transactions.added':
    case 'statements.added':
    case 'payment_instruction.added':
    case 'payment_instruction.ended':
      return `${event.data.count} ${event.data.external_account_number}`;
    default:
      // A later release has events that this one does not know.
      return '';
  }
}

function countsOf(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return listed([...counts]);
}

const listed = (counts: readonly (readonly [word: string, count: number])[]): string =>
  counts.map(([word, count]) => `${count} ${word}`).join(', ');

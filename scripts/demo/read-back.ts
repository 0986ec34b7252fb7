/** Reads imported accounts as a system of the platform does, and compares them with what was sent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../local.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The token that `npm start` made. Undefined where there is none: it opens no service elsewhere. */
export function localPlatformToken(): string | undefined {
  const file = join(ROOT, '.dev.vars');
  return existsSync(file) ? /^PLATFORM_TOKEN=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.trim() : undefined;
}

/** The places at which an account differs from what was sent; none, if all that was sent is there. */
export async function differingPlaces(url: string, platformToken: string, number: string, sent: object): Promise<string[]> {
  const answer = await fetch(`${url}/platform/v1/accounts/${number}/`, { headers: { Authorization: `Bearer ${platformToken}` } });
  if (!answer.ok) return [`the platform was answered ${answer.status}`];
  const whole: Fields = JSON.parse(await answer.text());
  const transactions = listOf(whole['transactions']).map(({ imported }) => imported);
  const { customers, notes, statements, current_statement_transactions, historical_statement_transactions, ...rest }: Fields = { ...sent };
  // Numbers of cards and accounts are cut before anything is stored.
  const { payment_instructions: _, ledgers: __, task_params: ___, import_supplier, external_account_number, ...fields } = rest;
  return [
    ...differing('', { import_supplier, external_account_number }, whole),
    ...differing('', fields, whole['account']),
    ...differing('customers', customers, whole['customers']),
    ...missing('notes', listOf(notes).map(noteAsRead), listOf(whole['notes'])),
    ...missing(
      'statements',
      listOf(statements),
      listOf(whole['statements']).map(({ statement }) => statement),
    ),
    ...missing('transactions', [...listOf(current_statement_transactions), ...listOf(historical_statement_transactions)], transactions),
  ];
}

/** A note in the words of the answer: moments with milliseconds, and documents by their own name. */
const noteAsRead = ({ created_at, document_paths, ...note }: Fields): Fields => ({
  ...note,
  ...(typeof created_at === 'string' ? { created_at: new Date(created_at).toISOString() } : {}),
  ...(document_paths === undefined ? {} : { documents: document_paths }),
});

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : []);

/** Places of `sent` that `found` has not, or has otherwise; what is more in it is the service's own. */
function differing(place: string, sent: unknown, found: unknown): string[] {
  if (typeof sent !== 'object' || sent === null) return sent === undefined || Object.is(sent, found) ? [] : [place];
  if (typeof found !== 'object' || found === null) return [place];
  const values = new Map(Object.entries(found));
  return Object.entries(sent).flatMap(([key, value]) => differing(place ? `${place}.${key}` : key, value, values.get(key)));
}

/** Places of a list whose items the service has in an order of its own. */
const missing = (place: string, sent: readonly Fields[], found: readonly unknown[]): string[] =>
  sent.flatMap((item, index) => (found.some((one) => differing('', item, one).length === 0) ? [] : [`${place}.${index}`]));

/**
 * Mirrors every imported account into an SQLite file, and follows what happens to them. Node 24, nothing to install:
 *
 *   PLATFORM_TOKEN=… node docs/examples/mirror.ts http://127.0.0.1:8787 mirror.sqlite
 *
 * It may be ended and started again at any moment: a cursor is stored with what was read up to it, or after that.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const [url, file = 'mirror.sqlite'] = process.argv.slice(2);
const db = new DatabaseSync(file, { timeout: 5_000 });
// With secure_delete what is overwritten is gone from the file, too.
db.exec(`PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS accounts (number TEXT PRIMARY KEY, account TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS cursors (feed TEXT PRIMARY KEY, cursor TEXT NOT NULL)`);
const setAccount = db.prepare('REPLACE INTO accounts VALUES (?, ?)');
const deleteAccount = db.prepare('DELETE FROM accounts WHERE number = ?');
const setCursor = db.prepare('REPLACE INTO cursors VALUES (?, ?)');
const getCursor = db.prepare('SELECT cursor FROM cursors WHERE feed = ?');

while (true) {
  const hasMore = await follow().catch((error) => {
    if (db.isTransaction) db.exec('ROLLBACK');
    console.error(`${error}, trying again`);
  });
  if (!hasMore) await pause(1_000);
}

interface AccountEvent {
  readonly platform_account_number?: string;
}

/** Passes a page of events; true if there are more. */
async function follow(): Promise<boolean> {
  // Events first: an account is read after the event that names it, so what is stored is at least as new.
  const { status, text } = await get(`events/?limit=1000${after('events')}`, 410);
  const page: { cursor: string; has_more?: boolean; events?: { type: string; data: AccountEvent & { imports?: AccountEvent[] } }[] } =
    JSON.parse(text);
  // 410: it was away for longer than events can be read, and copies all accounts anew.
  if (status === 410) db.exec('BEGIN; DELETE FROM accounts; DELETE FROM cursors; COMMIT');
  while (await copyNewAccounts()) {}
  // Whatever an event reports of an account (notes.added, account.erased, …): the account as it is now says it all.
  // Imports that were undone are gone; those that finished were copied above.
  const reported = page.events?.flatMap(({ type, data }) => (type === 'account_imports.undone' ? (data.imports ?? []) : [data]));
  const changed = new Set(reported?.flatMap(({ platform_account_number }) => platform_account_number ?? []));
  for (const number of changed) {
    const account = await get(`accounts/${number}/`, 404);
    account.status === 404 ? deleteAccount.run(number) : setAccount.run(number, account.text);
  }
  setCursor.run('events', page.cursor);
  return page.has_more ?? true;
}

/** Stores a page of accounts in commit order; true if there are more. */
async function copyNewAccounts(): Promise<boolean> {
  const lines = (await get(`accounts/?limit=500${after('accounts')}`)).text.trimEnd().split('\n');
  const { cursor, has_more } = JSON.parse(lines.pop() ?? '');
  if (!cursor) throw new Error('The answer was cut');
  db.exec('BEGIN');
  for (const line of lines) setAccount.run(JSON.parse(line).platform_account_number, line);
  setCursor.run('accounts', cursor);
  db.exec('COMMIT');
  return has_more;
}

function after(feed: string): string {
  const cursor = getCursor.get(feed)?.['cursor'];
  return cursor ? `&cursor=${cursor}` : '';
}

/** An answer of 200 or the other status; rejects on any else. */
async function get(path: string, other = 200): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Bearer ${process.env['PLATFORM_TOKEN']}` };
  const answer = await fetch(`${url}/platform/v1/${path}`, { headers, signal: AbortSignal.timeout(60_000) });
  if (answer.status !== 200 && answer.status !== other) throw new Error(`The service answered ${answer.status}`);
  return { status: answer.status, text: await answer.text() };
}

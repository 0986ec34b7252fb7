/**
 * What must be true of an account's own rows and of what was added to it.
 */
import type { Stored } from './audit';
import { isFull, namesOf, type Payload } from './payload';
import { isPossible, isSure, ofKind, type Sent } from './record';

const OF_PAYLOAD = 0;
const POSTED = 1;
const same = (a: readonly unknown[], b: readonly unknown[]): boolean => JSON.stringify(a) === JSON.stringify(b);

/** `payload` is what the account was made of; undefined if there is no account. */
export function checkAdditions(
  sent: readonly Sent[],
  accountId: number | undefined,
  payload: Payload | undefined,
  stored: Stored,
): string[] {
  if (accountId === undefined || !payload) {
    return sent
      .filter((one) => one.asked.kind !== 'create' && isSure(one))
      .map((one) => `${one.asked.kind} was added to an account that is not there`);
  }
  return [
    ...checkUndocumented(accountId, payload, stored),
    ...checkCustomers(accountId, payload, stored),
    ...checkNotes(sent, accountId, payload, stored),
    ...checkTransactions(sent, accountId, payload, stored),
    ...checkStatements(sent, accountId, payload, stored),
    ...checkInstructions(sent, accountId, payload, stored),
  ];
}

/** An undocumented field is stored with each row of the payload, and is of the same payload as the row. */
function checkUndocumented(accountId: number, { version }: Payload, stored: Stored): string[] {
  const rows = {
    customers: stored.customers,
    notes: stored.notes.filter(({ source }) => source === OF_PAYLOAD),
    transactions: stored.transactions.filter(({ source }) => source !== 2),
    statements: stored.statements
      .filter(({ statement_id }) => statement_id === `p${version}`)
      .map(({ account_id, content }) => ({ account_id, version: JSON.parse(content).version })),
    instructions: stored.instructions.filter(({ position }) => position > 0),
  };
  return Object.entries(rows).flatMap(([table, found]) =>
    found
      .filter((row) => row.account_id === accountId && row.version !== version)
      .map((row) => `what was sent with its ${table} beside the documented fields is ${String(row.version)} instead of ${version}`),
  );
}

function checkCustomers(accountId: number, payload: Payload, { customers }: Stored): string[] {
  const names = customers.filter(({ account_id }) => account_id === accountId).map(({ given_name }) => given_name);
  return same(names, namesOf(payload)) ? [] : [`its customers are ${names.join()} instead of ${namesOf(payload).join()}`];
}

function checkNotes(sent: readonly Sent[], accountId: number, payload: Payload, { notes }: Stored): string[] {
  const rows = notes.filter(({ account_id }) => account_id === accountId);
  const own = rows.filter(({ source }) => source === OF_PAYLOAD).map(({ body }) => body);
  const expected = isFull(payload) ? [`p${payload.version}`, `p${payload.version}`] : [];
  const broken = same(own, expected) ? [] : [`the notes of its payload are ${own.join()}`];
  const posts = ofKind(sent, 'notes').filter((post) => isSure(post) || isPossible(post));
  const posted = rows.filter(({ source }) => source === POSTED);
  const results = posts.flatMap(({ status, body }) =>
    status === 201 && Array.isArray(body) ? (body as { body: string; status: string }[]) : [],
  );
  for (const text of new Set([...posts.flatMap(({ asked }) => asked.notes.map(({ body }) => body)), ...posted.map(({ body }) => body)])) {
    const found = posted.filter(({ body }) => body === text);
    const dated = (isWanted: (one: Sent) => boolean): Set<number> =>
      new Set(
        posts
          .filter(isWanted)
          .flatMap(({ asked }) => asked.notes)
          .flatMap((note) => (note.body === text && note.created_at ? [Date.parse(note.created_at)] : [])),
      );
    const isThere = (instant: number): boolean => found.some(({ created_at }) => created_at === instant);
    for (const instant of dated(isSure)) if (!isThere(instant)) broken.push(`the note ${text} of ${instant} is missing`);
    const undated = posts.filter(({ asked }) => asked.notes.some((note) => note.body === text && !note.created_at));
    if (undated.some(isSure) && found.length === 0) broken.push(`the note ${text} is missing`);
    const asked = dated(() => true);
    const moments = found.filter(({ created_at }) => !asked.has(created_at)).length;
    if (moments > (undated.length > 0 ? 1 : 0)) broken.push(`the note ${text} is there ${moments} times`);
    const created = results.filter((result) => result.body === text && result.status === 'NOTE_CREATION_SUCCESS').length;
    if (created > found.length) broken.push(`the note ${text} was created ${created} times, ${found.length} are there`);
  }
  return broken;
}

function checkTransactions(sent: readonly Sent[], accountId: number, payload: Payload, { transactions }: Stored): string[] {
  const rows = transactions.filter(({ account_id }) => account_id === accountId);
  const own = rows.filter(({ source }) => source !== 2);
  const expected = isFull(payload) ? [payload.version] : [];
  const broken = same(
    own.map(({ amount_minor }) => amount_minor),
    expected,
  )
    ? []
    : [`${own.length} transactions of its payload`];
  const posts = ofKind(sent, 'transactions').filter((post) => isSure(post) || isPossible(post));
  const posted = rows.filter(({ source }) => source === 2);
  const amountsOf = (id: string, isWanted: (post: (typeof posts)[number]) => boolean): number[] =>
    posts
      .filter(isWanted)
      .flatMap(({ asked }) => asked.transactions)
      .flatMap(({ transaction_id, amountMinor }) => (transaction_id === id ? [amountMinor] : []));
  const ids = posts.flatMap(({ asked }) => asked.transactions.map(({ transaction_id }) => transaction_id));
  for (const id of new Set([...ids, ...posted.map(({ transaction_id }) => transaction_id)])) {
    const found = posted.filter(({ transaction_id }) => transaction_id === id).map(({ amount_minor }) => amount_minor);
    const blind = amountsOf(id, (post) => !post.asked.isChecked);
    const sureBlind = amountsOf(id, (post) => !post.asked.isChecked && isSure(post));
    for (const amount of sureBlind) if (!found.includes(amount)) broken.push(`the transaction ${id} of ${amount}, unchecked, is missing`);
    if (new Set(found).size !== found.length) broken.push(`the transaction ${id} was doubled: ${found.join()}`);
    const checked = found.filter((amount) => !blind.includes(amount));
    if (checked.length > 1) broken.push(`the transaction ${id} is there ${checked.length} times`);
    for (const amount of found)
      if (!amountsOf(id, () => true).includes(amount)) broken.push(`nobody posted the transaction ${id} of ${amount}`);
    if (amountsOf(id, isSure).length > 0 && found.length === 0) broken.push(`the transaction ${id} is missing`);
  }
  return [...broken, ...checkTransactionResults(posts, posted)];
}

interface TransactionResult {
  readonly status: string;
  readonly transaction_data: { readonly transaction_id: string; readonly amount: string };
}

/** What was answered is what is stored. */
function checkTransactionResults(
  posts: readonly Sent[],
  posted: readonly { readonly transaction_id: string; readonly amount_minor: number }[],
) {
  const results = posts.flatMap(({ status, body }) => (status === 201 ? (body as { results: TransactionResult[] }).results : []));
  return results.flatMap(({ transaction_data: { transaction_id, amount } }) =>
    posted.some((row) => row.transaction_id === transaction_id && row.amount_minor === Math.round(Number(amount) * 100))
      ? []
      : [`the transaction ${transaction_id} was answered with ${amount}, which is not stored`],
  );
}

function checkStatements(sent: readonly Sent[], accountId: number, payload: Payload, { statements }: Stored): string[] {
  const rows = statements.filter(({ account_id }) => account_id === accountId);
  const own = rows.filter(({ statement_id }) => statement_id === `p${payload.version}`).length;
  const broken = own === (isFull(payload) ? 1 : 0) ? [] : [`${own} statements of its payload`];
  const posts = ofKind(sent, 'statements').filter((post) => isSure(post) || isPossible(post));
  for (const { statement_id, content } of rows) {
    const number: unknown = JSON.parse(content).number;
    const isPosted = posts.some(({ asked }) => asked.statements.some((one) => one.statement_id === statement_id && one.number === number));
    if (statement_id !== `p${payload.version}` && !isPosted) broken.push(`nobody posted the statement ${statement_id} ${String(number)}`);
  }
  for (const { statement_id, number } of posts.filter(isSure).flatMap(({ asked }) => asked.statements)) {
    const row = rows.find((one) => one.statement_id === statement_id);
    if (!row || JSON.parse(row.content).number !== number) broken.push(`the statement ${statement_id} ${number} is missing`);
  }
  return broken;
}

function checkInstructions(sent: readonly Sent[], accountId: number, payload: Payload, { instructions }: Stored): string[] {
  const rows = instructions.filter(({ account_id }) => account_id === accountId);
  const own = rows.filter(({ position }) => position > 0).length;
  const broken = own === (isFull(payload) ? 1 : 0) ? [] : [`${own} payment instructions of its payload`];
  const posts = ofKind(sent, 'instruction').filter((post) => isSure(post) || isPossible(post));
  const active = rows.filter(({ position }) => position === 0);
  for (const { type, reference } of active) {
    if (!posts.some(({ asked }) => asked.type === type && asked.reference === reference))
      broken.push(`nobody posted the ${type} ${reference}`);
  }
  for (const { asked } of posts.filter(isSure)) {
    if (!active.some(({ type, reference }) => type === asked.type && reference === asked.reference)) {
      broken.push(`the ${asked.type} ${asked.reference} is missing`);
    }
  }
  return broken;
}

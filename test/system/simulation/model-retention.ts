/**
 * What retention leaves of the body of an account: everything but the lists that have rows, whatever today's rules say of it.
 */
import type { ProcessNow, Stored } from './audit';
import { bodyOf, FORMS, type Payload } from './payload';
import type { Pair } from './record';
import { REFUSED_TODAY } from './releases';

const LISTS = ['customers', 'notes', 'statements', 'payment_instructions', 'current_statement_transactions'];

/** With its keys in order: two that differ in their form only are the same text. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, inOrder(Reflect.get(value, key))]),
  );
}
const textOf = (value: unknown): string => JSON.stringify(inOrder(value));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `kept` is what was stored before retention came. */
export function checkRetention(pair: Pair, process: ProcessNow, payload: Payload, stored: Stored, retained: Stored): string[] {
  const before = retained.processes.find(({ id }) => id === process.id)?.body ?? '';
  if (!isJson(before)) return process.body === before ? [] : ['a payload that cannot be read was overwritten'];
  if (!isJson(process.body)) return ['its payload became unreadable'];
  const hasAllFields = stored.accounts.find(({ id }) => id === process.id)?.has_all_fields === 1;
  const isStricter = before.includes(REFUSED_TODAY.account_type);
  // Another release may have left its mark on the account after that.
  const isReducedBefore = before === process.body;
  const reducedOf = (account: object, isWhole: boolean): object => {
    const isCut = (name: string): boolean => name === 'task_params' || (!isWhole && LISTS.includes(name));
    const left = Object.fromEntries(Object.entries(account).filter(([name]) => !isCut(name)));
    return isStricter ? { ...left, ...REFUSED_TODAY } : left;
  };
  const expected = FORMS.flatMap((form) => {
    const body = bodyOf({ ...payload, form }, pair.supplierCode, pair.number);
    const account = body['payload'];
    return (isReducedBefore ? [true, false] : [!hasAllFields]).flatMap((isWhole) =>
      // The account beside its `task_params` is kept in either form.
      typeof account === 'object' && account !== null
        ? [textOf({ payload: reducedOf(account, isWhole) }), textOf(reducedOf(account, isWhole))]
        : [textOf(reducedOf(body, isWhole))],
    );
  });
  return expected.includes(textOf(JSON.parse(process.body))) ? [] : [`what is left of its payload is ${process.body}`];
}

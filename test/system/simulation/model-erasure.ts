/**
 * What must be true of what was erased or taken back: nothing of it is left in any table, it does not come back, and exactly one event
 * reports each account.
 */
import { accountNumberOf } from '../../../src/import-processes/number';
import { KEY, type ProcessNow, type Stored, SUPPLIERS } from './audit';
import type { Erased } from './erasures';
import { isFull, namesOf, type Payload, personalOf } from './payload';
import type { Task } from './world';

/** `texts`: every table as text. */
export function checkErasures(
  erased: readonly Erased[],
  stored: Stored,
  texts: ReadonlyMap<string, string>,
  tasks: ReadonlyMap<number, Task>,
): string[] {
  return [
    ...stored.processes.flatMap((process) => checkGone(process, texts)),
    ...checkBack(erased, stored, tasks),
    ...checkTold(stored),
    ...stored.orphans.map(({ id }) => `the payload ${id} has no process any more`),
  ];
}

/** What was erased, or taken back and not created again, is looked for wherever anything is stored. */
function checkGone(process: ProcessNow, texts: ReadonlyMap<string, string>): string[] {
  const isTakenBack = process.undone_at !== null && process.body === '';
  if (process.erased_at === null && !isTakenBack) return [];
  const code = SUPPLIERS.find(({ id }) => id === process.supplier_id)?.code ?? '';
  const personal = personalOf(code, process.number);
  const what = process.erased_at === null ? 'taken back' : 'erased';
  return [...texts].flatMap(([table, text]) =>
    text.includes(personal) ? [`${code}/${process.number} was ${what} and is in ${table}`] : [],
  );
}

/**
 * What was answered to be erased is; a payload may come again with a create that was under way since. One whose call hung, failed or was cut off
 * may take effect after its end.
 */
function checkBack(erased: readonly Erased[], { processes, deeds }: Stored, tasks: ReadonlyMap<number, Task>): string[] {
  const broken = erased.flatMap(({ pair, accountNumber }) => {
    const name = `${pair.supplierId}/${pair.number}`;
    const process = processes.find(({ supplier_id, number }) => supplier_id === pair.supplierId && number === pair.number);
    if (accountNumber !== undefined)
      return process?.account_number === accountNumber && process.erased_at === null ? [`the erased account ${accountNumber} is back`] : [];
    const isRevived = deeds.some(({ what, subject }) => what === 'revived' && subject === name);
    return process?.erased_at === null && !isRevived ? [`${name} was answered to be erased and is not`] : [];
  });
  const late = deeds.filter(({ what, actor, subject, moment }) => {
    const request = tasks.get(actor);
    const erasure = deeds.findLast((one) => one.what === 'erased process' && one.subject === subject && one.moment < moment);
    return (
      what === 'revived' && erasure && request && request.startedAt < erasure.moment && moment > request.overAt && request.faults === 0
    );
  });
  return [...broken, ...late.map(({ subject, actor }) => `request ${actor} brought the erased ${subject} back after its end`)];
}

/** One event and one entry of the audit trail for each account, by the numbers that it had. */
function checkTold({ feed, deeds }: Stored): string[] {
  const reported = feed
    .filter(({ type }) => type === 'account.erased')
    .map(({ supplier_id, data }) => {
      const { external_account_number, platform_account_number } = JSON.parse(data);
      return `${supplier_id}/${external_account_number} ${platform_account_number}`;
    });
  const happened = deeds.filter(({ what }) => what === 'erased').map(({ subject }) => subject);
  const audited = deeds.filter(({ what }) => what === 'account.erased').length;
  return [
    ...(reported.toSorted().join() === happened.toSorted().join()
      ? []
      : [`account.erased reports ${reported.join()}, and erased were ${happened.join()}`]),
    ...(audited === happened.length ? [] : [`${happened.length} accounts were erased, and ${audited} audited`]),
  ];
}

/** What stays of an erased account, so that books still add up: as many rows as there were, and of its payload's none that says more. */
export function checkErasedRows(accountId: number, payload: Payload, stored: Stored): string[] {
  const full = isFull(payload) ? 1 : 0;
  const of = <Row extends { readonly account_id: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => row.account_id === accountId);
  const found = {
    customers: of(stored.customers).length,
    notes: of(stored.notes).filter(({ source }) => source === 0).length,
    statements: of(stored.statements).filter(({ statement_id }) => statement_id === `p${payload.version}`).length,
    instructions: of(stored.instructions).filter(({ position }) => position > 0).length,
  };
  const expected = { customers: namesOf(payload).length, notes: 2 * full, statements: full, instructions: full };
  const rows = JSON.stringify(found) === JSON.stringify(expected) ? [] : [`of the erased account ${JSON.stringify(found)} rows are left`];
  const texts = [
    ...of(stored.customers).map(({ given_name }) => given_name),
    ...of(stored.notes).map(({ body }) => body),
    ...of(stored.instructions).map(({ reference }) => reference),
  ];
  return [...rows, ...texts.flatMap((text) => (text === null ? [] : [`of the erased account ${text} is left`]))];
}

/** The numbers that the accounts of a pair had, one after the other. */
export const numbersOf = ({ transitions }: Stored, supplierId: number, number: string): string[] =>
  transitions.flatMap((one) =>
    one.supplier_id === supplierId && one.number === number && one.body !== null ? [accountNumberOf(one.process_id, KEY)] : [],
  );

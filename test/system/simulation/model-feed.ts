/**
 * What must be true of the events that others follow: each effect has one, each has its effect, none comes twice, and their order is
 * that in which the effects were committed.
 */
import { STATUS, statusOf } from '../../../src/import-processes/machine';
import { accountNumberOf } from '../../../src/import-processes/number';
import { KEY, type Stored, SUPPLIERS } from './audit';
import type { Transition } from './observer';

type Event = Stored['feed'][number];
type Listed = { readonly external_account_number: string; readonly status?: string; readonly platform_account_number?: string };

const ENDED: readonly number[] = [STATUS.PROCESSED, STATUS.ERRORED, STATUS.CANCELLED, STATUS.DRY_RUN_SUCCEEDED, STATUS.DRY_RUN_ERRORED];

export function checkFeed(stored: Stored): string[] {
  return [
    ...SUPPLIERS.flatMap(({ id, code }) => [
      ...checkImports(
        stored.feed.filter((event) => event.supplier_id === id && event.type.startsWith('account_imports.')),
        stored.transitions.filter(({ supplier_id, became }) => supplier_id === id && ENDED.includes(became)),
      ).map((line) => `events of supplier ${code}: ${line}`),
      ...checkChanges(stored, id, code),
    ]),
    ...checkAdded(stored),
  ];
}

/** The imports that ended, in the order in which they did; those of one event came together. */
function checkImports(events: readonly Event[], ended: readonly Transition[]): string[] {
  const happened = ended.map(({ number, became, at, role }) => ({ what: `${number} ${statusOf(became)} ${at}`, isOf: role }));
  const broken: string[] = [];
  let place = 0;
  for (const { type, data, occurred_at } of events) {
    const { imports, reason }: { imports: readonly Listed[]; reason?: string } = JSON.parse(data);
    const own = imports.filter(({ external_account_number }) => !external_account_number.startsWith('later-'));
    const listed = own.map((one) => `${one.external_account_number} ${one.status ?? 'CANCELLED'} ${occurred_at}`);
    const together = happened.slice(place, place + listed.length);
    if (JSON.stringify(listed.toSorted()) !== JSON.stringify(together.map(({ what }) => what).toSorted()))
      return [...broken, `${type} reports ${listed.join(', ')} where ${together.map(({ what }) => what).join(', ') || 'nothing'} happened`];
    const changes = ended.slice(place, place + listed.length);
    place += listed.length;
    const isRight = type === 'account_imports.cancelled' ? together.every(({ isOf }) => isReasonOf(reason, isOf)) : reason === undefined;
    if (changes.some(({ was, became }) => typeOf(was, became) !== type)) broken.push(`${type} says what is none`);
    if (!isRight) broken.push(`${type} gives the reason ${reason} to what ${together.map(({ isOf }) => isOf).join()} did`);
    for (const one of own) {
      const change = changes.find(({ number }) => number === one.external_account_number);
      const isOfAccount = change && (change.became === STATUS.PROCESSED || change.was === STATUS.PROCESSED);
      const number = isOfAccount ? accountNumberOf(change.was_id, KEY) : undefined;
      if (one.platform_account_number !== number)
        broken.push(`${one.external_account_number} has the number ${one.platform_account_number}`);
    }
  }
  return [...broken, ...happened.slice(place).map(({ what }) => `nothing reports ${what}`)];
}

const typeOf = (was: number | null, became: number): string => {
  if (became !== STATUS.CANCELLED) return 'account_imports.finished';
  return was === STATUS.PROCESSED ? 'account_imports.undone' : 'account_imports.cancelled';
};

const OF_A_SWEEP = new Set(['window_closed', 'import_supplier_complete']);

/** A change of a supplier's status begins a sweep, so what an operator did may be one, too. */
const isReasonOf = (reason: string | undefined, role: Transition['role']): boolean =>
  (role !== 'service' && (reason === role || reason === 'run')) || (role !== 'importer' && OF_A_SWEEP.has(reason ?? ''));

/** Each change of a supplier's status, once. */
function checkChanges({ feed, changes }: Stored, id: number, code: string): string[] {
  const listed = feed
    .filter(({ supplier_id, type }) => supplier_id === id && type === 'import_supplier.changed')
    .map(({ occurred_at, data }) => `${occurred_at} ${JSON.parse(data).status}`);
  const happened = changes
    .filter(({ supplier }) => supplier === `supplier ${code}`)
    .map(({ occurred_at, status }) => `${occurred_at} ${status}`);
  return JSON.stringify(listed.toSorted()) === JSON.stringify(happened.toSorted())
    ? []
    : [`supplier ${code} went through ${happened.join(', ')}, and reported were ${listed.join(', ')}`];
}

/** As many rows as events say were added to each account. */
function checkAdded(stored: Stored): string[] {
  const added: Readonly<Record<string, readonly { readonly account_id: number }[]>> = {
    'notes.added': stored.notes.filter(({ source }) => source === 1),
    'transactions.added': stored.transactions.filter(({ source }) => source === 2),
    'statements.added': stored.statements.filter(({ statement_id }) => !statement_id.startsWith('p')),
    'payment_instruction.added': stored.instructions.filter(({ position }) => position <= 0),
    'payment_instruction.ended': stored.instructions.filter(({ position }) => position < 0),
  };
  const names = new Map(
    stored.processes.map(({ id, supplier_id, number, account_number }) => [id, `${supplier_id}/${number} ${account_number}`]),
  );
  return Object.entries(added).flatMap(([type, rows]) => {
    const expected = new Map<string, number>();
    for (const { account_id } of rows) {
      const name = names.get(account_id) ?? '';
      expected.set(name, (expected.get(name) ?? 0) + 1);
    }
    const listed = new Map<string, number>();
    for (const { supplier_id, data } of stored.feed.filter((event) => event.type === type)) {
      const { external_account_number, platform_account_number, count } = JSON.parse(data);
      const name = `${supplier_id}/${external_account_number} ${platform_account_number}`;
      listed.set(name, (listed.get(name) ?? 0) + count);
    }
    const of = (counts: ReadonlyMap<string, number>): string =>
      JSON.stringify([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
    return of(expected) === of(listed) ? [] : [`${type} reports ${of(listed)}, and ${of(expected)} are there`];
  });
}

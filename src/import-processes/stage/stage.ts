/**
 * Stages accounts (§4.6): stored first, then sent. The answer waits for the storing only.
 */

import type { Deps } from '../../deps';
import { intakeOf } from '../../health';
import type { Caller } from '../../tokens';
import { sendImports } from '../send/messages';
import type { IsSameAccount } from './rules';
import { type Create, type KnownProcesses, type Slice, type Staged, stageSlice } from './slice';

/**
 * Stages creates of any suppliers: answers one outcome for each, in order, as if they had come one after the other. Takes one trip
 * where no pair has a process yet, else two. With `known` it takes one, and none for what changes nothing.
 */
export async function stageAccounts(
  deps: Deps,
  caller: Caller,
  creates: readonly Create[],
  isSameAccount: IsSameAccount,
  known?: KnownProcesses,
): Promise<Staged[]> {
  const outcomes = new Map<Create, Staged>();
  for (const [db, members] of Map.groupBy(creates, ({ supplier }) => deps.databaseOf(supplier.code))) {
    const slice: Slice = { db, caller, isSameAccount, now: deps.now(), outcomes, staged: [] };
    const isOpen = (await intakeOf(deps, db)) === 'open';
    const [right, others] = [members.filter(({ kind }) => kind === 'right'), members.filter(({ kind }) => kind !== 'right')];
    if (!isOpen) for (const create of right) outcomes.set(create, { kind: 'not_taken' });
    try {
      await stageSlice(slice, isOpen ? members : others, known);
    } finally {
      send(deps, slice);
    }
  }
  return creates.map((create) => outcomes.get(create) ?? { kind: 'decided_on_old_state' });
}

/** Sends what is to start now; what has a window that is yet to open is left to the sweep. */
function send(deps: Deps, { staged }: Slice): void {
  const due = staged.filter(({ sentAt }) => sentAt > 0);
  if (due.length === 0) return;
  // A message is no older than what it names, whatever the clock of this isolate says.
  const at = due.reduce((latest, one) => Math.max(latest, one.at), deps.now());
  deps.afterReply('send_imports', sendImports(deps, due, { at }));
}

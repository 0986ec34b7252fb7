/**
 * Starts errored imports again with the payload that is staged (§3.2): ERRORED → PENDING, then sent.
 */

import { commit } from '../db';
import type { Deps } from '../deps';
import { sendImports } from './messages';
import { retryProcess, retryProcessesWithCode } from './store-transitions';

/** Retries one process. `not_errored` also where there is no such process. */
export async function retryErrored(deps: Deps, supplierId: number, externalAccountNumber: string): Promise<'scheduled' | 'not_errored'> {
  const [, scheduled] = await commit(deps.db, retryProcess(supplierId, externalAccountNumber, deps.now()));
  send(deps, supplierId, scheduled);
  return scheduled.length > 0 ? 'scheduled' : 'not_errored';
}

/** Retries processes whose latest error has this code, up to 2,000; answers how many. Call again until it answers 0. */
export async function retryErroredWithCode(deps: Deps, supplierId: number, code: string): Promise<number> {
  const [, scheduled] = await commit(deps.db, retryProcessesWithCode(supplierId, code, deps.now()));
  send(deps, supplierId, scheduled);
  return scheduled.length;
}

// A lost send is made up for by the sweep: what was scheduled here counts as not yet sent.
function send(deps: Deps, supplierId: number, scheduled: readonly { id: number; payload_bytes: number }[]): void {
  if (scheduled.length === 0) return;
  const processes = scheduled.map(({ id, payload_bytes }) => ({ supplierId, id, payloadBytes: payload_bytes }));
  deps.afterReply('send_imports', sendImports(deps, processes));
}

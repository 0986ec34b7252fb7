/**
 * A request whose store takes many requests at once, sent by itself.
 */
import { accountStateOf, loadAccountState, type Pair, stateAgain, type Target } from '../account-state';
import { commitPart, joined, type Part, part } from '../db';
import type { Deps } from '../deps';
import type { Given } from '../shared/parse';
import type { Caller } from '../tokens';
import { type AddRequest, type Attempt, addToAccount, type Refusal } from './add';

/** A request to add, before anything is known about its account. */
export interface Addition<Body, Write, Written, Outcome> extends AddRequest<Body> {
  readonly pair: Pair;
  readonly prepare: (value: Given<Body>, target: Target) => Prepared<Write, Written, Outcome>;
}

export type Prepared<Write, Written, Outcome> =
  /** The answer needs no write. */
  | { readonly kind: 'answered'; readonly outcome: Outcome }
  | {
      readonly kind: 'write';
      readonly write: Write;
      /** What it adds, by identity: of two requests to one account that share one, the answer to the later depends on the earlier. */
      readonly items: ReadonlySet<string>;
      readonly outcomeOf: (written: Written) => Outcome;
    };

/** The guarded writes of requests of which no two add the same to one account, and what each of them wrote. */
export type Adding<Write, Written> = (caller: Caller, writes: readonly Write[]) => Part<readonly Written[]>;

/** Adds by one request: see {@link addToAccount}. */
export const addOne = <Body, Write, Written, Outcome>(
  deps: Deps,
  caller: Caller,
  addition: Addition<Body, Write, Written, Outcome>,
  adding: Adding<Write, Written>,
): Promise<Refusal | Outcome> =>
  addToAccount(deps, caller, {
    ...addition,
    load: () => loadAccountState(deps, caller, addition.pair.supplierCode, addition.pair.externalAccountNumber),
    store: async (value, target): Promise<Attempt<ReturnType<typeof accountStateOf>, Outcome>> => {
      const prepared = addition.prepare(value, target);
      if (prepared.kind === 'answered') return prepared;
      const again = part([stateAgain(target)], ([rows]) => accountStateOf(rows));
      const [state, [written]] = await commitPart(deps.databaseOf(target.supplier.code), joined(again, adding(caller, [prepared.write])));
      if (written === undefined) throw new Error('a write has no result');
      return { kind: 'written', state, outcome: () => prepared.outcomeOf(written) };
    },
  });

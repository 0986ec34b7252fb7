/**
 * Adds references to historical statements to an imported account (§4.3), each once, all or nothing.
 */
import type * as z from 'zod';
import { type Addition, addOne, type Refusal } from '../additions';
import type { Deps } from '../deps';
import { keyOfUnder } from '../documents';
import { parse } from '../shared/parse';
import { documentedOf } from '../shared/shape';
import type { Caller } from '../tokens';
import { conflictErrors, statementDocuments, statementErrors } from './rules';
import { type StatementsBody, statementsBody } from './schema';
import { statementRowsOf } from './statement';
import { addingStatements, type StatementsToAdd } from './store';

/** `validated` is the request's data: the documented fields in the shape they were sent. */
export type AddStatementsOutcome = Refusal | { readonly kind: 'added'; readonly validated: StatementsBody };

/** What a request adds; `now` in Unix milliseconds. */
function statementsAddition(
  raw: unknown,
  now: number,
): Addition<z.output<typeof statementsBody>, StatementsToAdd, ReadonlySet<string>, AddStatementsOutcome> {
  const parsed = parse(statementsBody, raw);
  const { import_supplier, external_account_number, statements = [] } = parsed.draft;
  const ruleErrors = statementErrors(['statements'], statements);
  return {
    raw,
    parsed,
    pair: { supplierCode: import_supplier, externalAccountNumber: external_account_number },
    ruleErrors: () => ruleErrors,
    documents: statementDocuments(['statements'], statements),
    prepare: (value, target) => {
      const keyOf = keyOfUnder(target.supplier.configuration.documents_root);
      // Only what came with the account's payload has its moment, also where this clock is behind the one that created it.
      const addedAt = Math.max(now, target.account.createdAt + 1);
      const rows = statementRowsOf(target.account.id, value.statements, keyOf, addedAt);
      return {
        kind: 'write',
        write: { target, rows, now },
        items: new Set(rows.map(({ statementId }) => statementId)),
        outcomeOf: (conflicts) => outcomeOf(value, conflicts),
      };
    },
  };
}

function outcomeOf(value: StatementsBody, conflicts: ReadonlySet<string>): AddStatementsOutcome {
  const errors = conflictErrors(['statements'], value.statements, conflicts);
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'added', validated: documentedOf(statementsBody, value) };
}

export const addStatements = (deps: Deps, caller: Caller, raw: unknown): Promise<AddStatementsOutcome> =>
  addOne(deps, caller, statementsAddition(raw, deps.now()), addingStatements);

/** Adds by each line of a bulk body. */
export const statementsInBulk = ({ now }: Pick<Deps, 'now'>) => ({
  read: (raw: unknown) => statementsAddition(raw, now()),
  adding: addingStatements,
});

/**
 * Adds references to historical statements to an imported account (§4.3), each once, all or nothing.
 */
import { loadAccountFacts } from '../account-facts';
import { addToAccount, type Refusal } from '../additions';
import type { Deps } from '../deps';
import { keyOfUnder } from '../documents';
import { parse } from '../shared/parse';
import { documentedOf } from '../shared/shape';
import type { Caller } from '../tokens';
import { conflictErrors, statementDocuments, statementErrors } from './rules';
import { type StatementsBody, statementsBody } from './schema';
import { statementRowsOf } from './statement';
import { addRows } from './store';

/** `validated` is the request's data: the documented fields in the shape they were sent. */
export type AddStatementsOutcome = Refusal | { readonly kind: 'added'; readonly validated: StatementsBody };

export function addStatements(deps: Deps, caller: Caller, raw: unknown): Promise<AddStatementsOutcome> {
  const parsed = parse(statementsBody, raw);
  const { import_supplier, external_account_number, statements = [] } = parsed.draft;
  const ruleErrors = statementErrors(['statements'], statements);
  const now = deps.now();
  return addToAccount(deps, caller, {
    raw,
    parsed,
    load: () => loadAccountFacts(deps, caller, import_supplier, external_account_number),
    ruleErrors: () => ruleErrors,
    documents: statementDocuments(['statements'], statements),
    store: async (value, target) => {
      const keyOf = keyOfUnder(target.supplier.configuration.documents_root);
      const { facts, conflicts } = await addRows(deps, target, statementRowsOf(target.account.id, value.statements, keyOf, now), now);
      return { kind: 'written', facts, outcome: () => outcomeOf(value, conflicts) };
    },
  });
}

function outcomeOf(value: StatementsBody, conflicts: ReadonlySet<string>): AddStatementsOutcome {
  const errors = conflictErrors(['statements'], value.statements, conflicts);
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'added', validated: documentedOf(statementsBody, value) };
}

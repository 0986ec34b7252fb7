/**
 * Adds references to historical statements to an imported account (§4.3), each once, all or nothing.
 */
import { admit, heldGuard, loadAccountFacts, MAX_JUDGEMENTS, type Refusal } from '../account-facts';
import type { Deps } from '../deps';
import { documentErrors, keyOfUnder } from '../documents';
import { parse } from '../shared/parse';
import { documentedOf } from '../shared/shape';
import type { Caller } from '../tokens';
import { conflictErrors, statementDocuments, statementErrors } from './rules';
import { type StatementsBody, statementsBody } from './schema';
import { statementRowsOf } from './statement';
import { addRows } from './store';

/** `validated` is the request's data: the documented fields in the shape they were sent. */
export type AddStatementsOutcome = Refusal | { readonly kind: 'added'; readonly validated: StatementsBody };

export async function addStatements(deps: Deps, caller: Caller, raw: unknown): Promise<AddStatementsOutcome> {
  const parsed = parse(statementsBody, raw);
  const { import_supplier, external_account_number, statements = [] } = parsed.draft;
  const ruleErrors = statementErrors(['statements'], statements);
  const documents = statementDocuments(['statements'], statements);
  const now = deps.now();
  let facts = await loadAccountFacts(deps, caller, import_supplier, external_account_number);
  for (let judged = 0; judged < MAX_JUDGEMENTS; judged++) {
    if (!facts.isCallerActive) return { kind: 'unauthenticated' };
    const missing = await documentErrors(deps, facts.supplier, documents);
    const admission = admit(raw, parsed, [...ruleErrors, ...missing], facts);
    if (admission.kind !== 'admitted') return admission;
    const { value, supplier, account } = admission;
    const rows = statementRowsOf(account.id, value.statements, keyOfUnder(supplier.configuration.documents_root), now);
    const stored = await addRows(deps, caller, value, { supplier, account }, rows);
    if (heldGuard(stored.facts, supplier)) {
      const errors = conflictErrors(['statements'], value.statements, stored.conflicts);
      return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'added', validated: documentedOf(statementsBody, value) };
    }
    facts = stored.facts;
  }
  throw new Error('the supplier kept changing while statements were added');
}

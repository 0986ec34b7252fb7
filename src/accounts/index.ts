export { type AccountFacts, accountFacts, accountFactsOf, type ImportedAccount, loadAccountFacts } from './facts';

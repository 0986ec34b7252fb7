export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  admit,
  GUARD,
  guardParameters,
  heldGuard,
  type ImportedAccount,
  loadAccountFacts,
  loadSuppliers,
  MAX_JUDGEMENTS,
  type Refusal,
} from './facts';
export { recallSupplier, rememberSupplier } from './remembered';

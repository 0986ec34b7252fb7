export {
  type AccountFacts,
  accountFacts,
  accountFactsOf,
  admit,
  GUARD,
  guardParameters,
  heldGuard,
  type ImportedAccount,
  isCallerActive,
  loadAccountFacts,
  MAX_JUDGEMENTS,
  type Refusal,
  supplierFacts,
} from './facts';
export { recallSupplier, rememberSupplier } from './remembered';

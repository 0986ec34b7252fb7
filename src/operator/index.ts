export { createAddress, listAddresses, readAddress, removeAddress, tryAddress } from './alerts/addresses';
export { listAlerts, readFiring, watch } from './alerts/check';
export { summaryOf } from './alerts/rules';
export type { AlertRow } from './alerts/store';
export type { AddressRow } from './alerts/store-addresses';
export { detailsOf } from './alerts/views';
export {
  authenticateOperator,
  BEARER_OF_SECRET,
  isInterfaceOpen,
  operatorOf,
  operatorOfAssertion,
  operatorOfToken,
  operatorTokenOf,
} from './authenticate';
export { type QueueHealth, readHealth } from './health/health';
export { type DeadLetter, dismiss, listDeadLetters, redrive } from './health/letters';
export { accountNumberIn } from './processes/find';
export { countProcesses, listProcesses, type Total } from './processes/list';
export { type ErrorGroup, type ErrorGroups, readAllRates, readErrorCodes, readErrorGroups } from './processes/rates';
export { errorOf, type ProcessDetails, type ProcessEvent, readProcess } from './processes/read';
export { maskPersonalData, minutesLeft, RATE_MINUTES, ratePerMinute } from './processes/rules';
export { searchAccounts } from './processes/search';
export type { FoundRow } from './processes/store';
export type { ListedRow, ProcessFilter } from './processes/store-pages';
export { cancel, retry, retryWithCode, revealPayload } from './processes/transitions';
export { changeSupplier } from './suppliers/change';
export { createSupplier } from './suppliers/create';
export {
  RANGES,
  type Range,
  readProgress,
  readStandstills,
  type Standstill,
  type SupplierProgress,
} from './suppliers/progress';
export { findSuppliers, isUnreadable, readSupplier, readSuppliers, type StatusCounts, type SupplierDetails } from './suppliers/read';
export { mayDo, type Operator, ROLES, type Role } from './tokens/rules';
export { type OperatorTokenRow, operatorTokenById } from './tokens/store';
export { createOperatorToken, listOperatorTokens, readOperatorToken, revokeOperatorToken } from './tokens/tokens';

export type { InstructionDetails, PaymentInstructionRow } from './instruction';
export { insertPaymentInstructions } from './store';

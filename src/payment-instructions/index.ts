export { withoutFullNumbers } from './redact';
export { insertPaymentInstructions } from './store';

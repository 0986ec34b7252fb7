export { insertPaymentInstructions } from './store';

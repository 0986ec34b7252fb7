import { endpoint, jsonBody } from '../http/endpoint';
import { paymentInstructionBody } from './schema';

export const createPaymentInstruction = endpoint({
  section: '4.4',
  method: 'POST',
  path: '/v1/data-import/payment-instruction/create/',
  access: 'writer',
  body: jsonBody(paymentInstructionBody),
  answers: {
    201: ['paymentInstructionStored'],
    400: ['paymentInstructionError', 'problem'],
    404: ['problem'],
    500: ['vendorUnavailable', 'serverError'],
  },
});

/** Words and examples for §4.4. */
import { NOT_IMPORTED, PAIR } from '../reference/importer';
import { describe, type Operation } from '../reference/operation';
import { MALFORMED, ok, one, SERVER_ERROR } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

export const PAYMENT_INSTRUCTIONS: readonly Operation[] = [
  describe(declared.createPaymentInstruction, answers, {
    id: 'createPaymentInstruction',
    tag: 'Account data',
    summary: 'Add a payment instruction',
    description:
      'Asks the vendor whether the instruction exists and is active, then stores it. An account has one active instruction of each type; the same one again is answered alike. After 400 do not send the request again as it is; after 500 do.',
    body: one('A card', { ...PAIR, vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }),
    answers: {
      201: ok('Stored, or stored before.', {
        platform_account_number: 'A-6EFD7231',
        reference: 'sandbox-card',
      }),
      400: {
        description: 'Not valid, or the vendor does not vouch for it. Nothing was stored.',
        examples: {
          not_found: {
            summary: 'Unknown to the vendor',
            value: {
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [
                { detail: 'The vendor does not know this payment instruction.', code: 'payment_instruction_not_found', attr: 'reference' },
              ],
              error_detail: 'The vendor does not know this payment instruction.',
              ...PAIR,
              reference: 'sandbox-not-found',
            },
          },
          already_active: {
            summary: 'Another one is active',
            value: {
              detail: 'The data is not valid.',
              code: 'validation_error',
              errors: [
                {
                  detail: 'The account has another active payment instruction of this type: CARD at STRIPE.',
                  code: 'payment_instruction_already_active',
                  attr: 'non_field_errors',
                },
              ],
              error_detail: 'The account has another active payment instruction of this type: CARD at STRIPE.',
              ...PAIR,
              reference: 'sandbox-card',
              active_payment_instruction: { vendor: 'STRIPE', type: 'CARD' },
            },
          },
          malformed: MALFORMED,
        },
      },
      404: NOT_IMPORTED,
      500: {
        description: 'A failure of ours, or the vendor did not answer. Nothing was stored: send the request again unchanged.',
        examples: one('The vendor did not answer', {
          ...SERVER_ERROR,
          detail: 'The payment vendor did not answer. Send the request again.',
          code: 'vendor_unavailable',
          error_detail: 'The payment vendor did not answer. Send the request again.',
          ...PAIR,
          reference: 'sandbox-500',
        }),
        headers: ['Retry-After'],
      },
    },
  }),
];

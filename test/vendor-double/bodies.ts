/** The documented JSON of both vendors, cut to what they send for one object or one error. */

/** Stripe: an object of https://docs.stripe.com/api/payment_methods/object. `kind` is its type. */
export function paymentMethod(id: string, kind: string, expiry?: { readonly month: number; readonly year: number }) {
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: { city: null, country: 'GB', line1: null, line2: null, postal_code: null, state: null },
      email: 'jenny@example.com',
      name: 'Jenny Rosen',
      phone: null,
    },
    [kind]: expiry ? card(expiry) : bankAccount(),
    created: 1_679_945_299,
    customer: 'cus_9s6XKzkNRiz8i3',
    livemode: false,
    metadata: {},
    type: kind,
  };
}

const card = ({ month, year }: { readonly month: number; readonly year: number }) => ({
  brand: 'visa',
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'US',
  exp_month: month,
  exp_year: year,
  fingerprint: 'mToisGZ01V71BCos',
  funding: 'credit',
  last4: '4242',
  networks: { available: ['visa'], preferred: null },
  wallet: null,
});

const bankAccount = () => ({ bank_name: 'STRIPE TEST BANK', fingerprint: 'LstWJFsCK7P349Bg', last4: '6789' });

/** Stripe: https://docs.stripe.com/api/errors */
export const stripeError = (status: number) => ({
  error: {
    code: status === 404 ? 'resource_missing' : status === 429 ? 'rate_limit' : undefined,
    doc_url: 'https://stripe.com/docs/error-codes',
    message: status === 404 ? 'No such PaymentMethod' : 'The request was not successful.',
    type: status >= 500 ? 'api_error' : 'invalid_request_error',
  },
});

/** GoCardless: https://developer.gocardless.com/api-reference/#core-endpoints-mandates */
export const mandate = (id: string, status: string) => ({
  mandates: {
    id,
    created_at: '2026-05-08T17:01:06.000Z',
    reference: 'REF-123',
    status,
    scheme: 'bacs',
    next_possible_charge_date: '2026-11-10',
    payments_require_approval: false,
    metadata: { contract: 'ABCD1234' },
    consent_parameters: null,
    verified_at: null,
    funds_settlement: 'managed',
    links: { customer_bank_account: 'BA123', creditor: 'CR123', customer: 'CU123' },
  },
});

/** GoCardless: https://developer.gocardless.com/api-reference/#api-usage-errors */
export const goCardlessError = (status: number) => ({
  error: {
    message: status === 404 ? 'Resource not found' : 'The request was not successful.',
    documentation_url: 'https://developer.gocardless.com/#errors',
    type: status >= 500 ? 'gocardless' : 'invalid_api_usage',
    request_id: 'dd50eaaf-8213-48fe-90d6-5466872efbc4',
    code: status,
    errors: [{ reason: status === 404 ? 'resource_not_found' : 'other', message: 'The request was not successful.' }],
  },
});

/** Stripe payment methods: https://docs.stripe.com/api/payment_methods/retrieve */
import * as z from 'zod';
import { dateOf } from '../../shared/dates';
import type { VendorAnswer } from './answer';
import type { Question } from './ask';

const paymentMethod = z.looseObject({
  object: z.literal('payment_method'),
  type: z.string(),
  billing_details: z.object({ name: z.string().nullish() }).nullish(),
});

const card = z.object({
  brand: z.string(),
  last4: z.string().length(4),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(1000).max(9999),
});

const bankAccount = z.object({ last4: z.string().length(4).nullish() });

/** `now` is Unix milliseconds; a card is good to the end of its last month, UTC. */
export function stripeQuestion(base: string, apiKey: string, reference: string, now: number): Question {
  return {
    url: `${base}/v1/payment_methods/${encodeURIComponent(reference)}`,
    headers: { Authorization: `Bearer ${apiKey}` },
    read: (json) => readPaymentMethod(json, dateOf(now).slice(0, 7)),
  };
}

/** Reads a payment method by the month of today, `YYYY-MM`; undefined if it is not one. Pure. */
export function readPaymentMethod(json: unknown, month: string): VendorAnswer | undefined {
  const method = paymentMethod.safeParse(json).data;
  if (!method) return undefined;
  const holder = method.billing_details?.name ?? undefined;
  if (method.type === 'card') {
    const found = card.safeParse(method['card']).data;
    if (!found) return undefined;
    const expiry = `${found.exp_year}-${String(found.exp_month).padStart(2, '0')}`;
    return {
      kind: 'found',
      method: 'CARD',
      isActive: expiry >= month,
      details: { scheme: found.brand, last_four: found.last4, expiry, holder },
    };
  }
  const isDebit = method.type.endsWith('_debit') || method.type === 'us_bank_account';
  const lastFour = bankAccount.safeParse(method[method.type]).data?.last4 ?? undefined;
  return {
    kind: 'found',
    method: isDebit ? 'DIRECT_DEBIT' : 'OTHER',
    isActive: true,
    details: { scheme: method.type, last_four: lastFour, holder },
  };
}

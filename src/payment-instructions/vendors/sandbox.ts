/**
 * A vendor without a network, for trials and tests: every outcome has a fixed reference (`docs/payment-vendors.md`). Any
 * other reference is not found. It answers only where `SANDBOX_VENDOR` is `on`.
 */
import type { VendorAnswer } from './answer';

const CARD: VendorAnswer = {
  kind: 'found',
  method: 'CARD',
  isActive: true,
  details: { scheme: 'visa', last_four: '4242', expiry: '2099-12', holder: 'Sandbox Customer' },
};

const ANSWERS: ReadonlyMap<string, VendorAnswer> = new Map<string, VendorAnswer>([
  ['sandbox-card', CARD],
  ['sandbox-card-2', CARD],
  [
    'sandbox-direct-debit',
    { kind: 'found', method: 'DIRECT_DEBIT', isActive: true, details: { scheme: 'bacs', last_four: '6789', holder: 'Sandbox Customer' } },
  ],
  ['sandbox-inactive', { kind: 'found', method: 'CARD', isActive: false, details: {} }],
  ['sandbox-wrong-type', { kind: 'found', method: 'OTHER', isActive: true, details: {} }],
  ['sandbox-not-found', { kind: 'not_found' }],
  ['sandbox-bad-credentials', { kind: 'rejected_credentials' }],
  ['sandbox-time-out', { kind: 'unavailable', reason: 'time_out' }],
  ['sandbox-500', { kind: 'unavailable', reason: 'status_500' }],
  ['sandbox-429', { kind: 'unavailable', reason: 'status_429' }],
  ['sandbox-malformed', { kind: 'unavailable', reason: 'unreadable_answer' }],
  ['sandbox-slow', CARD],
]);

/** How much of the time a vendor has in all these references take. */
const DELAYS: ReadonlyMap<string, number> = new Map([
  ['sandbox-time-out', 1],
  ['sandbox-slow', 0.3],
]);

export async function askSandbox(reference: string, timeoutMilliseconds: number): Promise<VendorAnswer> {
  const share = DELAYS.get(reference);
  if (share !== undefined) await scheduler.wait(timeoutMilliseconds * share);
  return ANSWERS.get(reference) ?? { kind: 'not_found' };
}

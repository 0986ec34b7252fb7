import type { Bindings } from '../../deps';
import { unreachable } from '../../shared/unreachable';
import type { Vendor } from '../../shared/vendors';
import type { VendorAnswer } from './answer';
import { ask } from './ask';
import { goCardlessQuestion } from './gocardless';
import { askSandbox } from './sandbox';
import { stripeQuestion } from './stripe';

/** For both tries together. */
const TIMEOUT_MILLISECONDS = 10_000;

/**
 * Asks a vendor about a reference. Never throws for what a vendor or the network does. `now` is Unix milliseconds.
 * `.` and `..` are not asked about: no address could name them.
 */
export async function askVendor(vendor: Vendor, reference: string, env: Bindings, now: number): Promise<VendorAnswer> {
  const timeout = Number(env.VENDOR_TIMEOUT_MILLISECONDS) || TIMEOUT_MILLISECONDS;
  const signal = AbortSignal.timeout(timeout);
  const isNameable = reference !== '.' && reference !== '..';
  switch (vendor) {
    case 'STRIPE': {
      if (!env.STRIPE_API_KEY) return { kind: 'not_configured' };
      if (!isNameable) return { kind: 'not_found' };
      return ask(stripeQuestion(base(env.STRIPE_API_BASE, 'https://api.stripe.com'), env.STRIPE_API_KEY, reference, now), signal);
    }
    case 'GOCARDLESS': {
      if (!env.GOCARDLESS_ACCESS_TOKEN) return { kind: 'not_configured' };
      if (!isNameable) return { kind: 'not_found' };
      const address = base(env.GOCARDLESS_API_BASE, 'https://api.gocardless.com');
      return ask(goCardlessQuestion(address, env.GOCARDLESS_ACCESS_TOKEN, reference), signal);
    }
    case 'SANDBOX':
      return env.SANDBOX_VENDOR === 'on' ? askSandbox(reference, timeout) : { kind: 'not_configured' };
    default:
      return unreachable(vendor);
  }
}

const base = (configured: string | undefined, usual: string): string => (configured || usual).replace(/\/+$/, '');

/**
 * A stand-in for Stripe and GoCardless that speaks their documented JSON. The reference says what it answers: its part
 * before `~` is the behaviour, the rest makes it unique, for example `card~1`, `cancelled~2`, `status-503~3`.
 */
import { goCardlessError, mandate, paymentMethod, stripeError } from './bodies';

const STRIPE_KEY = 'sk_test_of_the_vendor_double';
const GOCARDLESS_TOKEN = 'sandbox_of_the_vendor_double';
/** Longer than any test lets a vendor take, short enough not to hold up its end. */
const TOO_LONG_MILLISECONDS = 4_000;

interface Call {
  readonly path: string;
  readonly authorization: string | null;
  readonly version: string | null;
}

interface Dialect {
  isAuthorised(call: Call): boolean;
  error(status: number): object;
  found(reference: string, behaviour: string): object;
  readonly good: string;
}

const stripe: Dialect = {
  isAuthorised: ({ authorization }) => authorization === `Bearer ${STRIPE_KEY}`,
  error: stripeError,
  found: (reference, behaviour) => {
    const now = new Date();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
    if (behaviour === 'card') return paymentMethod(reference, 'card', { month: 12, year: year + 3 });
    if (behaviour === 'card-of-this-month') return paymentMethod(reference, 'card', { month, year });
    if (behaviour === 'expired-card')
      return paymentMethod(reference, 'card', month === 1 ? { month: 12, year: year - 1 } : { month: month - 1, year });
    return paymentMethod(reference, behaviour);
  },
  good: 'card',
};

const goCardless: Dialect = {
  isAuthorised: ({ authorization }) => authorization === `Bearer ${GOCARDLESS_TOKEN}`,
  error: goCardlessError,
  found: mandate,
  good: 'active',
};

const calls = new Map<string, Call[]>();

function noted(reference: string, request: Request): Call[] {
  const call = {
    path: new URL(request.url).pathname,
    authorization: request.headers.get('authorization'),
    version: request.headers.get('gocardless-version'),
  };
  const all = [...(calls.get(reference) ?? []), call];
  calls.set(reference, all);
  return all;
}

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/** The start of an answer, and then nothing more for a long time. */
function stalled(): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = async () => {
    await writer.write(new TextEncoder().encode('{"object": '));
    await pause(TOO_LONG_MILLISECONDS);
    await writer.close();
  };
  write().catch(() => undefined);
  return new Response(readable, { headers: { 'Content-Type': 'application/json' } });
}

async function answer(dialect: Dialect, reference: string, request: Request): Promise<Response> {
  const all = noted(reference, request);
  const [behaviour = ''] = reference.split('~');
  const good = () => Response.json(dialect.found(reference, dialect.good));
  if (!all.every((call) => dialect.isAuthorised(call))) return Response.json(dialect.error(401), { status: 401 });
  if (dialect === goCardless && !all.every(({ version }) => version === '2015-07-06'))
    return Response.json(goCardlessError(400), { status: 400 });
  const status = /^status-(\d{3})$/.exec(behaviour)?.[1];
  if (status === '204' || status === '205' || status === '304') return new Response(null, { status: Number(status) });
  if (status) return Response.json(dialect.error(Number(status)), { status: Number(status) });
  switch (behaviour) {
    case 'redirect':
      return Response.redirect(new URL(`/double/elsewhere/${encodeURIComponent(reference)}`, request.url).href, 302);
    case 'flaky':
      return all.length === 1 ? Response.json(dialect.error(503), { status: 503 }) : good();
    case 'slow':
      await pause(300);
      return good();
    case 'too-late':
      await pause(TOO_LONG_MILLISECONDS);
      return good();
    case 'stalled':
      return stalled();
    case 'not-json':
      return new Response('<html>Welcome</html>', { headers: { 'Content-Type': 'text/html' } });
    case 'other-json':
      return Response.json({ object: 'list', data: [] });
    case 'no-content':
      return new Response(null, { status: 204 });
    case 'oversized':
      return Response.json({ ...dialect.found(reference, dialect.good), padding: 'x'.repeat(300_000) });
    default:
      return Response.json(dialect.found(reference, behaviour));
  }
}

interface Alerted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const alerted = new Map<string, Alerted[]>();

/** An address of alerts: what was posted there is answered to a GET. Its name says how it answers, as the references do. */
async function alerts(name: string, request: Request): Promise<Response> {
  const all = alerted.get(name) ?? [];
  if (request.method !== 'POST') return Response.json(all);
  all.push({ body: await request.text(), headers: Object.fromEntries(request.headers) });
  alerted.set(name, all);
  const [behaviour = ''] = name.split('~');
  const status = /^status-(\d{3})$/.exec(behaviour)?.[1];
  if (status) return new Response('no', { status: Number(status) });
  if (behaviour === 'redirect') return Response.redirect(new URL(`/double/alerts/taken~elsewhere-${name}`, request.url).href, 307);
  return new Response(null, {
    status: (behaviour === 'flaky' && all.length === 1) || (behaviour === 'half' && all.length % 2 === 1) ? 503 : 204,
  });
}

export default {
  async fetch(request: Request): Promise<Response> {
    const [, kind, reference = ''] =
      /^(\/v1\/payment_methods|\/mandates|\/double\/calls|\/double\/elsewhere|\/double\/alerts)\/([^/]+)$/.exec(
        new URL(request.url).pathname,
      ) ?? [];
    const name = decodeURIComponent(reference);
    switch (kind) {
      case '/v1/payment_methods':
        return answer(stripe, name, request);
      case '/mandates':
        return answer(goCardless, name, request);
      case '/double/calls':
        return Response.json(calls.get(name) ?? []);
      case '/double/elsewhere':
        noted(name, request);
        return Response.json(stripe.found(name, stripe.good));
      case '/double/alerts':
        return alerts(name, request);
      default:
        return Response.json(stripeError(404), { status: 404 });
    }
  },
};

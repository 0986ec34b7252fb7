/**
 * `npm run demo`: imports 200 varied accounts into the running service and adds data to some of them, as an importer would. A webhook
 * on this machine receives what happened and verifies it.
 *
 *   npm run demo                        the service that npm start runs
 *   npm run demo -- --count 50          fewer, or more
 *   npm run demo -- --url http://… --api-key sk_live_… --supplier CODE
 */
import { parseArgs } from 'node:util';
import { type DemoPayload, demoAccounts } from './demo/accounts.ts';
import { progressOf } from './demo/progress.ts';
import { receive } from './demo/webhook.ts';
import { DEMO, isAlive, readLocal, stop } from './local.ts';

const AT_ONCE = 8;
/** Of the imported accounts, one in so many gets data added. */
const ADD_TO_EVERY = 5;
const GIVE_UP_SECONDS = 180;

const { url, apiKey, supplier, count } = options();
const started = Date.now();
let token: string | undefined;
token = await obtainToken();
const accounts = demoAccounts({ supplier, prefix: `DEMO-${started.toString(36).toUpperCase()}-`, count });
console.log(
  `${accounts.length} accounts for supplier ${supplier} at ${url}, ${accounts.filter(({ expected }) => expected).length} of them wrong on purpose`,
);

const receiver = await receive({ request, supplier, isLocal: new URL(url).hostname === '127.0.0.1' });
const refused = new Map<string, { readonly expected: string | undefined; readonly codes: readonly string[] }>();
const scheduled = await schedule();
const { processed, errored } = await watch(scheduled);
const added = await addData(processed);
const received = await receiver?.end(processed.map((payload) => payload.external_account_number));
summary();

function options() {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, 'api-key': { type: 'string' }, supplier: { type: 'string' }, count: { type: 'string' } },
  });
  const local = readLocal();
  const { url, apiKey } = { url: values.url ?? local.url, apiKey: values['api-key'] ?? local.apiKey };
  if (!url || (!values.url && !isAlive(local.pid)))
    stop('The service is not running here: npm start in another terminal, or give --url and --api-key.');
  if (!apiKey) stop('Give the API key with --api-key.');
  const number = Number(values.count ?? 200);
  if (!Number.isInteger(number) || number < 1) stop('--count takes a whole number from 1.');
  return { url: url.replace(/\/$/, ''), apiKey, supplier: values.supplier ?? DEMO.supplier, count: number };
}

async function obtainToken(): Promise<string> {
  const query = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }';
  const { body } = await request('POST', '/v1/graphql/', { query, variables: { key: apiKey } });
  return (
    body?.data?.obtainPlatformToken?.token ?? stop(`No token: ${body?.errors?.[0]?.message ?? 'the service did not answer as expected'}`)
  );
}

/** Creates every account. What is refused is asked of validate once more: it reports all errors. */
async function schedule() {
  const progress = progressOf('scheduled', accounts.length);
  const done: DemoPayload[] = [];
  await each(accounts, async ({ payload, expected }) => {
    const { status, body } = await request('POST', '/v2/data-import/accounts/', payload);
    if (status === 201) done.push(payload);
    else {
      const { body: validated } = status === 400 ? await request('POST', '/v2/data-import/accounts/validate/', payload) : { body };
      const codes = validated?.errors?.map(({ code, attr }: { code: string; attr: string }) => `${code} at ${attr}`) ?? [
        `${status} ${body?.code}`,
      ];
      refused.set(payload.external_account_number, { expected, codes });
    }
    progress.step();
  });
  progress.end();
  return done;
}

async function watch(payloads: readonly DemoPayload[]) {
  const progress = progressOf('processed', payloads.length);
  const result = { processed: [] as DemoPayload[], errored: new Map<string, string>() };
  let open = payloads;
  for (
    const deadline = Date.now() + GIVE_UP_SECONDS * 1_000;
    open.length > 0 && Date.now() < deadline;
    await pause(open.length > 0 ? 400 : 0)
  ) {
    const still: DemoPayload[] = [];
    await each(open, async (payload) => {
      const { body } = await request('GET', `/v2/data-import/accounts/${supplier}/${encodeURIComponent(payload.external_account_number)}/`);
      if (body?.status === 'PENDING' || body?.status === 'IN_PROGRESS') return still.push(payload);
      if (body?.status === 'PROCESSED') result.processed.push(payload);
      else result.errored.set(payload.external_account_number, body?.latest_error?.code ?? body?.status ?? 'no answer');
      return progress.step();
    });
    open = still;
  }
  progress.end();
  for (const { external_account_number } of open) result.errored.set(external_account_number, `not finished after ${GIVE_UP_SECONDS} s`);
  return result;
}

async function addData(payloads: readonly DemoPayload[]) {
  const chosen = payloads.filter((_, index) => index % ADD_TO_EVERY === 0);
  const progress = progressOf('data added', chosen.length * 4);
  const counts = new Map<string, number>();
  const today = new Date().toISOString().slice(0, 10);
  await each(chosen, async ({ external_account_number }, index) => {
    const pair = { import_supplier: supplier, external_account_number };
    const additions: readonly (readonly [name: string, path: string, body: object])[] = [
      [
        'notes',
        'notes/create/',
        { notes: [{ body: 'Welcome letter sent.', is_pinned: true, document_paths: [{ document_path: 'letters/welcome.pdf' }] }] },
      ],
      [
        'transactions',
        'transactions/create/',
        {
          transactions: [
            {
              transaction_id: 'DEMO-1',
              transaction_date: today,
              amount: 42.5,
              type: 'CHARGE',
              reason: 'IMPORTED_CHARGE',
              display_note: 'Energy',
            },
            {
              transaction_id: 'DEMO-2',
              transaction_date: '2020-01-31',
              amount: '42.50',
              type: 'PAYMENT',
              reason: 'ACCOUNT_CHARGE_PAYMENT',
              payment_type: 'DEBIT_CARD',
            },
          ],
        },
      ],
      [
        'statements',
        'historical-statements/create/',
        {
          statements: [
            {
              statement_id: 'DEMO-S',
              bill_period_from_date: '2025-07-01',
              bill_period_to_date: '2025-09-30',
              statement_path: 'statements/2025-q3.pdf',
            },
          ],
        },
      ],
      [
        'payment instructions',
        'payment-instruction/create/',
        index % 2 === 0
          ? { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }
          : { vendor: 'SANDBOX', reference: 'sandbox-direct-debit', type: 'DIRECT_DEBIT' },
      ],
    ];
    for (const [name, path, body] of additions) {
      const { status, body: answer } = await request('POST', `/v1/data-import/${path}`, { ...pair, ...body });
      const isAdded = status === 201 || status === 200;
      const key = isAdded ? name : `${name} refused: ${answer?.errors?.[0]?.code ?? answer?.code ?? status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      progress.step();
    }
  });
  progress.end();
  return counts;
}

function summary() {
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  const byCode = new Map<string, number>();
  for (const { codes } of refused.values()) for (const code of codes) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  for (const code of errored.values()) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const surprises = [...refused.entries()].filter(
    ([, { expected, codes }]) => !expected || !codes.some((code) => code.startsWith(`${expected} `)),
  );
  const missed = accounts.filter(({ payload, expected }) => expected && !refused.has(payload.external_account_number));
  console.log(`
processed   ${String(processed.length).padStart(5)}
errored     ${String(refused.size + errored.size).padStart(5)}${[...byCode]
    .sort()
    .map(([code, number]) => `\n  ${String(number).padStart(9)}  ${code}`)
    .join('')}
added to    ${String(Math.ceil(processed.length / ADD_TO_EVERY)).padStart(5)}${[...added].map(([name, number]) => `\n  ${String(number).padStart(9)}  ${name}`).join('')}
${received === undefined ? '' : `events      ${String(received.events).padStart(5)}  received by a webhook and verified\n`}seconds     ${seconds.padStart(5)}
`);
  for (const [number, { codes }] of surprises) console.log(`not expected: ${number} ${codes.join(', ')}`);
  for (const { payload } of missed) console.log(`not refused although wrong: ${payload.external_account_number}`);
  if (received?.missing) console.log(`not reported by the webhook: ${received.missing} accounts`);
  const isRefusedAddition = [...added.keys()].some((name) => name.includes('refused'));
  if (surprises.length + missed.length + errored.size > 0 || isRefusedAddition || received?.missing) process.exitCode = 1;
}

/** Sends a request; what may be repeated (429, 500, no answer) is, up to five times. */
async function request(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
    }).catch(() => undefined);
    const isToRepeat = !answer || answer.status === 429 || answer.status >= 500;
    if (!isToRepeat) return { status: answer.status, body: await bodyOf(answer) };
    if (attempt === 5) stop(`${method} ${path}: ${answer ? `answered ${answer.status}` : 'no answer'} five times.`);
    await answer?.body?.cancel();
    await pause(200 * 2 ** attempt * (0.5 + Math.random()));
  }
}

/** `any`: it is read for what the reference says it holds. */
async function bodyOf(answer: Response) {
  try {
    return JSON.parse(await answer.text());
  } catch {
    return undefined;
  }
}

async function each<Item>(list: readonly Item[], work: (item: Item, index: number) => Promise<unknown>): Promise<void> {
  const queue = list.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

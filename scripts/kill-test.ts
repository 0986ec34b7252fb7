/**
 * `npm run kill-test`: the running service is killed with SIGKILL again and again while it is written to. Afterwards everything
 * that was ever acknowledged is there, once, and every import finishes.
 *
 *   npm run kill-test                       20 kills
 *   npm run kill-test -- --kills 3 --hurry  fewer; pausing and resuming the supplier instead of waiting until lost messages count as lost
 *
 * It runs on a state and a port of its own and needs nothing that is running.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { killableService } from './killable-service.ts';

const WRITERS = 16;
const CREATES_PER_LIFE = 300;
const LIFE_MILLISECONDS = { least: 400, most: 4_000 };
/** Accounts imported before the first kill: what is added is added to them. */
const FIRST_ACCOUNTS = 16;
const FINISH_SECONDS = 240;
const SUPPLIER = 'KILLED';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, hurry: { type: 'boolean', default: false } } });
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) throw new Error('--kills takes a whole number from 1');

const service = await killableService();
const { url, operatorToken } = service;

/** What was added to which account. */
interface Added {
  readonly number: string;
  readonly id: string;
}

/** What was acknowledged with 201, and what was sent in all. */
const accounts = new Set<string>();
const notes: Added[] = [];
const transactions: Added[] = [];
const counted = { sent: 0, cut: 0 };
let token: string;

try {
  await service.start();
  const apiKey = await prepare();
  token = await obtainToken(apiKey);
  for (let first = 0; first < FIRST_ACCOUNTS; first++) await create(`FIRST-${first}`);
  await finish();
  for (let life = 1; life <= kills; life++) {
    await liveAndDie(life);
    await service.start();
  }
  const seconds = await finish();
  await check();
  console.log(
    `${kills} kills, ${counted.sent} requests, ${counted.cut} cut off; all ${accounts.size} accounts, ${notes.length} notes and ` +
      `${transactions.length} transactions that were acknowledged are there, once; every import had ended ${seconds} s after the last start`,
  );
} finally {
  await service.remove();
}

async function prepare() {
  const { body: organisation } = await operate('POST', 'organisations/', { name: 'Kill test' });
  const { body: key } = await operate('POST', `organisations/${organisation.id}/api-keys/`, { label: 'kill test' });
  const supplier = { organisation_id: organisation.id, code: SUPPLIER, name: SUPPLIER, configuration: { default_country: 'GB' } };
  const { status } = await operate('POST', 'suppliers/', supplier);
  if (status !== 201) throw new Error(`the supplier was answered ${status}`);
  return key.api_key;
}

async function obtainToken(apiKey: string): Promise<string> {
  const query = 'mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }';
  const { body } = await send('POST', '/v1/graphql/', { query, variables: { key: apiKey } });
  return body.data.obtainPlatformToken.token;
}

/** Writers write until the service dies at a moment of chance. */
async function liveAndDie(life: number) {
  let created = 0;
  let isDead = false;
  const write = async (writer: number) => {
    while (!isDead) {
      if (created >= CREATES_PER_LIFE || Math.random() < 0.3) await add();
      else await create(`L${life}-${writer}-${++created}`);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  const { least, most } = LIFE_MILLISECONDS;
  void sweep();
  await pause(least + Math.random() * (most - least));
  await service.kill();
  isDead = true;
  await Promise.all(writers);
}

async function create(number: string) {
  const account = {
    import_supplier: SUPPLIER,
    external_account_number: number,
    customers: [{ given_name: 'Ada', family_name: number, mobile: '07400 123456' }],
  };
  if ((await send('POST', '/v2/data-import/accounts/', account)).status === 201) accounts.add(number);
}

/** A note or a transaction for one of the first accounts. */
async function add() {
  const number = `FIRST-${Math.floor(Math.random() * FIRST_ACCOUNTS)}`;
  const id = `X${counted.sent}`;
  if (Math.random() < 0.5) {
    if ((await sendNote(number, id)).status === 201) notes.push({ number, id });
  } else if ((await sendTransaction(number, id)).status === 201) transactions.push({ number, id });
}

function pairOf(number: string) {
  return { import_supplier: SUPPLIER, external_account_number: number };
}

function sendNote(number: string, id: string) {
  return send('POST', '/v1/data-import/notes/create/', { ...pairOf(number), notes: [{ body: id }] });
}

function sendTransaction(number: string, id: string) {
  return send('POST', '/v1/data-import/transactions/create/', {
    ...pairOf(number),
    transactions: [{ transaction_id: id, transaction_date: '2026-03-03', amount: 1.5, type: 'CREDIT', reason: 'GENERAL_CREDIT' }],
  });
}

/** Sweeps, as the cron does every minute, until nothing is unfinished. Answers the seconds it took. */
async function finish() {
  const started = Date.now();
  if (values.hurry) {
    await operate('PATCH', `suppliers/${SUPPLIER}/`, { status: 'Paused' });
    await operate('PATCH', `suppliers/${SUPPLIER}/`, { status: 'Ongoing' });
  }
  for (const deadline = started + FINISH_SECONDS * 1_000; Date.now() < deadline; await pause(1_000)) {
    await sweep();
    const { body } = await operate('GET', `suppliers/${SUPPLIER}/`);
    const { PENDING, IN_PROGRESS } = body.import_processes;
    if (PENDING + IN_PROGRESS === 0) return Math.round((Date.now() - started) / 1_000);
  }
  throw new Error(`imports are still unfinished after ${FINISH_SECONDS} s`);
}

/** What the cron does every minute. */
function sweep() {
  return fetch(`${url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
}

async function check() {
  const broken: string[] = [];
  const { body: list }: { body?: { external_account_number: string; platform_account_number: string | null }[] } = await send(
    'GET',
    `/v1/data-import/all-account-import-processes/${SUPPLIER}/`,
  );
  if (!list) throw new Error('the accounts could not be listed');
  const found = new Map(list.map((one) => [one.external_account_number, one.platform_account_number]));
  if (found.size !== list.length) broken.push('an account is listed twice');
  if (new Set(found.values()).size !== list.length) broken.push('two accounts have one number, or one has none');
  for (const number of accounts) if (!found.get(number)) broken.push(`account ${number}: ${found.has(number) ? 'not imported' : 'lost'}`);
  const { body: supplier } = await operate('GET', `suppliers/${SUPPLIER}/`);
  if (supplier.import_processes.PROCESSED !== list.length) broken.push(`processes: ${JSON.stringify(supplier.import_processes)}`);
  // Sent once more, what is there is answered to be there.
  await each(notes, async ({ number, id }) => {
    const { body } = await sendNote(number, id);
    if (body?.[0]?.status !== 'NOTE_ALREADY_EXISTS') broken.push(`note ${id} of ${number}: lost`);
  });
  await each(transactions, async ({ number, id }) => {
    const { body } = await sendTransaction(number, id);
    if (body?.results?.[0]?.status !== 'TRANSACTION_ALREADY_EXISTS') broken.push(`transaction ${id} of ${number}: lost`);
  });
  if (broken.length > 0) throw new Error(`${broken.length} promises were broken:\n${broken.slice(0, 20).join('\n')}`);
}

function operate(method: string, path: string, body?: object) {
  return send(method, `/operator/v1/${path}`, body, `Bearer ${operatorToken}`);
}

/** Status 0: no answer. */
async function send(method: string, path: string, body?: object, authorization = `Token ${token}`) {
  counted.sent++;
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: authorization, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    counted.cut++;
    return { status: 0, body: undefined };
  }
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

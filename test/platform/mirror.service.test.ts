/** The mirror of docs/examples, run as it stands beside the whole service, each in a process of its own that is killed with SIGKILL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type KillableService, killableService } from '../../scripts/killable-service';
import { DataImportClient } from '../../src/kit/client';
import { aFolder } from '../kit/cli';
import { aKitSupplier, type KitSupplier, operator } from '../kit/given';

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/mirror.ts');
const ACCOUNTS = 10_000;
/** Accounts that come between one death of the service and the next, and accounts to which something is added then. */
const [MORE_ACCOUNTS, CHANGED] = [250, 60];
const TEST_MILLISECONDS = 400_000;

let service: KillableService;
beforeAll(async () => {
  service = await killableService();
  await service.start();
});
afterAll(() => service.remove());

it(
  'stays equal while accounts are imported, changed and erased, whichever of the two is killed',
  async () => {
    const supplier = await aKitSupplier({}, service);
    const importer = importerOf(supplier);
    const early = new Mirror();

    const imported = imports(supplier, importer, 0, ACCOUNTS);
    for (const part of [0.2, 0.5, 0.8]) {
      await until(() => early.size() >= part * ACCOUNTS, 'the mirror did not follow');
      await early.kill();
      early.start();
    }
    await imported;
    expect(differences(await accountsOfService(), early.accounts())).toEqual([]);

    const late = new Mirror();
    for (let death = 0; death < 3; death++) {
      const changes = new Changes(supplier, importer, death * CHANGED);
      const changed = changes.send();
      await until(() => changes.acknowledged >= CHANGED / 3, 'nothing could be added');
      await service.kill();
      if (death === 1) await Promise.all([early.kill(), late.kill()]);
      await service.start();
      if (death === 1) for (const mirror of [early, late]) mirror.start();
      await changed;
      await erase(supplier, importer, death * CHANGED);
      const first = ACCOUNTS + death * MORE_ACCOUNTS;
      await imports(supplier, importer, first, first + MORE_ACCOUNTS);
    }
    await endAnInstruction(supplier, importer);

    const accounts = await accountsOfService();
    expect(accounts.size).toBe(ACCOUNTS + 3 * MORE_ACCOUNTS);
    expect([...accounts.values()].filter((account) => account.includes('Said later'))).toHaveLength(3 * (CHANGED - 1));
    for (const mirror of [early, late]) {
      const isEqual = () => differences(accounts, mirror.accounts()).length === 0;
      await until(isEqual, 'the mirror differs').catch(() => undefined);
      expect(differences(accounts, mirror.accounts())).toEqual([]);
      // What was erased here is in no byte of its file either.
      const [bytes, erased] = [mirror.bytes(), [0, 1, 2].map((death) => nameOf(death * CHANGED))];
      expect(erased.filter((name) => bytes.includes(name))).toEqual([]);
      expect(bytes.includes(nameOf(1))).toBe(true);
    }
  },
  TEST_MILLISECONDS,
);

/** The program on a file of its own, from the beginning. It is started at once. */
class Mirror {
  readonly #file = join(aFolder(), 'mirror.sqlite');
  #process: ChildProcess | undefined;

  constructor() {
    onTestFinished(() => this.kill());
    this.start();
  }

  start(): void {
    const env = { ...process.env, PLATFORM_TOKEN: service.platformToken };
    this.#process = spawn(process.execPath, [EXAMPLE, service.url, this.#file], { env, stdio: 'ignore' });
  }

  async kill(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }

  /** By platform account number, as JSON. */
  accounts(): Map<string, string> {
    return new Map(this.#read('SELECT number, account FROM accounts').map(({ number, account }) => [String(number), String(account)]));
  }

  size(): number {
    return Number(this.#read('SELECT count(*) AS size FROM accounts')[0]?.['size'] ?? 0);
  }

  bytes(): string {
    return readFileSync(this.#file, 'latin1');
  }

  /** Nothing where it has made no table yet. */
  #read(sql: string) {
    // Not read-only: the journal of a program that was killed is rolled back by whoever opens the file next.
    const db = new DatabaseSync(this.#file, { timeout: 5_000 });
    try {
      const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").get() !== undefined;
      return isThere ? db.prepare(sql).all() : [];
    } finally {
      db.close();
    }
  }
}

/** A note, a transaction and a statement for each of some accounts, each sent until it is acknowledged. */
class Changes {
  acknowledged = 0;
  readonly #supplier: KitSupplier;
  readonly #importer: DataImportClient;
  readonly #first: number;

  constructor(supplier: KitSupplier, importer: DataImportClient, first: number) {
    [this.#supplier, this.#importer, this.#first] = [supplier, importer, first];
  }

  async send(): Promise<void> {
    const left = Array.from({ length: CHANGED }, (_, index) => this.#first + index).values();
    const writer = async () => {
      for (const index of left) await this.#change(index);
    };
    await Promise.all([writer(), writer(), writer(), writer()]);
  }

  async #change(index: number): Promise<void> {
    const pair = { import_supplier: this.#supplier.code, external_account_number: numberOf(index) };
    await this.#importer.addNotes({ ...pair, notes: [{ body: 'Said later' }] });
    const transaction = {
      transaction_id: 'L',
      transaction_date: '2026-03-03',
      amount: 1.5,
      type: 'CREDIT',
      reason: 'GENERAL_CREDIT',
    } as const;
    await this.#importer.addTransactions({ ...pair, transactions: [transaction] });
    const statement = { statement_id: 'S', bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-03-31', gross_amount: 12 };
    await this.#importer.addHistoricalStatements({ ...pair, statements: [statement] });
    this.acknowledged++;
  }
}

const numberOf = (index: number): string => `ACC-${index}`;
const nameOf = (index: number): string => `<Byron ${index}>`;

/** Goes on through an outage of some seconds. */
const importerOf = ({ url, apiKey }: KitSupplier) =>
  new DataImportClient({ baseUrl: url, apiKey, retries: { attempts: 200, maxMilliseconds: 500 } });

/** Imports accounts of these indices, and waits until there are none left to import. */
async function imports({ code }: KitSupplier, importer: DataImportClient, from: number, to: number): Promise<void> {
  const accounts = Array.from({ length: to - from }, (_, index) => ({
    import_supplier: code,
    external_account_number: numberOf(from + index),
    customers: [{ given_name: 'Ada', family_name: nameOf(from + index), mobile: '07400 123456' }],
    notes: [{ body: 'Prefers letters.' }],
  }));
  for await (const { status } of importer.bulk(accounts)) expect(status).toBe('SCHEDULED');
  const path = `suppliers/${code}/`;
  const imported = async () => {
    const found = await operator<{ import_processes: { PROCESSED: number } }>('GET', path, undefined, service);
    return found.import_processes.PROCESSED === to;
  };
  await until(imported, 'the imports did not end');
}

async function erase({ code }: KitSupplier, importer: DataImportClient, index: number): Promise<void> {
  const { platform_account_number: number } = await importer.getTransferStatus(code, numberOf(index));
  await operator('POST', `accounts/${number}/erase/`, { reason: 'Test' }, service);
}

async function endAnInstruction({ code }: KitSupplier, importer: DataImportClient): Promise<void> {
  const pair = { import_supplier: code, external_account_number: numberOf(1) };
  const instruction = { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' } as const;
  const { platform_account_number: number } = await importer.addPaymentInstruction({ ...pair, ...instruction });
  await operator('POST', `accounts/${number}/payment-instructions/CARD/end/`, { reason: 'Test' }, service);
}

/** Every account as the service has it, by platform account number, as JSON. */
async function accountsOfService(): Promise<Map<string, string>> {
  const accounts = new Map<string, string>();
  for (let [cursor, hasMore] = ['', true]; hasMore; ) {
    const answer = await fetch(`${service.url}/platform/v1/accounts/?limit=1000${cursor}`, {
      headers: { Authorization: `Bearer ${service.platformToken}` },
    });
    const lines = (await answer.text()).trimEnd().split('\n');
    const last: { cursor: string; has_more: boolean } = JSON.parse(lines.pop() ?? '');
    for (const line of lines) accounts.set(JSON.parse(line).platform_account_number, line);
    [cursor, hasMore] = [`&cursor=${last.cursor}`, last.has_more];
  }
  return accounts;
}

/** What the mirror has not, has otherwise, or has and the service has not. */
const differences = (accounts: ReadonlyMap<string, string>, mirrored: ReadonlyMap<string, string>): string[] =>
  [...new Set([...accounts.keys(), ...mirrored.keys()])].filter((number) => accounts.get(number) !== mirrored.get(number));

async function until(isSo: () => boolean | Promise<boolean>, problem: string): Promise<void> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; await pause(100)) if (await isSo()) return;
  throw new Error(problem);
}

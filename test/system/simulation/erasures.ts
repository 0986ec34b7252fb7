/**
 * The operator erases accounts, and payloads of what was never imported.
 */

import { readRows } from '../../support/tables';
import type { People } from './importer';
import type { Random } from './random';
import type { Pair } from './record';

/** Something that was answered to be erased. */
export interface Erased {
  readonly pair: Pair;
  /** The account's; undefined for a payload alone. */
  readonly accountNumber: string | undefined;
}

interface Row {
  readonly account_number: string;
  readonly supplier_id: number;
  readonly number: string;
}

export class Erasures {
  readonly erased: Erased[] = [];

  constructor(
    private readonly random: Random,
    private readonly people: People,
  ) {}

  /** The operator erases something; sometimes two do, or one does it again. */
  async act(): Promise<void> {
    const { random } = this;
    const accounts = await this.accounts();
    const account = accounts.length > 0 && random.chance(0.7) ? random.pick(accounts) : undefined;
    const erase = account ? () => this.eraseAccount(account) : this.ofPair(this.pairSent());
    await erase();
    if (random.chance(0.25)) await erase();
  }

  /** A pair that something was sent of, if there is one. */
  private pairSent(): Pair {
    const sent = this.people.sent.filter(({ asked }) => asked.kind === 'create').map(({ pair }) => pair);
    return this.random.pick(sent.length > 0 ? sent : this.people.pairs);
  }

  private ofPair(pair: Pair): () => Promise<void> {
    return () => this.eraseProcess(pair);
  }

  /** The account that the pair has right now, if it has one. */
  async eraseAccountOf(pair: Pair): Promise<void> {
    const row = (await this.accounts()).find(({ supplier_id, number }) => supplier_id === pair.supplierId && number === pair.number);
    if (row) await this.eraseAccount(row);
  }

  async eraseProcess(pair: Pair): Promise<void> {
    const path = `/operator/v1/suppliers/${pair.supplierCode}/import-processes/${pair.number}/erase/`;
    await this.people.operate(`erase ${pair.supplierCode}/${pair.number}`, 'POST', path, BODY, ({ status }) => {
      if (status === 200) this.erased.push({ pair, accountNumber: undefined });
    });
  }

  private async eraseAccount({ account_number: accountNumber, supplier_id, number }: Row): Promise<void> {
    const pair = this.people.pairs.find((one) => one.supplierId === supplier_id && one.number === number);
    await this.people.operate(
      `erase-account ${accountNumber}`,
      'POST',
      `/operator/v1/accounts/${accountNumber}/erase/`,
      BODY,
      ({ status }) => {
        if (status === 200 && pair) this.erased.push({ pair, accountNumber });
      },
    );
  }

  private async accounts(): Promise<Row[]> {
    const results = await readRows<Row>(`SELECT account_number, supplier_id, external_account_number AS number FROM import_processes
       WHERE account_number IS NOT NULL ORDER BY id`);
    return results;
  }
}

const BODY = { reason: 'asked for' };

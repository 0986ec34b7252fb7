/** §10: the operator finds an account by its platform number and by its identifier. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { aDeps } from '../support/deps';
import { aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, stage } from '../support/importing';
import { operate } from '../support/operator';
import { aSmallAccount } from '../support/payloads';

/** Accounts that came in through the queue, with what they are called. */
async function imported(supplier: GivenSupplier, ...externals: string[]) {
  const { deps, messages } = await stage(
    supplier,
    externals.map((external) => aSmallAccount(supplier.code, external)),
    aDeps(),
  );
  await deliver(deps, messages);
  return Promise.all(
    externals.map(async (external) => {
      const path = `/v1/data-import/account-transfer-status/${supplier.code}/${external}/`;
      const { platform_account_number: number = '' } = (await call('GET', path, { token: supplier.token })).body as Record<string, string>;
      const status = await call('GET', `/v2/data-import/accounts/${supplier.code}/${external}/`, { token: supplier.token });
      return { external, number, identifier: (status.body as Record<string, string>)['platform_identifier'] ?? '' };
    }),
  );
}

const find = (number: string) => operate('GET', `accounts/?number=${number}`);
const numbersIn = ({ body }: { readonly body: unknown }) =>
  (body as { external_account_number: string }[]).map((row) => row.external_account_number);

describe('GET accounts/ 200', () => {
  it('finds an account of any supplier by either, with the supplier it is of', async () => {
    const [one, two] = [await aSupplier(), await aSupplier()];
    const [first] = await imported(one, 'F-1', 'F-2');
    const [, second] = await imported(two, 'F-1', 'F-3');
    for (const [supplier, account] of [[one, first] as const, [two, second] as const]) {
      const { external = '', number = '', identifier = '' } = account ?? {};
      expect(number).toMatch(/^A-[0-9A-F]{8}$/);
      const answer = await find(number);
      expect(answer).toMatchObject({
        status: 200,
        body: [
          {
            import_supplier: supplier.code,
            external_account_number: external,
            status: 'PROCESSED',
            account_number: number,
            platform_identifier: identifier,
          },
        ],
      });
      expect(await find(identifier)).toMatchObject({ status: 200, body: answer.body });
      const search = `suppliers/${supplier.code}/import-processes/`;
      expect(numbersIn(await operate('GET', `${search}?number=${number}`))).toEqual([external]);
      expect(numbersIn(await operate('GET', `${search}?number=${identifier}&status=PROCESSED&prefix=F`))).toEqual([external]);
      expect(numbersIn(await operate('GET', `${search}?number=${identifier}&status=ERRORED`))).toEqual([]);
    }
    const elsewhere = `suppliers/${two.code}/import-processes/?number=${first?.number}`;
    expect(numbersIn(await operate('GET', elsewhere))).toEqual([]);
  });

  it('finds nothing by a number that no account has, be it that of a process without one', async () => {
    const supplier = await aSupplier();
    const [account] = await imported(supplier, 'N-1');
    const free = ['A-00000000', 'A-FFFFFFFF', 'A-0BADCAFE'].filter((number) => number !== account?.number);
    for (const number of free) expect(await find(number)).toMatchObject({ status: 200, body: [] });
    expect(await find('4294967295')).toMatchObject({ status: 200, body: [] });
    await env.DB.prepare(`UPDATE import_processes SET account_number = 'A-00000001' WHERE supplier_id = ?`).bind(supplier.supplierId).run();
    expect(await find(account?.number ?? '')).toMatchObject({ status: 200, body: [] });
  });
});

describe('GET accounts/?search= 200', () => {
  const search = (query: string) => operate('GET', `accounts/?${query}`);
  it('finds by the beginning of an external number over all suppliers, by platform number and identifier, in pages', async () => {
    const [one, two] = [await aSupplier(), await aSupplier()];
    const prefix = `S-${crypto.randomUUID().slice(0, 8)}-`;
    const accounts = [...(await imported(one, `${prefix}1`, `${prefix}2`)), ...(await imported(two, `${prefix}1`))];
    await stage(two, [aSmallAccount(two.code, `${prefix}3`)], aDeps());
    const all = [
      [one.code, `${prefix}1`],
      [one.code, `${prefix}2`],
      [two.code, `${prefix}1`],
      [two.code, `${prefix}3`],
    ].toSorted(([a = '', b = ''], [c = '', d = '']) => (a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1));
    const pairs = ({ body }: { readonly body: unknown }) =>
      (body as Record<string, string>[]).map((row) => [row['import_supplier'], row['external_account_number']]);
    expect(pairs(await search(`search=${prefix}`))).toEqual(all);
    const seen: unknown[] = [];
    for (let next: string | undefined = `search=${prefix}&limit=1`; next; ) {
      const answer = await search(next);
      expect(answer.status).toBe(200);
      seen.push(...pairs(answer));
      next = /\?(.*)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(seen).toEqual(all);
    for (const { number, identifier, external } of accounts)
      for (const text of [number, number.toLowerCase(), identifier]) expect(pairs(await search(`search=${text}`))[0]?.[1]).toBe(external);
    expect(pairs(await search(`search=${prefix.toLowerCase()}`))).toEqual([]);
  });

  it('a cursor that names nothing is 400, and so is a limit out of bounds; nothing to search for asks for a number', async () => {
    expect(await search('search=S&cursor=none')).toMatchObject({ status: 400, body: { errors: [{ attr: 'cursor' }] } });
    expect(await search('search=S&limit=501')).toMatchObject({ status: 400, body: { errors: [{ attr: 'limit' }] } });
    expect(await search('search=')).toMatchObject({ status: 400, body: { errors: [{ attr: 'number', code: 'required' }] } });
  });
});

describe('GET accounts/ 400', () => {
  it.each([
    [undefined, 'required'],
    ['', 'invalid'],
    ['A-123', 'invalid'],
    ['a-00000000', 'invalid'],
    ['4294967296', 'invalid'],
    ['-1', 'invalid'],
    ['toString', 'invalid'],
  ])('%s', async (number, code) => {
    const refused = { status: 400, body: { errors: [{ attr: 'number', code }] } };
    expect(await (number === undefined ? operate('GET', 'accounts/') : find(number))).toMatchObject(refused);
    if (number === undefined) return;
    const supplier = await aSupplier();
    expect(await operate('GET', `suppliers/${supplier.code}/import-processes/?number=${number}`)).toMatchObject(refused);
  });
});

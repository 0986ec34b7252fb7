/**
 * What the endpoints that add to an imported account have in common: how they are asked, and whom they refuse (§4.1-4.3).
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../src/worker';
import { type Counts, countingBucket, countingDatabase } from './counting';
import { type Answer, anImportedAccount, aSupplier, call, type GivenAccount, type GivenSupplier } from './given';
import { readRows } from './tables';

export interface Given {
  readonly supplier: GivenSupplier;
  readonly account: GivenAccount;
}

export async function anAccountOfASupplier(
  supplierOptions: Parameters<typeof aSupplier>[0] = {},
  accountOptions: Parameters<typeof anImportedAccount>[1] = {},
): Promise<Given> {
  const supplier = await aSupplier(supplierOptions);
  return { supplier, account: await anImportedAccount(supplier, accountOptions) };
}

/** An endpoint that takes a list under one name. */
export interface Endpoint {
  readonly path: string;
  readonly list: string;
  readonly table: string;
}

export const bodyOf = ({ list }: Endpoint, { supplier, account }: Given, items: unknown) => ({
  import_supplier: supplier.code,
  external_account_number: account.externalAccountNumber,
  [list]: items,
});

export const post = (endpoint: Endpoint, given: Given, items: unknown, query = ''): Promise<Answer> =>
  call('POST', `${endpoint.path}${query}`, { token: given.supplier.token, body: bodyOf(endpoint, given, items) });

/** Posts through a database and a bucket that count. */
export async function postCounted(
  endpoint: Endpoint,
  given: Given,
  items: unknown,
  beforeTrip?: (trip: number) => Promise<void>,
): Promise<Answer & { readonly counts: Counts; readonly bucketCalls: number }> {
  const [counts, documents] = [countingDatabase(env.DB, beforeTrip), countingBucket(env.DOCUMENTS)];
  const context = createExecutionContext();
  const request = new Request(`https://import.test${endpoint.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Token ${given.supplier.token}` },
    body: JSON.stringify(bodyOf(endpoint, given, items)),
  });
  const response = await worker.fetch(request, { ...env, DB: counts.db, DOCUMENTS: documents.bucket }, context);
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, body: await response.json(), counts, bucketCalls: documents.calls };
}

export const stored = (endpoint: Endpoint, { account }: Given) =>
  readRows(`SELECT * FROM ${endpoint.table} WHERE account_id = ?`, account.id);

export const errorsOf = (answer: Answer): unknown => {
  const { body } = answer;
  return typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors)
    ? body.errors.map(({ code, attr }: { code: string; attr: string }) => [attr, code])
    : body;
};

/** Everyone whom such an endpoint refuses, whatever it adds. */
export function describeRefusals(endpoint: Endpoint, item: Record<string, unknown>): void {
  const { path, list } = endpoint;

  describe('401', () => {
    it('refuses a request without a token, with a bad one, and with one of a revoked key', async () => {
      const given = await anAccountOfASupplier();
      const body = bodyOf(endpoint, given, [item]);
      const without = await call('POST', path, { body });
      expect([without.status, without.body]).toMatchObject([401, { code: 'not_authenticated' }]);
      const bad = await call('POST', path, { token: 'x.y.z', body });
      expect([bad.status, bad.body]).toMatchObject([401, { code: 'authentication_failed' }]);
      await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE id = ?').bind(given.supplier.apiKeyId).run();
      for (const items of [[item], 'not a list']) {
        const revoked = await post(endpoint, given, items);
        expect([revoked.status, revoked.body]).toMatchObject([401, { code: 'authentication_failed' }]);
        expect(revoked.headers.get('WWW-Authenticate')).toBe('Token');
      }
      expect(await stored(endpoint, given)).toEqual([]);
    });
  });

  describe('404', () => {
    const notFound = { detail: 'Not found.', code: 'not_found' };

    it('answers the same for an unknown supplier, one of another organisation, and an unknown account', async () => {
      const [given, other] = [await anAccountOfASupplier(), await anAccountOfASupplier()];
      const answers = [
        await call('POST', path, { token: given.supplier.token, body: { ...bodyOf(endpoint, given, [item]), import_supplier: 'nobody' } }),
        await call('POST', path, { token: given.supplier.token, body: bodyOf(endpoint, other, [item]) }),
        await call('POST', path, {
          token: given.supplier.token,
          body: { ...bodyOf(endpoint, given, [item]), external_account_number: 'nobody' },
        }),
      ];
      for (const { status, body } of answers) expect([status, body]).toEqual([404, notFound]);
      expect(await stored(endpoint, other)).toEqual([]);
    });

    it('does not count an account that is only staged', async () => {
      const given = await anAccountOfASupplier();
      await env.DB.prepare('DELETE FROM accounts WHERE id = ?').bind(given.account.id).run();
      const { status, body } = await post(endpoint, given, [item]);
      expect([status, body]).toEqual([404, notFound]);
      expect(await stored(endpoint, given)).toEqual([]);
    });
  });

  describe('a supplier that changes between reading it and the write', () => {
    const changedBefore = (given: Given, isChanged: (trip: number) => boolean) => async (trip: number) => {
      if (!isChanged(trip)) return;
      await env.DB.prepare('UPDATE suppliers SET version = version + 1 WHERE id = ?').bind(given.supplier.supplierId).run();
    };

    it('is read in the trip of the write, so that one more trip adds everything once', async () => {
      const given = await anAccountOfASupplier();
      const { status, counts } = await postCounted(
        endpoint,
        given,
        [item],
        changedBefore(given, (trip) => trip === 2),
      );
      expect([status, counts.trips]).toEqual([201, 3]);
      expect(await stored(endpoint, given)).toHaveLength(1);
    });

    it('makes the request fail as ours after four tries, with nothing stored', async () => {
      const given = await anAccountOfASupplier();
      const { status, body, counts } = await postCounted(
        endpoint,
        given,
        [item],
        changedBefore(given, (trip) => trip > 1),
      );
      expect([status, body, counts.trips]).toMatchObject([500, { code: 'error' }, 5]);
      expect(await stored(endpoint, given)).toEqual([]);
    });
  });

  describe('405, 413, 415', () => {
    it('names the method it takes', async () => {
      const { status, headers } = await call('GET', path);
      expect([status, headers.get('Allow')]).toEqual([405, 'POST']);
    });

    it('refuses what is too large and what is not JSON', async () => {
      const { supplier } = await anAccountOfASupplier();
      expect((await call('POST', path, { token: supplier.token, body: `"${'x'.repeat(1_048_576)}"` })).status).toBe(413);
      const text = await call('POST', path, { token: supplier.token, body: 'hello', headers: { 'Content-Type': 'text/plain' } });
      expect([text.status, text.body]).toMatchObject([415, { code: 'unsupported_media_type' }]);
    });
  });

  describe('400 of the supplier and the body', () => {
    it('refuses malformed JSON', async () => {
      const { supplier } = await anAccountOfASupplier();
      const { status, body } = await call('POST', path, { token: supplier.token, body: '{' });
      expect([status, body]).toMatchObject([400, { code: 'parse_error' }]);
    });

    it.each([
      ['Paused', 'import_supplier_paused'],
      ['Complete', 'import_supplier_complete'],
    ] as const)('refuses additions under a %s supplier', async (status, code) => {
      const given = await anAccountOfASupplier({ status });
      const answer = await post(endpoint, given, [item]);
      expect([answer.status, errorsOf(answer)]).toEqual([400, [['import_supplier', code]]]);
      expect(await stored(endpoint, given)).toEqual([]);
    });

    it('says what is missing from an empty object, and what else a body may not be', async () => {
      const { supplier } = await anAccountOfASupplier();
      const errorsFor = async (body: unknown) => errorsOf(await call('POST', path, { token: supplier.token, body: JSON.stringify(body) }));
      expect(await errorsFor({})).toEqual([
        ['import_supplier', 'required'],
        ['external_account_number', 'required'],
        [list, 'required'],
      ]);
      expect(await errorsFor({ [list]: [], external_account_number: null, import_supplier: ' ' })).toEqual([
        [list, 'empty'],
        ['external_account_number', 'null'],
        ['import_supplier', 'blank'],
      ]);
      expect(await errorsFor([])).toEqual([['', 'invalid']]);
      expect(await errorsFor({ import_supplier: 'x', external_account_number: '..', [list]: {} })).toEqual([
        ['external_account_number', 'invalid'],
        [list, 'not_a_list'],
      ]);
    });
  });
}

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAccount } from '../../src/accounts';
import { createOf, isSameAccount, stagedAccountOf } from '../../src/accounts/schedule/staged';
import { shortDigest } from '../../src/shared/digest';
import { NOON } from '../support/checking';
import { aFullAccount, aSmallAccount } from '../support/payloads';
import { aSupplierWith } from '../support/suppliers';

const staged = (text: string) => stagedAccountOf(checkAccount(JSON.parse(text), aSupplierWith(), NOON), text);

describe('a staged account', () => {
  it('is the text as it was sent, to the last character, and its hash is of that text', () => {
    const text = ` ${JSON.stringify(aSmallAccount('SUP', 'EXT'), null, 1)}\n`;
    expect(staged(text)).toMatchObject({ externalAccountNumber: 'EXT', body: text, payloadHash: shortDigest(text) });
  });

  it('has another hash in another form, and the same one for the same text', () => {
    const [text, spaced] = [JSON.stringify(aSmallAccount('SUP', 'EXT')), JSON.stringify(aSmallAccount('SUP', 'EXT'), null, 1)];
    expect(staged(text)?.payloadHash).toBe(staged(text)?.payloadHash);
    expect(staged(spaced)?.payloadHash).not.toBe(staged(text)?.payloadHash);
  });

  it('counts its bytes, not its characters', () => {
    const text = JSON.stringify({ ...aSmallAccount('SUP', 'EXT'), billing_name: 'Ümit 🐕' });
    expect(staged(text)?.bodyBytes).toBe(new TextEncoder().encode(text).length);
  });

  it('is refused where it would be larger than a body may be', () => {
    const account = { ...aFullAccount('SUP', 'EXT'), numbers: Array.from({ length: 60_000 }, (_, i) => i) };
    const text = JSON.stringify(account).replace(/"numbers":\[[^\]]*\]/, `"numbers":[${Array(60_000).fill('1e20').join()}]`);
    expect(staged(text)).toBeUndefined();
  });

  it.each([
    ['paused', 'Paused', [], 'not_now'],
    ['complete', 'Complete', [], 'not_now'],
    ['ongoing', 'Ongoing', [], 'right'],
    ['a document is missing', 'Ongoing', ['document_not_found'], 'not_now'],
    ['paused, and a document is missing', 'Paused', ['document_not_found'], 'not_now'],
    ['a path is not allowed', 'Ongoing', ['invalid_document_path'], 'wrong'],
    ['a document is missing and a path not allowed', 'Ongoing', ['document_not_found', 'invalid_document_path'], 'wrong'],
    ['too many documents', 'Paused', ['max_length'], 'wrong'],
  ] as const)('is asked for by what is wrong with it: %s', (_, status, codes, kind) => {
    const supplier = aSupplierWith({}, { status });
    const text = JSON.stringify(aSmallAccount('SUP', 'EXT'));
    const checkedAccount = checkAccount(JSON.parse(text), supplier, NOON);
    const documents = codes.map((code) => ({ path: ['notes'], code, detail: 'x' }));
    expect(createOf(checkedAccount, supplier, documents, text).kind).toBe(kind);
    const wrong = checkAccount({ ...aSmallAccount('SUP', 'EXT'), account_type: 'CASTLE' }, supplier, NOON);
    expect(createOf(wrong, supplier, documents, text).kind).toBe('wrong');
  });
});

describe('full numbers', () => {
  const IBAN = 'GB33BUKB20201555555555';
  const NAME = 'payment_instructions';
  const instructions = JSON.stringify([{ vendor: 'V', type: 'DIRECT_DEBIT', bank_account: { iban: IBAN } }]);
  const holding = (key: string, before = '') =>
    `{"import_supplier":"SUP","external_account_number":"EXT",${before}"${key}":${instructions}}`;
  /** The name with some of its characters escaped. */
  const spelling = fc.tuple(fc.array(fc.constantFrom('plain', 'lower', 'upper'), { minLength: NAME.length, maxLength: NAME.length }));
  const spelled = (ways: readonly string[]): string =>
    [...NAME]
      .map((character, i) => {
        const code = character.charCodeAt(0).toString(16).padStart(4, '0');
        return ways[i] === 'plain' ? character : `\\u${ways[i] === 'upper' ? code.toUpperCase() : code}`;
      })
      .join('');

  const expectCut = (text: string): void => {
    const account = staged(text);
    expect(account?.body).not.toContain(IBAN);
    expect(JSON.parse(account?.body ?? '')).toMatchObject({ payment_instructions: [{ bank_account: { iban: '5555' } }] });
    expect(account?.payloadHash).toBe(shortDigest(account?.body ?? ''));
  };

  it('are cut under the escaped key', () => {
    expectCut(holding('\\u0070ayment_instructions'));
    expectCut(`{"payload":${holding('payment\\u005finstructions')}}`);
    expectCut(`{"\\u0070ayload":${holding('payment\\u005Finstructions')}}`);
  });

  it('are cut however the key is spelled', () => {
    fc.assert(
      fc.property(spelling, fc.boolean(), ([ways], isWrapped) => {
        const text = holding(spelled(ways));
        expectCut(isWrapped ? `{"payload":${text}}` : text);
      }),
    );
  });

  it('are cut, or gone, under a key that is sent twice', () => {
    expectCut(holding(NAME, `"\\u0070ayment_instructions":[{"vendor":"V","type":"CARD","bank_account":{"iban":"${IBAN}"}}],`));
    const hidden = `{"import_supplier":"SUP","external_account_number":"EXT","payment_instructions":${instructions},"payment_instructions":[]}`;
    expect(staged(hidden)?.body).not.toContain(IBAN);
  });

  it('do not show in the hash: bodies that differ in them only have the same', () => {
    const [one, other] = [holding(NAME), holding(NAME).replace(IBAN, 'GB82WEST12345698765555')];
    expect(staged(one)?.payloadHash).toBe(staged(other)?.payloadHash);
  });
});

describe('the same account', () => {
  const account = { ...aFullAccount('SUP', 'EXT'), metadata: [{ key: 'k', value: { a: [1, ''], b: null } }] };
  const text = JSON.stringify(account);
  const isSame = (other: unknown): boolean => isSameAccount(text, JSON.stringify(other)) && isSameAccount(JSON.stringify(other), text);

  it.each<[string, unknown]>([
    ['in another order of keys', Object.fromEntries(Object.entries(account).toReversed())],
    ['in the other form', { payload: account }],
    ['with fields that are not given', { ...account, billing_address1: '', ledgers: [], task_params: null }],
  ])('%s', (_, other) => {
    expect(isSame(other)).toBe(true);
  });

  it('in other white space', () => {
    expect(isSameAccount(text, JSON.stringify(account, null, 2))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['another name', { ...account, billing_name: 'Other' }],
    ['an undocumented field, which is stored even if it says nothing', { ...account, undocumented: null }],
    ['another order of a list', { ...account, current_statement_transactions: account.current_statement_transactions.toReversed() }],
    ['a field that is left out', { ...account, billing_email: undefined }],
    ['an undocumented field', { ...account, undocumented: 1 }],
    [
      'something in an undocumented field of an item',
      { ...account, notes: [{ ...account.notes[0], undocumented: 1 }, ...account.notes.slice(1)] },
    ],
    ['nothing for something in a value that is kept as sent', { ...account, metadata: [{ key: 'k', value: { a: [1, ''] } }] }],
    ['one nothing for another in a value that is kept as sent', { ...account, metadata: [{ key: 'k', value: { a: [1, null], b: null } }] }],
    ['a dry run', { ...account, task_params: { is_dry_run: true } }],
    ['a window', { ...account, task_params: { schedule_window_start: '2099-01-01T00:00:00Z' } }],
  ])('is not one with %s', (_, other) => {
    expect(isSame(other)).toBe(false);
  });
});

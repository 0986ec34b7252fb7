/** §4.5, §4.6: no full card or account number and no security code is stored, in whatever form it came. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { errorsOf } from '../support/additions';
import { bulkResults } from '../support/bulk';
import { aDeps } from '../support/deps';
import { anImportedAccount, aSupplier, call, type GivenSupplier } from '../support/given';
import { deliver, statusesOf } from '../support/importing';
import { readRow, readRows } from '../support/tables';

const ACCOUNTS = '/v2/data-import/accounts/';
const INSTRUCTIONS = '/v1/data-import/payment-instruction/create/';

const CARD = '4000056655665556';
const SPACED = '5555 5555 5555 4444';
// With letters, or long: no digest and no timestamp holds them by chance.
const ACCOUNT = 'ZQ31926819';
const PLAIN_ACCOUNT = 319_268_195_577;
const IBAN = 'DE89 3704 0044 0532 0130 00';
const CODE = 'zq7351qz';

/** What every instruction below holds, in places of its own. */
const instruction = {
  vendor: 'V',
  type: 'CARD',
  reference: CARD,
  note: `Card ${SPACED}, exp 12/29`,
  card: { last_digits: '5556', number: Number(CARD), cvc: CODE, more: [{ [CARD]: { pan: SPACED } }] },
  bank_account: { account_holder: 'A Bell', number: ACCOUNT, accountNumber: ACCOUNT, iban: IBAN, pan: CARD },
};
const later = { schedule_window_start: '2099-01-01T00:00:00Z' };

/** Everything there is of a supplier, in any table, and the digests of it. */
async function everythingOf(given: GivenSupplier): Promise<string> {
  const tables = await readRows<{
    name: string;
  }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '[_s][cq]*'");
  const rows = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`)));
  const text = JSON.stringify(rows.map(({ results }) => results));
  expect(text).toContain(given.code);
  return text;
}

async function expectNoneStored(given: GivenSupplier): Promise<void> {
  const digits = (await everythingOf(given)).replace(/\\[nrt]|[\s\-"\\]/g, '');
  for (const number of [CARD, SPACED, ACCOUNT, String(PLAIN_ACCOUNT), IBAN]) expect(digits).not.toContain(number.replaceAll(' ', ''));
  expect(digits).not.toContain(CODE);
}

/** Opens every window, and has all that is PENDING processed. */
async function processed(given: GivenSupplier): Promise<Record<string, string>> {
  await env.DB.prepare('UPDATE import_processes SET window_start = NULL WHERE supplier_id = ?').bind(given.supplierId).run();
  const results = await readRows<{ id: number }>('SELECT id FROM import_processes WHERE supplier_id = ? AND status = 0', given.supplierId);
  await deliver(aDeps(), [{ v: 1, supplier_id: given.supplierId, process_ids: results.map(({ id }) => id) }]);
  return statusesOf(given);
}

/** With names enough to be found by, and with none but that of the list. */
const full = JSON.stringify(instruction);
const bare = JSON.stringify({ vendor: 'V', type: 'CUSTOM', reference: CARD, a: { b: [SPACED] } });

const escaped = (name: string) => [...name].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('');

/** Forms of a body, as text: `head` names the pair and the window. */
const FORMS: readonly (readonly [string, (head: string, data: string) => string])[] = [
  ['as documented', (head, data) => `{${head},"payment_instructions":[${data}]}`],
  ['under an escaped name', (head, data) => `{${head},"\\u0070ayment_instructions":[${data}]}`],
  ['under a name escaped altogether', (head, data) => `{${head},"${escaped('payment_instructions')}":[${data}]}`],
  ['under a name sent twice, empty at last', (head, data) => `{${head},"payment_instructions":[${data}],"payment_instructions":[]}`],
  ['under a name sent twice, full at last', (head, data) => `{${head},"payment_instructions":[],"payment_instructions":[${data}]}`],
  ['under a name sent twice, once escaped', (head, data) => `{${head},"payment_instructions":[${data}],"\\u0070ayment_instructions":null}`],
  ['in an object sent twice', (head, data) => `{${head},"more":{"bank_account":${data}},"more":1}`],
  ['in a payload', (head, data) => `{"payload":{${head},"payment_instructions":[${data}]}}`],
  ['in an escaped payload', (head, data) => `{"\\u0070ayload":{${head},"\\u0070ayment_instructions":[${data}]}}`],
  ['in a payload sent twice', (head, data) => `{"payload":{${head},"payment_instructions":[${data}]},"payload":{${head}}}`],
  ['beside a payload', (head, data) => `{"payload":{${head}},"payment_instructions":[${data}]}`],
  ['in a payload beside the account', (head, data) => `{${head},"payload":{"payment_instructions":[${data}]}}`],
  ['in a bank account of the account', (head, data) => `{${head},"bank_account":${data}}`],
  ['in a bank account that is a number', (head) => `{${head},"bank_account":"${ACCOUNT}","bankAccount":${PLAIN_ACCOUNT}}`],
  ['in a card of a customer', (head, data) => `{${head},"customers":[{"given_name":"A","cards":[${data}]}]}`],
  ['under other names', (head, data) => `{${head},"PaymentInstructions":[${data}],"BANK-ACCOUNT":${data},"creditCard":${data}}`],
  ['in metadata', (head, data) => `{${head},"metadata":[{"key":"k","value":{"card":${data},"iban":"${IBAN}","cvv":"${CODE}"}}]}`],
  ['in an object sent twice under escaped names', (head, data) => `{${head},"more":{"${escaped('cards')}":${data}},"more":1}`],
  ['under another name, escaped', (head, data) => `{${head},"${escaped('bank_account')}":${data}}`],
  ['in task_params', (head, data) => `{${head.replace('}', `,"card":${data}}`)}}`],
];

const headOf = (given: GivenSupplier, number: string) =>
  `"import_supplier":"${given.code}","external_account_number":"${number}","task_params":${JSON.stringify(later)}`;

describe.each(FORMS)('payment data %s', (_, bodyOf) => {
  it.each([
    ['of many names', full],
    ['of no name but its own', bare],
  ])('%s is stored without full numbers by create, and so by bulk', async (__, data) => {
    const given = await aSupplier();
    const answer = await call('POST', ACCOUNTS, { token: given.token, body: bodyOf(headOf(given, 'one'), data) });
    expect([answer.status, answer.body]).toEqual([201, {}]);
    const lines = ['two', 'three'].map((number) => bodyOf(headOf(given, number), data));
    expect(await bulkResults(given, lines, 'create')).toMatchObject([{ status: 'SCHEDULED' }, { status: 'SCHEDULED' }]);
    await expectNoneStored(given);
    expect(await processed(given)).toEqual({ one: 'PROCESSED', two: 'PROCESSED', three: 'PROCESSED' });
    await expectNoneStored(given);
  });
});

it('what was staged whole by an earlier release is cut when its account is created', async () => {
  const given = await aSupplier();
  const body = `{${headOf(given, 'one')},"payment_instructions":[]}`;
  await call('POST', ACCOUNTS, { token: given.token, body });
  await env.DB.prepare('UPDATE payloads SET body = ? WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?)')
    .bind(body.replace('[]', `[${full}]`), given.supplierId)
    .run();
  expect(await processed(given)).toEqual({ one: 'PROCESSED' });
  const row = await readRow<{ reference: string; details: string }>(
    'SELECT reference, details FROM payment_instructions WHERE account_id = (SELECT id FROM accounts WHERE supplier_id = ?)',
    given.supplierId,
  );
  await env.DB.prepare(`UPDATE payloads SET body = '' WHERE id = (SELECT id FROM import_processes WHERE supplier_id = ?)`)
    .bind(given.supplierId)
    .run();
  expect({ ...row, details: JSON.parse(row?.details ?? '') }).toEqual({
    reference: '5556',
    details: {
      note: 'Card 4444, exp 12/29',
      card: { last_digits: '5556', number: '5556', more: [{ 5556: { pan: '4444' } }] },
      bank_account: { account_holder: 'A Bell', number: '6819', accountNumber: '6819', iban: '3000', pan: '5556' },
    },
  });
});

describe('a payment instruction that is posted', () => {
  it.each([CARD, SPACED, `pm-${CARD}`, '٤٠٠٠٠٥٦٦٥٥٦٦٥٥٥٦', IBAN])(
    'with %s as its reference is refused, unasked and unechoed',
    async (reference) => {
      const given = await aSupplier();
      const account = await anImportedAccount(given);
      const pair = { import_supplier: given.code, external_account_number: account.externalAccountNumber };
      const answer = await call('POST', INSTRUCTIONS, { token: given.token, body: { ...pair, vendor: 'STRIPE', type: 'CARD', reference } });
      expect([answer.status, errorsOf(answer)]).toEqual([400, [['reference', 'invalid']]]);
      expect(answer.body).toMatchObject(pair);
      expect(answer.body).not.toHaveProperty('reference');
      expect(JSON.stringify(answer.body)).not.toContain(reference);
      const asked = await fetch(`${env.STRIPE_API_BASE}/double/calls/${encodeURIComponent(reference)}`);
      expect(await asked.json()).toEqual([]);
      await expectNoneStored(given);
    },
  );
});

/**
 * What the OpenAPI document allows is accepted: bodies made from its own schemas are valid, but for what no schema can say. Each of
 * those reasons stands here, with why.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import published from '../../public/openapi.json';
import { aDocument, anImportedAccount, aSupplier, call } from '../support/given';
import { SchemaValues } from '../support/schema-values';

/** Code, the places it may be at, and why no schema says it. */
const UNSAYABLE: readonly (readonly [code: string, attr: RegExp, why: string])[] = [
  ['invalid_phone_number', /(?:mobile|landline|phone_number)$/, 'which numbers are valid is in the numbering plan of a country'],
  ['invalid_date', /date_of_birth$/, 'today is no constant'],
  ['invalid', /^task_params\.schedule_window_end$/, 'one moment must follow another, and the present'],
  ['invalid', /^expires_at$/, 'the present is no constant'],
  ['does_not_exist', /^task_params\.run$/, 'what is stored'],
  ['invalid_datetime', /./, 'an offset may lead out of the calendar'],
  ['unpin_at_not_after_created_at', /unpin_at$/, 'one moment must follow another'],
  ['period_ends_before_it_starts', /(?:_to|_to_date|end_date)$/, 'one date must follow another'],
  ['date_after_statement_closing', /transaction_date$/, 'one date must follow another'],
  ['date_not_after_statement_closing', /transaction_date$/, 'one date must follow another'],
  ['balance_mismatch', /balance$/, 'a sum'],
  ['duplicate_transaction_id', /transaction_id$/, 'unique by one field of an item'],
  ['statement_already_exists', /statement_id$/, 'unique by one field of an item'],
  ['max_decimal_places', /(?:amount|balance)$/, 'multipleOf 0.01 is wrong in binary fractions'],
  ['max_digits', /./, 'how many digits a number has is not its value'],
  ['invalid_choice', /reason$/, 'a supplier has reasons of its own'],
  ['document_not_found', /(?:document_path|statement_path)$/, 'what the bucket holds'],
  ['invalid_document_path', /(?:document_path|statement_path|documents_root)$/, 'bytes of UTF-8, and runs of combining marks'],
  ['payment_instruction_not_found', /^reference$/, 'what the vendor knows'],
  ['payment_instruction_inactive', /^reference$/, 'what the vendor knows'],
  ['payment_instruction_type_mismatch', /^type$/, 'what the vendor knows'],
  ['payment_instruction_already_active', /^non_field_errors$/, 'what is stored'],
  ['invalid', /^configuration\.time_zone$/, 'which time zones there are'],
  ['unique', /^(?:code|configuration\.documents_root)$/, 'what is stored'],
];

interface Refused {
  readonly code: string;
  readonly errors?: readonly { readonly code: string; readonly attr: string }[];
}

/** What is wrong with the answer but for what no schema can say. */
function unexplained(status: number, body: unknown, success: number): unknown {
  if (status === success) return [];
  const { errors } = body as Refused;
  if (status !== 400 || !errors) return [status, body];
  return errors.filter(({ code, attr }) => !UNSAYABLE.some(([known, place]) => known === code && place.test(attr)));
}

const values = new SchemaValues(published);
const bodyOf = (path: keyof typeof published.paths): unknown => {
  const operation: { requestBody?: { content: Record<string, { schema: unknown }> } } = Object(Reflect.get(published.paths[path], 'post'));
  return operation.requestBody?.content['application/json']?.schema;
};
const asJson = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

/** Sends bodies of the operation; `pinned` are fields whose value must be one that exists. Gives back how many were accepted. */
async function accepted(
  path: keyof typeof published.paths,
  success: number,
  runs: number,
  send: (body: unknown) => ReturnType<typeof call>,
) {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(values.of(bodyOf(path)), async (value) => {
      const body = asJson(value);
      const answer = await send(body);
      if (answer.status === success) count++;
      expect(unexplained(answer.status, answer.body, success)).toEqual([]);
    }),
    { numRuns: runs },
  );
  return count;
}

describe('bodies that the document allows', () => {
  it('are valid accounts, in both forms', async () => {
    const { code, token } = await aSupplier();
    await aDocument(`${code}/letters/welcome.pdf`);
    const path = '/v2/data-import/accounts/validate/';
    const count = await accepted(path, 200, 200, (sent) => {
      const body = Object(sent);
      if ('payload' in body && !('import_supplier' in body)) body.payload.import_supplier = code;
      else body.import_supplier = code;
      return call('POST', path, { token, body });
    });
    expect(count).toBeGreaterThan(0);
  });

  it.each([
    ['/v1/data-import/notes/create/', 60],
    ['/v1/data-import/transactions/create/', 150],
    ['/v1/data-import/historical-statements/create/', 100],
    ['/v1/data-import/payment-instruction/create/', 60],
  ] as const)('are what %s takes', async (path, runs) => {
    const supplier = await aSupplier();
    await aDocument(`${supplier.code}/letters/welcome.pdf`);
    const count = await accepted(path, 201, runs, async (sent) => {
      const { externalAccountNumber } = await anImportedAccount(supplier);
      const body = { ...Object(sent), import_supplier: supplier.code, external_account_number: externalAccountNumber };
      if (path.includes('payment')) Object.assign(body, { vendor: 'SANDBOX', reference: 'sandbox-card' });
      return call('POST', path, { token: supplier.token, body });
    });
    expect(count).toBeGreaterThan(0);
  });

  it('are suppliers, keys and organisations', async () => {
    const headers = { Authorization: 'Bearer test-operator-token-of-at-least-32-bytes' };
    const { organisationId } = await aSupplier();
    const organisations = await accepted('/operator/v1/organisations/', 201, 30, (body) =>
      call('POST', '/operator/v1/organisations/', { body, headers }),
    );
    const keys = `/operator/v1/organisations/${organisationId}/api-keys/`;
    const made = await accepted('/operator/v1/organisations/{id}/api-keys/', 201, 30, (body) => call('POST', keys, { body, headers }));
    const suppliers = await accepted('/operator/v1/suppliers/', 201, 60, (sent) => {
      const body = { ...Object(sent), organisation_id: organisationId };
      return call('POST', '/operator/v1/suppliers/', { body, headers });
    });
    for (const count of [organisations, made, suppliers]) expect(count).toBeGreaterThan(0);
  });
});

/** The operator interface: erasure of personal data. */
import * as z from 'zod';
import { eraseBody } from '../erasure/schema';
import { invalid, type Operation, ok } from './operation';
import { AT, CONFLICT, UNKNOWN, write } from './operator-helpers';

export const erasure = z.object({
  import_supplier: z.string(),
  external_account_number: z.string(),
  platform_account_number: z.string().nullable().meta({ description: 'Null where it was never imported.' }),
  platform_identifier: z.string().nullable(),
  erased_at: z.string().meta({ format: 'date-time', description: 'When it was erased first.' }),
  documents: z.array(z.string()).meta({
    description: 'The keys of the documents that it named. They are told once: an erasure that is repeated names none.',
  }),
  documents_deleted: z.boolean().meta({ description: 'Whether this call has deleted them from the bucket.' }),
});

const BODY = { reason: 'Asked for by the customer, ticket 4711.', delete_documents: true };
const ERASED = {
  import_supplier: 'NORTH',
  external_account_number: 'ACC-1',
  platform_account_number: 'A-60BF1893',
  platform_identifier: '1623136403',
  erased_at: AT,
  documents: ['NORTH/letters/1.pdf'],
  documents_deleted: true,
};
const MISSING = invalid('Not valid.', [{ detail: 'This field is required.', code: 'required', attr: 'reason' }]);

export const ERASURE_OPERATIONS: readonly Operation[] = [
  write(
    'post',
    {
      id: 'eraseAccount',
      path: 'accounts/{number}/erase/',
      summary: 'Erase an account',
      description:
        'Overwrites for good what tells of a person: customers, note bodies, free text, names and addresses, documents by name, holders and references of payment instructions. Numbers, dates and amounts stay. The account takes no additions any more, platform systems read it once more in commit order, and a repeat changes nothing. Audited.',
    },
    eraseBody,
    BODY,
    { 200: ok('Erased.', erasure, ERASED), 400: MISSING, 404: UNKNOWN, 409: CONFLICT },
  ),
  write(
    'post',
    {
      id: 'eraseProcess',
      path: 'suppliers/{code}/import-processes/{external}/erase/',
      summary: 'Erase an import process',
      description:
        'Does so for what was never imported: the payload is emptied, and what is PENDING is CANCELLED. Refused while it is IN_PROGRESS, and once there is an account. It cannot be retried; the importer may create it again.',
    },
    eraseBody,
    BODY,
    {
      200: ok('Erased.', erasure, { ...ERASED, platform_account_number: null, platform_identifier: null }),
      400: MISSING,
      404: UNKNOWN,
      409: CONFLICT,
    },
  ),
];

/** Words and examples for the erasure of personal data (§18). */
import { describe, type Operation } from '../reference/operation';
import { AT, CONFLICT, REQUIRED, UNKNOWN } from '../reference/operator';
import { ok, one } from '../reference/words';
import * as answers from './answers';
import * as declared from './endpoints';

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

export const ERASURE: readonly Operation[] = [
  describe(declared.eraseAccount, answers, {
    tag: 'Operator',
    id: 'eraseAccount',
    summary: 'Erase an account',
    description:
      'Overwrites for good what identifies a person: customers, note bodies, free text, names and addresses, documents by name, holders and references of payment instructions. Numbers, dates and amounts stay. The account takes no additions any more, platform systems read it once more in commit order, and a repeat changes nothing. Audited.',
    body: one('Erase an account', BODY),
    answers: { 200: ok('Erased.', ERASED), 400: REQUIRED('reason'), 404: UNKNOWN, 409: CONFLICT },
  }),
  describe(declared.eraseProcess, answers, {
    tag: 'Operator',
    id: 'eraseProcess',
    summary: 'Erase an import process',
    description:
      'Does so for what was never imported: the payload is emptied, and what is PENDING is CANCELLED. Refused while it is IN_PROGRESS, and once there is an account. It cannot be retried; the importer may create it again.',
    body: one('Erase an import process', BODY),
    answers: {
      200: ok('Erased.', { ...ERASED, platform_account_number: null, platform_identifier: null }),
      400: REQUIRED('reason'),
      404: UNKNOWN,
      409: CONFLICT,
    },
  }),
];

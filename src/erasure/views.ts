import { platformIdentifierOf } from '../import-processes';
import { isoInstant } from '../shared/dates';
import type { Erasure } from './erase';

/** What was erased. `documents` are keys of the bucket: the operator gets them once, because nothing knows them afterwards. */
export const erasureView = ({ supplierCode, externalAccountNumber, accountNumber, erasedAt, documents, areDocumentsDeleted }: Erasure) => ({
  import_supplier: supplierCode,
  external_account_number: externalAccountNumber,
  platform_account_number: accountNumber,
  platform_identifier: accountNumber === null ? null : platformIdentifierOf(accountNumber),
  erased_at: isoInstant(erasedAt),
  documents,
  documents_deleted: areDocumentsDeleted,
});

/** Validates accounts without the service, by the same function that it validates with. */
import { accountWarnings, allErrors, checkAccount } from '../../accounts/pure';
import { documentPathErrors } from '../../documents/pure';
import { errorItem } from '../../shared/errors';
import { decodeJson } from '../../shared/json';
import { MAX_BODY_BYTES } from '../../shared/sizes';
import { DEFAULT_SETTINGS, type Supplier } from '../../suppliers';
import type { BulkResult, ErrorItem } from '../client';

/** What an importer knows of its supplier's configuration; without a country, phone numbers are not validated. */
export interface OfflineSupplier {
  readonly country: string | undefined;
  readonly extraChargeReasons: readonly string[];
  readonly extraCreditReasons: readonly string[];
}

const ENCODER = new TextEncoder();

/**
 * The result that the bulk endpoint would give in `validate` mode, but for what only it can know: whether the supplier exists and
 * accepts accounts, and whether documents are there.
 */
export function checkOffline(text: string, index: number, known: OfflineSupplier): BulkResult {
  const bytes = ENCODER.encode(text.replace(/[\r\n]+/g, ' '));
  if (bytes.byteLength > MAX_BODY_BYTES) return unreadable(index, 'payload_too_large', `The line is longer than ${MAX_BODY_BYTES} bytes.`);
  const body = decodeJson(bytes);
  if (body.kind !== 'json') return unreadable(index, 'parse_error', body.detail);
  const checkedAccount = checkAccount(body.value, supplierOf(known), Date.now());
  const errors = allErrors(checkedAccount, documentPathErrors('', checkedAccount.documentPaths, new Set())).map(errorItem);
  const warnings = accountWarnings(body.value, checkedAccount);
  const number = checkedAccount.externalAccountNumber;
  return {
    index,
    ...(number === undefined ? {} : { external_account_number: number }),
    ...(errors.length > 0 ? { status: 'INVALID', errors } : { status: 'VALID' }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function unreadable(index: number, code: string, detail: string): BulkResult {
  const errors: ErrorItem[] = [{ detail, code, attr: '' }];
  return { index, status: 'INVALID', errors };
}

function supplierOf({ country, extraChargeReasons, extraCreditReasons }: OfflineSupplier): Supplier | undefined {
  if (country === undefined) return undefined;
  return {
    id: 0,
    organisationId: '',
    code: '',
    name: '',
    status: 'Ongoing',
    version: 0,
    configuration: {
      ...DEFAULT_SETTINGS,
      default_country: country,
      documents_root: '',
      extra_charge_reasons: [...extraChargeReasons],
      extra_credit_reasons: [...extraCreditReasons],
    },
  };
}

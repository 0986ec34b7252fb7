/**
 * Suppliers as the operator writes them (§3.1, §10). Unknown settings are validated in `rules.ts`.
 */
import * as z from 'zod';
import { documentsRoot, INVALID_DOCUMENT_PATH, relativeDocumentPath } from '../../shared/document-paths';
import {
  boolean,
  choice,
  country,
  freeText,
  integer,
  line,
  optional,
  optionalChoice,
  optionalList,
  requiredLine,
  supplierCode,
} from '../../shared/fields';
import { checked } from '../../shared/reader';
import { isTimeZone } from '../../shared/time-zones';
import { VENDORS } from '../../shared/vendors';
import { MAX_EVENT_RETENTION_DAYS, SUPPLIER_STATUSES } from '../../suppliers';

/** A folder of the bucket; `''` is the default, the supplier's code. */
const folder = checked(line(512), (text) => {
  // The line reports already what is too long; a search for slashes in it would take quadratic time.
  if (text === '' || text.length > 1_024) return undefined;
  return relativeDocumentPath(documentsRoot(text)) === undefined ? INVALID_DOCUMENT_PATH : undefined;
});

/** `''` is the default, UTC. */
const timeZone = checked(line(64), (text) =>
  text === '' || isTimeZone(text)
    ? undefined
    : { code: 'invalid', detail: 'Enter a time zone by its IANA name, for example Australia/Sydney.' },
);

const reason = checked(z.string(), (text) =>
  /^[A-Z][A-Z0-9_]{0,63}$/.test(text)
    ? undefined
    : { code: 'invalid', detail: 'Enter up to 64 of A-Z, 0-9 and _, beginning with a letter.' },
);

const settings = {
  documents_root: optional(folder),
  time_zone: optional(timeZone),
  send_customer_emails: optional(boolean),
  extra_charge_reasons: optionalList(reason, 100),
  extra_credit_reasons: optionalList(reason, 100),
  vendors: optionalList(choice(VENDORS), VENDORS.length),
  payload_retention_days: optional(integer(1, 3_650)),
  undo_hours: optional(integer(0, 720)),
  event_retention_days: optional(integer(1, MAX_EVENT_RETENTION_DAYS)),
};

/** `POST /operator/v1/suppliers/` */
export const supplierBody = z.object({
  organisation_id: requiredLine(128),
  code: supplierCode,
  name: requiredLine(255),
  configuration: z.object({ default_country: country, ...settings }),
});

/** `PATCH /operator/v1/suppliers/{code}/` */
export const supplierPatch = z.object({
  name: optional(line(255)),
  status: optionalChoice(SUPPLIER_STATUSES),
  reason: optional(freeText(1_000)),
  /** How many PENDING processes the operator was shown before completing; with more than that, nothing is changed. */
  confirm_pending: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  /** As it was read: once the supplier was changed since, nothing is changed. */
  version: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  configuration: optional(z.object({ default_country: optional(country), ...settings })),
});

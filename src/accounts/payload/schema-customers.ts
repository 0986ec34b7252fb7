import * as z from 'zod';
import { boolean, date, email, line, optional, requiredLine } from '../../shared/fields';
import { checked } from '../../shared/reader';
import { consentItem, MAX_TEXT, many, metadataItem } from './schema-common';

const MAX_PREFERENCES = 1_000;

/** A phone number as text; whether it can be called is validated with the supplier's country. */
const phone = optional(line(32));

/** Names of the importer's own, each with a yes or no. Too many are refused as a whole, before each of them is looked at. */
const preferences = checked(
  z.looseObject({}),
  (given) =>
    Object.keys(given).length > MAX_PREFERENCES
      ? { code: 'max_length', detail: `Give no more than ${MAX_PREFERENCES} preferences.` }
      : undefined,
  { additionalProperties: { type: ['boolean', 'null'] }, maxProperties: MAX_PREFERENCES },
).pipe(z.object({}).catchall(optional(boolean)));

export const alternativePhones = many(z.object({ phone_number: requiredLine(32) }));

export const customerItem = z.object({
  given_name: optional(line(255)),
  family_name: optional(line(255)),
  email: optional(email(254)),
  mobile: phone,
  landline: phone,
  alternative_phone_numbers: alternativePhones,
  date_of_birth: optional(date),
  title: optional(line(20)),
  salutation: optional(line(128)),
  pronouns: optional(line(MAX_TEXT)),
  customer_preferences: optional(preferences),
  consents: many(consentItem),
  metadata: many(metadataItem),
});

/** Shapes that several parts of an account payload share. */
import * as z from 'zod';
import { choice, country, dateOrDatetime, freeText, line, optional, requiredLine } from '../../shared/fields';

/** An optional list of any number of items; empty is "not given". The body's size is its limit. */
export const many = <T extends z.ZodType>(item: T) => optional(z.array(item));

/** An object of the importer's own, stored as sent. */
export const ownObject = z.looseObject({});

/** §2.1: what has no tighter limit of its own. */
export const MAX_TEXT = 255;

export const metadataItem = z.object({ key: requiredLine(1_024), value: z.unknown() });

export const consentItem = z.object({
  type: requiredLine(MAX_TEXT),
  value: choice(['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING']),
  signed_at: optional(dateOrDatetime),
});

/** The structured form of an address; the other form is single lines beside it. */
export const address = z.object({
  country,
  name: optional(line(512)),
  organization: optional(line(512)),
  street_address: optional(freeText(512)),
  structured_street_address: optional(ownObject),
  dependent_locality: optional(line(512)),
  locality: optional(line(512)),
  administrative_area: optional(line(512)),
  postal_code: optional(line(512)),
  sorting_code: optional(line(512)),
  delivery_point_identifier: optional(line(512)),
});

export const addressLine = optional(line(512));

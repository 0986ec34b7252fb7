/**
 * An event as it is sent: in the feeds, and to webhooks.
 */
import { isoInstant } from '../shared/dates';
import type { ReadEvent } from './read';

export const eventView = ({ id, type, occurredAt, supplierCode, data }: ReadEvent) => {
  const content: unknown = JSON.parse(data);
  return { id, type, occurred_at: isoInstant(occurredAt), import_supplier: supplierCode, data: content };
};

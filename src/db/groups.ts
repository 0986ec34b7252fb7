/**
 * Columns that queries of several rooms select together.
 */
import { suppliers } from './schema';

/** What every query that reads a supplier selects, as a group: null where its join found none. */
export const SUPPLIER = {
  id: suppliers.id,
  organisationId: suppliers.organisationId,
  code: suppliers.code,
  name: suppliers.name,
  status: suppliers.status,
  version: suppliers.version,
  configuration: suppliers.configuration,
};

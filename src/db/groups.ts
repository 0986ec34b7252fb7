/**
 * Columns that statements of several rooms select together.
 */
import { suppliers } from './schema';

/** What every statement that reads a supplier selects, as a group: null where its join found none. */
export const SUPPLIER = {
  id: suppliers.id,
  organisationId: suppliers.organisationId,
  code: suppliers.code,
  name: suppliers.name,
  status: suppliers.status,
  version: suppliers.version,
  configuration: suppliers.configuration,
};

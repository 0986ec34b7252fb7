/** A supplier as the rules see it, for tests without a database. */
import { DEFAULT_SETTINGS, type Supplier, type SupplierConfiguration } from '../../src/suppliers';

export const aSupplierWith = (configuration: Partial<SupplierConfiguration> = {}, over: Partial<Supplier> = {}): Supplier => ({
  id: 1,
  organisationId: 'org_1',
  code: 'SUP',
  name: 'Supplier',
  status: 'Ongoing',
  version: 1,
  configuration: {
    ...DEFAULT_SETTINGS,
    default_country: 'GB',
    documents_root: 'SUP',
    ...configuration,
  },
  ...over,
});

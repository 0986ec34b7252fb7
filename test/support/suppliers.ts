/** A supplier as the rules see it, for tests without a database. */
import type { Supplier, SupplierConfiguration } from '../../src/suppliers';

export const aJudgedSupplier = (configuration: Partial<SupplierConfiguration> = {}, over: Partial<Supplier> = {}): Supplier => ({
  id: 1,
  organisationId: 'org_1',
  code: 'SUP',
  name: 'Supplier',
  status: 'Ongoing',
  version: 1,
  configuration: {
    default_country: 'GB',
    documents_root: '',
    send_customer_emails: false,
    extra_charge_reasons: [],
    extra_credit_reasons: [],
    vendors: [],
    payload_retention_days: 90,
    ...configuration,
  },
  ...over,
});

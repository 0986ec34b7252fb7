export {
  configurationOf,
  DEFAULT_SETTINGS,
  MAX_EVENT_RETENTION_DAYS,
  readableSettings,
  SETTINGS,
  type Setting,
  type SomeSettings,
  type SupplierConfiguration,
  storedWith,
  unreadableSettings,
} from './configuration';
export {
  gateErrors,
  type StoredSupplier,
  SUPPLIER_STATUSES,
  type Supplier,
  type SupplierFields,
  type SupplierStatus,
  storedSupplierOf,
  supplierIn,
  supplierOf,
  UNREADABLE,
} from './supplier';

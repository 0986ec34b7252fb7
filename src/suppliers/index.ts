export {
  gateErrors,
  SUPPLIER_COLUMNS,
  SUPPLIER_STATUSES,
  type Supplier,
  type SupplierConfiguration,
  type SupplierRow,
  type SupplierStatus,
  settledConfiguration,
  supplierOf,
} from './supplier';

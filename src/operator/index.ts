export { authenticateOperator, type Operator, type OperatorCredentials } from './authenticate';
export { changeSupplier } from './suppliers/change';
export { createSupplier } from './suppliers/create';
export { listSuppliers, readSupplier, type StatusCounts, type SupplierDetails } from './suppliers/read';

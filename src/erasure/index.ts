export type { Erased } from './erase';
export { eraseAccount } from './erase-account';
export { eraseProcess } from './erase-process';

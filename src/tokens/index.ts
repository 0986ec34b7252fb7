export { authenticate, isKeyActive } from './authenticate';
export type { Caller } from './token';

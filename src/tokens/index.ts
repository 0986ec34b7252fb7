export { authenticate, isKeyActive } from './authenticate';
export { mintApiKey } from './keys';
export { forgetRefreshTokens } from './store';
export type { Caller } from './token';

export { authenticate, isKeyActive } from './authenticate';
export { mintApiKey } from './keys';
export { signingKeysOf } from './signing-keys';
export { forgetRefreshTokens, isCallerActive } from './store';
export type { Caller } from './token';

export { authenticate, isKeyActive } from './authenticate';
export { mintApiKey } from './keys';
export { signingKeysOf } from './signing-keys';
export { forgetRefreshTokens } from './store';
export type { Caller } from './token';

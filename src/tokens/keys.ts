/**
 * Secrets of importers: API keys and refresh tokens. Random, shown once, stored as digests only.
 */
import { hasFormOfSecret, type MintedSecret, mintSecret } from '../shared/minted';

const API_KEY = 'sk_live_';
/** Keys of an organisation for tests: nobody takes one for a real key. */
const TEST_API_KEY = 'sk_test_';
const REFRESH_TOKEN = 'rt_';

/** A new API key: `sk_live_`, of an organisation for tests `sk_test_`, and 32 random bytes in base64url. */
export const mintApiKey = (isTest = false): MintedSecret => mintSecret(isTest ? TEST_API_KEY : API_KEY);

/** A new refresh token: opaque, 32 random bytes in base64url. */
export const mintRefreshToken = (): MintedSecret => mintSecret(REFRESH_TOKEN);

/** True for what has the form of an API key; all else cannot be one, so it need not be looked up. */
export const isApiKey = (text: string): boolean => hasFormOfSecret(API_KEY, text) || hasFormOfSecret(TEST_API_KEY, text);

/** True for what has the form of a refresh token. */
export const isRefreshToken = (text: string): boolean => hasFormOfSecret(REFRESH_TOKEN, text);

/**
 * Whether a request changes something, and whether a page of another site made the browser send it.
 */
import type { AppContext } from './app';

/** True for a request that changes nothing. */
export const isRead = (c: AppContext): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/** True for a request that a page of another site made the browser send. Programs send neither header. */
export function isCrossSite(c: AppContext): boolean {
  const [site, origin] = [c.req.header('Sec-Fetch-Site'), c.req.header('Origin')];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== new URL(c.req.url).origin;
}

/** A team of Cloudflare Access: its key, its assertions, and the address its keys are read from. */
import { sign } from 'hono/jwt';
import { vi } from 'vitest';

const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };

export async function anAccessTeam(name: string) {
  const issuer = `https://${name}.cloudflareaccess.com`;
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(RSA, true, ['sign', 'verify'])) as CryptoKeyPair;
  const jwk = async (key: CryptoKey, kid: string) => ({
    ...((await crypto.subtle.exportKey('jwk', key)) as JsonWebKey),
    kid,
    alg: 'RS256',
  });
  const now = () => Math.floor(Date.now() / 1000);
  return {
    issuer,
    settings: { ACCESS_TEAM_DOMAIN: `${name}.cloudflareaccess.com`, ACCESS_AUDIENCE: 'the-audience' },
    /** An assertion that is good for a minute, unless the claims say otherwise. */
    assertion: async (over: Record<string, unknown> = {}, kid = 'key-1') =>
      sign(
        { iss: issuer, aud: ['the-audience'], email: 'ada@example.com', sub: 'user-1', iat: now(), exp: now() + 60, ...over },
        await jwk(privateKey, kid),
        'RS256',
      ),
    /** Answers the team's keys to whoever fetches them. */
    serveKeys: () =>
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
        if (address !== `${issuer}/cdn-cgi/access/certs`) throw new Error('nothing else is fetched');
        return Response.json({ keys: [{ ...(await jwk(publicKey, 'key-1')), use: 'sig' }] });
      }),
  };
}

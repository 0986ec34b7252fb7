/**
 * Puts the demo organisation, its API key, supplier and documents into the local database and bucket. Harmless when repeated.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { DEMO, ROOT } from './local.ts';

const CONFIGURATION = { default_country: 'GB', documents_root: DEMO.documentsRoot };

export const newApiKey = (): string => `sk_live_${randomBytes(32).toString('base64url')}`;

/** The database keeps the digest of the key only; the key itself stays with the caller. */
export async function seed(apiKey: string): Promise<void> {
  const proxy = await getPlatformProxy<{ DB: D1Database; DOCUMENTS: R2Bucket }>({ configPath: join(ROOT, 'wrangler.toml') });
  try {
    const { DB, DOCUMENTS } = proxy.env;
    const now = Date.now();
    const hash = createHash('sha256').update(apiKey).digest('hex');
    await DB.batch([
      DB.prepare('INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING').bind(
        DEMO.organisationId,
        'Demo organisation',
        now,
      ),
      DB.prepare(
        `INSERT INTO api_keys (id, organisation_id, label, hash, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, revoked_at = NULL`,
      ).bind(DEMO.apiKeyId, DEMO.organisationId, 'npm start', hash, now),
      DB.prepare(
        `INSERT INTO suppliers (organisation_id, code, name, status, configuration, version, resumed_at, created_at, modified_at)
         VALUES (?1, ?2, ?3, 'Ongoing', ?4, 1, 0, ?5, ?5) ON CONFLICT DO NOTHING`,
      ).bind(DEMO.organisationId, DEMO.supplier, 'Demo supplier', JSON.stringify(CONFIGURATION), now),
    ]);
    for (const path of DEMO.documents) await DOCUMENTS.put(`${DEMO.documentsRoot}/${path}`, '%PDF-1.4\n%%EOF\n');
  } finally {
    await proxy.dispose();
  }
}

/**
 * The importer's client inside workerd: the platform's own fetch, streams, signals and crypto.
 */
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ApiError, DataImportClient } from '../../src/kit/client';
import { mintApiKey } from '../../src/tokens';
import { aSupplier } from '../support/given';

describe('the client in a Worker', () => {
  it('obtains a token, schedules accounts, and distinguishes refusals by their codes', async () => {
    const { code, apiKeyId } = await aSupplier();
    const { secret: apiKey, hash } = mintApiKey();
    await env.DB.prepare('UPDATE api_keys SET hash = ? WHERE id = ?').bind(hash, apiKeyId).run();
    const client = new DataImportClient({
      baseUrl: 'https://import.test/',
      apiKey,
      fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    });
    const account = { import_supplier: code, external_account_number: 'A', customers: [{ given_name: 'Ada' }] };

    await client.createAccount(account);
    const statuses = [];
    for await (const { status } of client.bulk([account, '{}'], { mode: 'validate' })) statuses.push(status);
    expect(statuses).toEqual(['VALID', 'INVALID']);
    expect((await client.getImportProcess(code, 'A')).status).toMatch(/PENDING|IN_PROGRESS|PROCESSED/);
    await expect(client.getImportProcess(code, 'B')).rejects.toThrow(ApiError);
    const stream = () => new Blob(['abc']).stream();
    expect(await client.uploadDocument(code, 'a/b.pdf', { size: 3, stream })).toMatchObject({ document_path: 'a/b.pdf', isNew: true });
    expect((await client.uploadDocument(code, 'a/b.pdf', Uint8Array.of(97, 98, 99))).isNew).toBe(false);
    expect(await client.checkDocuments({ import_supplier: code, document_paths: ['a/b.pdf', 'c'] })).toMatchObject({ found: 1 });
    const documents = [];
    for await (const { document_path } of client.listDocuments(code, { prefix: 'a/' })) documents.push(document_path);
    expect(documents).toEqual(['a/b.pdf']);
    await expect(client.getImportProcess(code, 'B', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

/** The TypeScript that is shown to importers runs as it stands. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aFolder } from '../kit/cli';
import { aKitSupplier } from '../kit/given';

const ROOT = join(import.meta.dirname, '../..');

it('imports an account from TypeScript as docs/importing.md shows', async () => {
  const supplier = await aKitSupplier();
  const [, code = ''] = readFileSync(join(ROOT, 'docs/importing.md'), 'utf8').match(/```ts\n([\s\S]*?)```/) ?? [];
  const file = join(aFolder(), 'example.mjs');
  writeFileSync(file, code.replace("'account-data-import-service/client'", JSON.stringify(join(ROOT, 'dist/client/index.js'))));
  const env = { ...process.env, DATA_IMPORT_URL: supplier.url, DATA_IMPORT_API_KEY: supplier.apiKey, SUPPLIER: supplier.code };
  // A page may hold no event, where others did much.
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', env });
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(
      /^PROCESSED \d+\n0 ALREADY_IMPORTED \n0 \[ 'NOTE_CREATION_SUCCESS' \]\n(?:go on from \S+\n)*account_imports.finished \{.+\}\n(?:notes.added \{.+\}\n){2}go on from \S+\n$/,
    ),
    '',
  ]);
});

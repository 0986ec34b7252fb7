/** What a migration does to rows that an older release wrote. */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../support/operator';
import { readRow } from '../support/tables';

const random = () => crypto.randomUUID().slice(0, 8);

/** Runs a migration once more: on rows that were written since. */
async function migrate(name: string): Promise<void> {
  const migration = env.MIGRATIONS.find((one) => one.name === name) ?? expect.fail(`no migration ${name}`);
  await env.DB.batch(migration.queries.map((query) => env.DB.prepare(query)));
}

async function aRow(organisation: string, code: string, configuration: string): Promise<string> {
  await env.DB.prepare(
    `INSERT INTO suppliers (organisation_id, code, name, status, configuration, version, resumed_at, created_at, modified_at)
     VALUES (?, ?, ?, 'Ongoing', ?, 3, 0, 1, 1)`,
  )
    .bind(organisation, code, code, configuration)
    .run();
  return code;
}

const withRoot = (documents_root: string | undefined): string =>
  JSON.stringify({ default_country: 'GB', documents_root, vendors: ['STRIPE'] });

describe('0009_document_roots', () => {
  const read = (code: string) =>
    readRow<{ id: number; configuration: string; version: number }>(
      'SELECT id, configuration, version FROM suppliers WHERE code = ?',
      code,
    );
  const rootOf = async (code: string): Promise<unknown> => JSON.parse((await read(code))?.configuration ?? '{}').documents_root;

  it('gives suppliers without a root their code, as a new version, audited, and leaves all else alone', async () => {
    const [own, theirs] = [`org_${random()}`, `org_${random()}`];
    const roots = ['', '/', '///', undefined];
    const codes = await Promise.all(roots.map((root) => aRow(own, `M ${random()}`, withRoot(root))));
    const named = await aRow(theirs, `M-${random()}`, withRoot('/elsewhere/'));
    const broken = await aRow(theirs, `M-${random()}`, '{');
    await migrate('0009_document_roots.sql');
    for (const code of codes) {
      const row = await read(code);
      expect(JSON.parse(row?.configuration ?? '')).toEqual({ default_country: 'GB', documents_root: code, vendors: ['STRIPE'] });
      expect(row?.version).toBe(4);
      expect(await auditOf(`supplier ${code}`)).toEqual([
        {
          actor: 'migration',
          action: 'supplier.changed',
          subject: `supplier ${code}`,
          before: { documents_root: '' },
          after: { documents_root: code },
        },
      ]);
    }
    expect(await read(named)).toMatchObject({ version: 3, configuration: withRoot('/elsewhere/') });
    expect(await read(broken)).toMatchObject({ version: 3, configuration: '{' });
    await migrate('0009_document_roots.sql');
    for (const code of codes) expect((await read(code))?.version).toBe(4);
  });

  it('names a folder that nobody else has where the code is none, or lies with a root of another organisation', async () => {
    const [own, theirs] = [`org_${random()}`, `org_${random()}`];
    const codes = [`a\\${random()}`, `ä${random()}`, ...Array.from({ length: 3 }, () => `M-${random()}`)];
    const [, , equal = '', above = '', shared = ''] = codes;
    await aRow(theirs, `M-${random()}`, withRoot(`${equal}/`));
    await aRow(theirs, `M-${random()}`, withRoot(`/${above}/letters`));
    await aRow(own, `M-${random()}`, withRoot(`${shared}/letters`));
    for (const code of codes) await aRow(own, code, withRoot(''));
    await migrate('0009_document_roots.sql');
    for (const code of codes) expect(await rootOf(code), code).toBe(code === shared ? code : `${own}/${(await read(code))?.id}`);
  });
});

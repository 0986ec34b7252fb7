/** What `validate` and `import` find in a file before its first byte is sent. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aFile, aFolder, run } from './cli';
import { aKitSupplier, type KitSupplier } from './given';
import { inTerminal } from './terminal';

const aLine = ({ code }: KitSupplier, number: string, more: object = {}) =>
  JSON.stringify({ import_supplier: code, external_account_number: number, customers: [{ given_name: 'Ada' }], ...more });

/** True where nothing of the supplier's has reached the service. */
const isUntouched = async (supplier: KitSupplier) => {
  const { stdout } = await run(['lists', 'all', supplier.code], supplier);
  return stdout === '';
};

/** Both commands stop with 2, name `flag`, and send nothing; allowed by the flag, the import goes on and ends with `code`. */
async function expectStop(supplier: KitSupplier, lines: readonly string[], flag: string, words: RegExp, code: number): Promise<void> {
  const file = aFile(lines);
  for (const command of ['validate', 'import']) {
    const stopped = await run([command, file], supplier);
    expect([stopped.code, stopped.stdout]).toEqual([2, '']);
    expect(stopped.stderr).toMatch(words);
    expect(stopped.stderr).toContain(`--allow ${flag}`);
  }
  expect(await isUntouched(supplier)).toBe(true);
  expect((await run(['import', file, '--allow', flag], supplier)).code).toBe(code);
}

describe('what would lose data without a word stops both commands with 2', () => {
  it('a field that is spelt wrong, with the one it may have meant, and how often', async () => {
    const supplier = await aKitSupplier();
    const wrong = (number: string) => aLine(supplier, number, { customers: undefined, customrs: [{ given_name: 'Ada' }] });
    const lines = [aLine(supplier, 'A'), wrong('B'), wrong('C')];
    const words = /"customrs" in 2 of 3 lines \(the first is line 2\) is not a field: did you mean "customers"\?/;
    await expectStop(supplier, lines, 'unknown-fields', words, 0);
  });

  it('a field that is spelt wrong deep inside', async () => {
    const supplier = await aKitSupplier();
    const lines = [aLine(supplier, 'A', { customers: [{ given_name: 'Ada' }, { givenName: 'Grace' }] })];
    await expectStop(supplier, lines, 'unknown-fields', /"customers\.\*\.givenName" in 1 of 1 lines .* did you mean "given_name"\?/, 1);
  });

  it('two different lines of one account, by the numbers of both lines; blank ones count', async () => {
    const supplier = await aKitSupplier();
    const lines = [aLine(supplier, 'A'), '', aLine(supplier, 'B'), aLine(supplier, 'A', { billing_name: 'Other' })];
    await expectStop(supplier, lines, 'duplicates', /lines 1 and 4 are different records of one account/, 0);
    const { stdout } = await run(['import', aFile(lines), '--allow', 'duplicates', '--json'], supplier);
    expect(JSON.parse(stdout)).toMatchObject({ total: 3, failed: 0 });
  });

  it('transactions given for accounts, with the command that sends them', async () => {
    const supplier = await aKitSupplier();
    const lines = [aLine(supplier, 'A'), aLine(supplier, 'B', { customers: undefined, transactions: [{ transaction_id: 'T' }] })];
    const words = /1 of 2 lines \(the first is line 2\) look like transactions, not accounts: send them with "data-import transactions"/;
    await expectStop(supplier, lines, 'wrong-kind', words, 0);
  });

  it('a whole file of notes; single accounts with nothing but notes are accounts', async () => {
    const supplier = await aKitSupplier();
    const noteOnly = (number: string) => aLine(supplier, number, { customers: undefined, notes: [{ body: 'x' }] });
    await expectStop(supplier, [noteOnly('A'), noteOnly('B')], 'wrong-kind', /2 of 2 lines .* look like notes/, 0);
    expect((await run(['validate', aFile([noteOnly('A'), aLine(supplier, 'B')])], supplier)).code).toBe(0);
  });
});

describe('what loses nothing is shown and goes on', () => {
  it('format, suppliers, fields of nobody, lines repeated word for word and lines that are no JSON: on one screen of 80 columns', async () => {
    const supplier = await aKitSupplier();
    const lines = [
      aLine(supplier, 'A', { own: 1 }),
      aLine(supplier, 'A', { own: 1 }),
      aLine({ ...supplier, code: 'OTHER' }, 'B'),
      'no JSON',
    ];
    const file = `${aFolder()}/accounts.ndjson`;
    writeFileSync(file, Buffer.from(`\uFEFF${lines.join('\n')}\n`, 'utf16le'));
    const { lines: screen } = await inTerminal(`data-import validate ${file} --offline --country GB`).ended;
    const shown = screen
      .slice(
        0,
        screen.findIndex((line) => line.includes('%')),
      )
      .join('\n');
    expect(shown).toContain(`${file}: JSON lines, UTF-16; 4 records of suppliers ${supplier.code} (2), OTHER (1)`);
    expect(shown).toContain('Not fields of the service; they are stored as they are sent: own (2)');
    expect(shown).toContain('Repeated word for word, so counted once: 1 line.');
    expect(shown).toContain('No JSON object, so sure to fail: 1 line.');
    expect(screen.length).toBeLessThan(24);
  });

  it('an account that a file repeats is counted once', async () => {
    const supplier = await aKitSupplier();
    const { code, stdout } = await run(['import', aFile([aLine(supplier, 'A'), aLine(supplier, 'A')]), '--json'], supplier);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { total: 2, failed: 0 }]);
    const { imported, already_imported: already, replaced } = JSON.parse(stdout);
    expect(imported + already + replaced).toBe(2);
    expect((await run(['status', supplier.code, '--json'], supplier)).stdout).toContain('"PROCESSED":1');
  });
});

it('--allow takes the names of findings only', async () => {
  const { code, stderr } = await run(['validate', aFile(['{}']), '--offline', '--country', 'GB', '--allow', 'all']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^--allow takes wrong-kind, unknown-fields, duplicates, .*, not "all"\.\n$/)]);
});

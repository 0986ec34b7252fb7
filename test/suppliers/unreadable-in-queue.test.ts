/** A row of a supplier that cannot be read keeps its own processes waiting, and no others. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentsOf } from '../../src/accounts';
import { reducePayloads } from '../../src/import-processes';
import { aDeps } from '../support/deps';
import { aSupplier, type GivenSupplier } from '../support/given';
import { deliver, stage, statusesOf, together } from '../support/importing';
import { aSmallAccount } from '../support/payloads';
import { readValue } from '../support/tables';

const DAY = 86_400_000;

const setConfiguration = (given: GivenSupplier, configuration: string) =>
  env.DB.prepare('UPDATE suppliers SET configuration = ? WHERE id = ?').bind(configuration, given.supplierId).run();

it('the claim of one batch creates the accounts of all others, and its own once it is mended', async () => {
  const [broken, good] = [await aSupplier(), await aSupplier()];
  const staged = [await stage(broken, [aSmallAccount(broken.code, 'b')]), await stage(good, [aSmallAccount(good.code, 'g')])];
  const messages = staged.flatMap((one) => together(one.messages));
  await setConfiguration(broken, '{');
  expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m1'], retried: ['m0'] });
  expect([await statusesOf(good), await statusesOf(broken)]).toEqual([{ g: 'PROCESSED' }, { b: 'PENDING' }]);
  await setConfiguration(broken, '{"default_country":"GB"}');
  expect(await deliver(aDeps(), messages)).toEqual({ acked: ['m0', 'm1'], retried: [] });
  expect(await statusesOf(broken)).toEqual({ b: 'PROCESSED' });
});

it('retention goes on for all others, and by the default where no days are stored', async () => {
  const [broken, good] = [await aSupplier(), await aSupplier()];
  const deps = aDeps();
  for (const given of [broken, good]) {
    await stage(given, [aSmallAccount(given.code, 'c')]);
    await env.DB.prepare('UPDATE import_processes SET status = 4, finished_at = ? WHERE supplier_id = ?')
      .bind(deps.now(), given.supplierId)
      .run();
  }
  await setConfiguration(broken, '{');
  const bodyOf = (given: GivenSupplier) =>
    readValue<string>(
      'body',
      'SELECT y.body FROM payloads y JOIN import_processes p ON p.id = y.id WHERE p.supplier_id = ?',
      given.supplierId,
    );
  const walk = async () => {
    await env.DB.prepare('UPDATE suppliers SET retention_next_at = 0, retention_cursor = 0').run();
    for (let i = 0; i < 5; i++) await reducePayloads(deps, documentsOf);
  };
  deps.advance(89 * DAY);
  await walk();
  expect(await bodyOf(good)).not.toBe('');
  deps.advance(DAY + 1_000);
  await walk();
  expect([await bodyOf(good), await bodyOf(broken)]).toEqual(['', expect.stringContaining(broken.code)]);
});

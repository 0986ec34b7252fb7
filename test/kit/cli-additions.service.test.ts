/** What is added to accounts, in a terminal of 80 columns: the progress line, the summary, moved dates, Ctrl-C. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aFile, linesIn, run } from './cli';
import { aKitSupplier, type KitSupplier } from './given';
import { scripted } from './scripted';
import { inTerminal } from './terminal';

const CTRL_C = '\u0003';
const BAR = /^[█░]{4,20} {2}/;
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));
const today = () => new Date().toISOString().slice(0, 10);
const barsIn = (lines: readonly string[]) => lines.filter((line) => BAR.test(line));
/** Lines of progress that do not fit; the terminal itself shows the key as ^C. */
const tooLong = (lines: readonly string[]) => barsIn(lines).filter((line) => line.replace(/\^C$/, '').length >= 80);

/** A supplier with the imported account A. */
async function withAccount(): Promise<KitSupplier> {
  const supplier = await aKitSupplier();
  const account = { import_supplier: supplier.code, external_account_number: 'A', customers: [{ given_name: 'Ada' }] };
  expect((await run(['import', aFile([JSON.stringify(account)])], supplier)).code).toBe(0);
  return supplier;
}

const bodyFor = ({ code }: { code: string }, number: string, body: object) =>
  JSON.stringify({ import_supplier: code, external_account_number: number, ...body });

const payment = (transaction_id: string, transaction_date: string) => ({
  transactions: [{ transaction_id, transaction_date, amount: 1, type: 'PAYMENT' }],
});

/** How many of each the summary names, below its first line. */
const countsIn = (lines: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, count = '', name = ''] = /^ +([\d,]+) {2}(\S.*)$/.exec(line) ?? [];
      return name === '' || BAR.test(line) ? [] : [[name, Number(count.replaceAll(',', ''))]];
    }),
  );

describe('on a terminal of 80 columns', () => {
  it.each([
    ['notes', (index: number) => ({ notes: [{ body: `note ${index}` }] }), 60, 'NOTE_CREATION_SUCCESS'],
    ['transactions', (index: number) => payment(`T${index}`, today()), 60, 'TRANSACTION_ADDED_TO_ACCOUNT'],
    [
      'statements',
      (index: number) => ({ statements: [{ statement_id: `S${index}`, bill_period_from_date: today(), bill_period_to_date: today() }] }),
      60,
      undefined,
    ],
    ['payment-instructions', () => ({ vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }), 1, undefined],
  ])('%s: the progress fits into a line, and the summary adds up', async (command, body, count, status) => {
    const supplier = await withAccount();
    const good = Array.from({ length: count }, (_, index) => bodyFor(supplier, 'A', body(index)));
    const file = aFile([...good, bodyFor(supplier, 'B', body(0)), bodyFor(supplier, 'C', body(0)), 'no JSON']);
    const { code, lines } = await inTerminal(`data-import ${command} ${file}`, supplier).ended;
    const total = count + 3;
    expect(code).toBe(1);
    expect(barsIn(lines).at(-1)).toMatch(new RegExp(`^█{20} {2}100 % {2}${total}/${total} {2}3 failed$`));
    expect(tooLong(lines)).toEqual([]);
    expect(lines).toContain(`${total} requests of ${command}: ${count} accepted, 3 failed`);
    expect(countsIn(lines)).toEqual({ ...(status ? { [status]: count } : {}), not_found: 2, parse_error: 1 });
    expect(lines).toContain(`The failed ones with their errors are in ${file}.failed.ndjson: put them right and send that file.`);
    expect(linesIn(`${file}.failed.ndjson`)).toHaveLength(3);
  });

  it('moved dates are counted in the summary, and nothing else is', async () => {
    const supplier = await withAccount();
    const dates = ['2001-01-01', today(), '2001-01-02', '2001-01-03', today()];
    const file = aFile(dates.map((date, index) => bodyFor(supplier, 'A', payment(`T${index}`, date))));
    const first = await inTerminal(`data-import transactions ${file}`, supplier).ended;
    expect([first.code, countsIn(first.lines)]).toEqual([
      0,
      { TRANSACTION_ADDED_TO_ACCOUNT: 5, 'dated outside the open statement period and moved into it': 3 },
    ]);
    const again = await inTerminal(`data-import transactions ${file}`, supplier).ended;
    expect([again.code, countsIn(again.lines)]).toEqual([0, { TRANSACTION_ALREADY_EXISTS: 5 }]);
  });

  it('fits into a line while nobody answers, and Ctrl-C ends it at once with nothing left to put right', async () => {
    const { url, asked } = await scripted([
      () => ({ status: 503, headers: { 'Retry-After': '1' }, body: { code: 'service_unavailable' } }),
    ]);
    const given = { url, apiKey: 'sk_live_x', code: 'S' };
    const file = aFile(Array.from({ length: 100_000 }, (_, index) => bodyFor(given, `${index}`, { notes: [{ body: 'x' }] })));
    const terminal = inTerminal(`data-import notes ${file}`, given);
    while (!terminal.lines().some((line) => /0\/100,000 .*trying again/.test(line))) await tick();
    terminal.type(CTRL_C);
    const { code, lines } = await terminal.ended;
    expect([code, asked.length > 0]).toEqual([130, true]);
    expect(tooLong(lines)).toEqual([]);
    expect(lines.at(-1)).toBe('Stopped. The same command goes on where this one ended; nothing is doubled.');
    expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
  });

  it('Ctrl-C in the middle of 8,000 transactions leaves some added; the same command adds the rest and doubles none', async () => {
    const supplier = await withAccount();
    const count = 8_000;
    const file = aFile(Array.from({ length: count }, (_, index) => bodyFor(supplier, 'A', payment(`T${index}`, today()))));
    const terminal = inTerminal(`data-import transactions ${file}`, supplier);
    while (!terminal.lines().some((line) => /[1-9][\d,]*\/8,000 {2}0 failed {2}[\d,]+\/s {2}\d+:\d\d left/.test(line))) await tick();
    terminal.type(CTRL_C);
    const stopped = await terminal.ended;
    expect(stopped.code).toBe(130);
    expect(tooLong(stopped.lines)).toEqual([]);
    expect(stopped.lines.join('\n')).not.toContain('no answer');
    expect(stopped.lines.at(-1)).toContain('nothing is doubled');

    const again = await inTerminal(`data-import transactions ${file}`, supplier).ended;
    const { TRANSACTION_ALREADY_EXISTS: before = 0, TRANSACTION_ADDED_TO_ACCOUNT: after = 0, ...others } = countsIn(again.lines);
    expect([again.code, before + after, others]).toEqual([0, count, {}]);
    expect(before).toBeGreaterThan(0);
    expect(after).toBeGreaterThan(0);
    const third = await inTerminal(`data-import transactions ${file}`, supplier).ended;
    expect(countsIn(third.lines)).toEqual({ TRANSACTION_ALREADY_EXISTS: count });
  });

  it('Ctrl-C says that requests are doubled if they are sent again without a look for what is there', async () => {
    const supplier = await withAccount();
    const file = aFile(Array.from({ length: 2_000 }, (_, index) => bodyFor(supplier, 'A', payment(`T${index}`, today()))));
    const terminal = inTerminal(`data-import transactions ${file} --no-check-previously-added`, supplier);
    while (!terminal.lines().some((line) => /[1-9]\d*\/2,000/.test(line))) await tick();
    terminal.type(CTRL_C);
    const { code, lines } = await terminal.ended;
    expect(code).toBe(130);
    expect(lines.join('\n')).not.toContain('nothing is doubled');
    expect(lines.at(-1)).toBe('Stopped. Run it again without --no-check-previously-added: what was added would be added twice.');
    expect(lines.join('\n')).not.toContain('no answer');

    const again = await inTerminal(`data-import transactions ${file}`, supplier).ended;
    const { TRANSACTION_ALREADY_EXISTS: before = 0, TRANSACTION_ADDED_TO_ACCOUNT: after = 0 } = countsIn(again.lines);
    expect([again.code, before + after, before > 0, after > 0]).toEqual([0, 2_000, true, true]);
  });
});

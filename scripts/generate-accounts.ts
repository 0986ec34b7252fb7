/**
 * Prints varied accounts as NDJSON, the same for the same seed, some of them wrong on purpose; says on stderr which.
 *
 *   npm run --silent generate-accounts -- --accounts 10000 --seed 1 --wrong 2% --supplier DEMO > accounts.ndjson
 *
 * `--prefix` begins the external account numbers (`GEN-<seed>-` by default), `--array` prints one JSON array instead, and
 * `--without-documents` names none, for a supplier whose bucket does not hold those of the demo.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { generatedAccounts } from './demo/accounts.ts';
import { stop } from './local.ts';

const { isArray, ...given } = options();
let number = 0;
let count = 0;
for (const { payload, expected } of generatedAccounts(given)) {
  number++;
  const end = isArray ? (number === given.count ? '\n]' : ',') : '';
  await print(`${isArray && number === 1 ? '[\n' : ''}${JSON.stringify(payload)}${end}\n`);
  if (!expected) continue;
  count++;
  console.error(`wrong: ${payload.external_account_number} ${expected}`);
}
console.error(`${given.count} accounts of ${given.supplier} from seed ${given.seed}, ${count} wrong on purpose`);

function options() {
  const option = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const all = { accounts: option, seed: option, wrong: option, supplier: option, prefix: option, array: flag, 'without-documents': flag };
  const parsed = () => {
    try {
      return parseArgs({ options: all }).values;
    } catch (error) {
      return stop(error instanceof Error ? error.message : String(error));
    }
  };
  const values = parsed();
  const whole = (name: string, text: string) =>
    /^\d{1,9}$/.test(text) ? Number(text) : stop(`--${name} takes a whole number, not "${text}".`);
  const share = values.wrong ?? '2%';
  if (!/^\d{1,3}(\.\d+)?%$/.test(share) || Number.parseFloat(share) > 100) stop(`--wrong takes a share such as 2%, not "${share}".`);
  const seed = whole('seed', values.seed ?? '1');
  return {
    count: whole('accounts', values.accounts ?? '10000'),
    seed,
    wrong: Number.parseFloat(share) / 100,
    supplier: values.supplier ?? 'DEMO',
    prefix: values.prefix ?? `GEN-${seed}-`,
    hasDocuments: values['without-documents'] !== true,
    isArray: values.array === true,
  };
}

async function print(text: string) {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

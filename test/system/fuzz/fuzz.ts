/**
 * Runs inputs one after the other and says what came out; the files `inputs-*.test.ts` share the work between isolates.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { query } from '../../../src/db';
import { beat } from '../../../src/health';
import { anImportedAccount, aSupplier } from '../../support/given';
import { check } from './check';
import { type Ground, inputOf } from './inputs';

/** How many broken inputs are listed before a run gives up. */
const MAX_SHOWN = 5;
/** Inputs that share one account. */
const PER_ACCOUNT = 500;

export function runInputs(part: number, parts: number): void {
  const { seed, inputs } = settings();
  it(`answers ${seed === undefined ? `${inputs} inputs` : `input ${seed}`} as the specification says`, { timeout: 7_200_000 }, async () => {
    const totals = { inputs: 0, consumed: 0, statuses: new Map<number, number>() };
    const broken: string[] = [];
    let ground = await aGround();
    for (let next = seed ?? part + 1; next <= (seed ?? inputs) && broken.length < MAX_SHOWN; next += parts) {
      if (seed !== undefined && part > 0) break;
      const input = await inputOf(next, ground);
      const verdict = await check(input, ground);
      totals.inputs++;
      totals.consumed += verdict.isConsumed ? 1 : 0;
      totals.statuses.set(verdict.status, (totals.statuses.get(verdict.status) ?? 0) + 1);
      if (verdict.broken.length > 0) {
        broken.push(`npm run fuzz -- --seed ${next}\n  ${input.method} ${input.target.slice(0, 200)}\n  ${verdict.broken.join('\n  ')}`);
      }
      if (seed !== undefined) console.log(JSON.stringify(input.headers), input.text ?? input.body?.toString(), verdict);
      if (totals.inputs % PER_ACCOUNT === 0) ground = { ...ground, account: await anImportedAccount(ground.given) };
    }
    const statuses = [...totals.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    console.log(`fuzz: ${totals.inputs} inputs (${statuses.join(', ')}), ${totals.consumed} went on through the queue`);
    expect(broken.join('\n')).toBe('');
  });
}

async function aGround(): Promise<Ground> {
  const given = await aSupplier();
  // A service that sweeps for as long as this runs: /readyz is right to answer 503 otherwise.
  await query(env.DB, beat({ name: 'sweep', at: Date.now() + 86_400_000 }));
  const australian = await aSupplier({ organisationId: given.organisationId, configuration: { default_country: 'AU' } });
  return {
    given,
    australian,
    account: await anImportedAccount(given),
    operatorToken: env.OPERATOR_TOKEN ?? '',
    platformToken: env.PLATFORM_TOKEN ?? '',
  };
}

function settings(): { seed: number | undefined; inputs: number } {
  const values: Record<string, unknown> = { ...env };
  const number = (name: string): number | undefined =>
    typeof values[name] === 'string' && values[name] !== '' ? Number(values[name]) : undefined;
  return { seed: number('FUZZ_SEED'), inputs: number('FUZZ_INPUTS') ?? 2_000 };
}

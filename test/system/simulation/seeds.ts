/**
 * Runs seeds one after the other and says what came out; the files `seeds-*.test.ts` share the work between isolates.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { runSeed } from './history';
import { observe } from './observer';
import { realNow } from './world';

/** How many broken seeds are listed before a run gives up. */
const MAX_SHOWN = 3;

export function runSeeds(part: number, parts: number): void {
  const { seed, seeds, seconds } = settings();
  it(`keeps every promise in the histories of ${seed === undefined ? `up to ${seeds} seeds` : `seed ${seed}`}`, {
    timeout: 3_600_000,
  }, async () => {
    await observe();
    const [started, totals] = [realNow(), { seeds: 0, calls: 0, faults: 0, processes: 0 }];
    const broken: string[] = [];
    const happened = new Map<string, number>();
    const first = seed ?? part + 1;
    for (let next = first; next <= (seed ?? seeds) && broken.length < MAX_SHOWN; next += parts) {
      if (seed !== undefined && part > 0) break;
      if (realNow() - started > seconds * 1_000) break;
      const verdict = await runSeed(next);
      totals.seeds++;
      totals.calls += verdict.calls;
      totals.faults += verdict.faults;
      totals.processes += verdict.processes;
      for (const [what, times] of verdict.happened) happened.set(what, (happened.get(what) ?? 0) + times);
      if (verdict.broken.length > 0) {
        broken.push(`npm run simulate -- --seed ${next}\n  ${verdict.broken.join('\n  ')}`);
        // At once: a long run may be cut short.
        console.log(broken.at(-1));
      }
      if (totals.seeds % 500 === 0) console.log(`simulation: ${totals.seeds} histories so far, ${broken.length} broken`);
      if (seed !== undefined) console.log(verdict.trace.join('\n'));
    }
    const took = ((realNow() - started) / 1_000).toFixed(0);
    console.log(
      `simulation: ${totals.seeds} histories, ${totals.processes} imports, ${totals.calls} steps, ${totals.faults} faults in ${took} s`,
    );
    console.log(
      [...happened]
        .sort()
        .map(([what, times]) => `  ${what}: ${times}`)
        .join('\n'),
    );
    expect(broken.join('\n')).toBe('');
  });
}

function settings(): { seed: number | undefined; seeds: number; seconds: number } {
  const given: Record<string, unknown> = { ...env };
  const number = (name: string): number | undefined =>
    typeof given[name] === 'string' && given[name] !== '' ? Number(given[name]) : undefined;
  return { seed: number('SIMULATION_SEED'), seeds: number('SIMULATION_SEEDS') ?? 1_000_000, seconds: number('SIMULATION_SECONDS') ?? 20 };
}

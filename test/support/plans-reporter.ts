/**
 * Fails a run in which a query reached its tables in another way than `test/db/plans.txt` says; `npm run plans` writes down what
 * the tests sent.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { WORKERS } from './projects';
import { PLANS_FILE, type Plans, plansIn, textOfPlans } from './recorded-plans';

export default class PlansReporter implements Reporter {
  #isUpdate = false;

  onInit(vitest: Vitest): void {
    this.#isUpdate = vitest.config.snapshotOptions.updateSnapshot === 'all';
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.filter(({ project }) => project.name === 'workers');
    const isWhole = ran.length === globSync(WORKERS.include, { exclude: WORKERS.exclude }).length;
    const tests = ran.flatMap((module) => [...module.children.allTests()]);
    const sent = merged(tests.flatMap((test) => Object.entries(test.meta().plans ?? {})));
    const recorded = plansIn(readFileSync(PLANS_FILE, 'utf8'));
    if (this.#isUpdate && sent.size > 0) {
      writeFileSync(PLANS_FILE, textOfPlans(isWhole ? sent : merged([...recorded, ...sent])));
      return;
    }
    const wrong = [
      ...[...sent].flatMap(([name, plans]) =>
        plans.filter((plan) => !recorded.get(name)?.includes(plan)).map((plan) => `${name}: ${plan}`),
      ),
      ...(isWhole ? [...recorded.keys()].filter((name) => !sent.has(name)).map((name) => `${name} is sent by no test`) : []),
    ];
    if (wrong.length === 0) return;
    console.error(`Not as ${PLANS_FILE} says (npm run plans writes down what is sent):\n  ${wrong.join('\n  ')}`);
    process.exitCode = 1;
  }
}

/** All plans of each name. */
const merged = (entries: readonly (readonly [string, readonly string[]])[]): Plans =>
  new Map([...Map.groupBy(entries, ([name]) => name)].map(([name, same]) => [name, [...new Set(same.flatMap(([, plans]) => plans))]]));

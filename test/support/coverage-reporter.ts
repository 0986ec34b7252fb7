/**
 * After a run of all tests inside workerd: fails if the OpenAPI document names an operation or a status that none of them has seen.
 */
import { globSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { WORKERS } from './projects';

export default class CoverageReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = modules.filter(({ project }) => project.name === 'workers');
    const all = globSync(WORKERS.include, { exclude: WORKERS.exclude });
    if (ran.length < all.length) return;
    const seen = new Set(ran.flatMap((module) => [...module.children.allTests()].flatMap((test) => test.meta().answers ?? [])));
    const { paths }: { paths: Record<string, Record<string, { operationId: string; responses: object }>> } = JSON.parse(
      readFileSync('public/openapi.json', 'utf8'),
    );
    const unseen = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`))
      .filter((answer) => !seen.has(answer));
    if (unseen.length === 0) return;
    console.error(`In the OpenAPI document, but seen by no test over HTTP:\n  ${unseen.join('\n  ')}`);
    process.exitCode = 1;
  }
}

/** Tells the reporter of plans how each query that a test sent, for the first time in its file, reaches its tables. */
import { afterEach } from 'vitest';
import { made } from './noted-queries';
import { planOf } from './plan';

declare module 'vitest' {
  interface TaskMeta {
    /** By the names of the queries. */
    plans?: Record<string, string[]>;
  }
}

const planned = new Set<string>();

afterEach(async ({ task }) => {
  const plans: Record<string, string[]> = {};
  for (const [text, name] of made) {
    if (planned.has(text)) continue;
    planned.add(text);
    plans[name] = [...(plans[name] ?? []), await planOf(text)];
  }
  task.meta.plans = plans;
});

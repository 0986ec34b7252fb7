/** What `test/db/plans.txt` says: each query by its name, and a line for each way in which its forms reach their tables. */
export const PLANS_FILE = 'test/db/plans.txt';

/** The plans of each query, by its name. */
export type Plans = ReadonlyMap<string, readonly string[]>;

export const plansIn = (text: string): Plans =>
  new Map(
    text
      .split('\n\n')
      .filter(Boolean)
      .map((block) => {
        const [name = '', ...plans] = block.trimEnd().split('\n');
        return [name, plans.map((plan) => plan.trim())];
      }),
  );

export const textOfPlans = (plans: Plans): string =>
  [...plans]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ways]) => `${[name, ...ways.toSorted().map((way) => `  ${way}`)].join('\n')}\n`)
    .join('\n');

/**
 * What a test needs is said by its name, or by its folder in `test/system`: who needs nothing else runs inside workerd, with D1, R2,
 * Queues and HTTP.
 */
export const PROJECTS = {
  /** Plain Node: pure functions, and the house, which is read as text. */
  rules: ['test/**/*.rules.test.ts', 'test/system/house/**/*.test.ts'],
  /** Plain Node against the whole service over HTTP. */
  service: ['test/**/*.service.test.ts'],
  /** The whole service, and Chromium. */
  browser: ['test/**/*.browser.test.ts'],
  /** A clone of the repository, npm and a shell. */
  'first-minute': ['test/system/first-minute/**/*.test.ts'],
  simulation: ['test/system/simulation/**/*.test.ts'],
  fuzz: ['test/system/fuzz/**/*.test.ts'],
} as const;

/** All other tests. */
export const WORKERS = { include: ['test/**/*.test.ts'], exclude: Object.values(PROJECTS).flat() };

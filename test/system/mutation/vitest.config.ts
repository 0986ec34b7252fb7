import { defineConfig } from 'vitest/config';

// The pure tests alone: what a mutant of a pure file has to get past. The slowest are left out, the properties run short.
export default defineConfig({
  test: {
    include: ['test/**/*.rules.test.ts'],
    exclude: ['test/**/{properties,broken-fields,client-wire,worst-bodies}.rules.test.ts'],
    setupFiles: ['test/system/mutation/short.ts'],
    testTimeout: 60_000,
  },
});

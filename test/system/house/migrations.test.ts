import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/db/migrations';

it('the code asks /readyz for every migration there is', () => {
  const files = readdirSync(join(import.meta.dirname, '../../../migrations')).filter((file) => file.endsWith('.sql'));
  expect(MIGRATIONS).toEqual(files.sort());
});

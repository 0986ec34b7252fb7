import { expect, it } from 'vitest';
import { periodErrors } from '../../src/shared/periods';

const isWrong = (from: string | undefined, to: string | undefined) =>
  periodErrors(() => ['to'], from, to).map(({ path, code }) => `${path.join('.')} ${code}`);

it.each([
  ['2026-01-01', '2026-01-01'],
  ['2026-01-31', '2026-02-01'],
  ['2026-01-31T10:00:00Z', '2026-01-31'],
  ['2026-01-31', '2026-01-31T00:00:00Z'],
  ['2026-01-31T23:59:59.999Z', '2026-01-31'],
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z'],
  ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00Z'],
  ['2026-01-31T10:00:00Z', '2026-01-31T11:30'],
  ['0001-01-01', '9999-12-31'],
  [undefined, '2026-01-31'],
  ['2026-01-31', undefined],
])('a period from %s to %s is one', (from, to) => expect(isWrong(from, to)).toEqual([]));

it.each([
  ['2026-01-02', '2026-01-01'],
  ['2026-10-01', '2026-09-30'],
  ['2026-02-01T00:00:00Z', '2026-01-31'],
  ['2026-02-01', '2026-01-31T23:59:59.999Z'],
  ['2026-01-31T10:00:00.001Z', '2026-01-31T10:00:00Z'],
  ['2026-01-31T09:00:00Z', '2026-01-31T10:00:00+02:00'],
])('a period from %s to %s ends before it starts', (from, to) => expect(isWrong(from, to)).toEqual(['to period_ends_before_it_starts']));

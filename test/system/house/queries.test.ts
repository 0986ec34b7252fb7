import { describe, expect, it } from 'vitest';
import { readSources } from '../../support/source';

describe('a status is written only as the machine says', () => {
  const sources = [...readSources().values()].filter(({ code }) => code.includes('importProcesses'));

  it('statements that update processes stand in their room, and set a status only to where something leads', () => {
    const outside = sources.filter(
      ({ path, code }) => code.includes('update(importProcesses)') && !/^import-processes\/\w+\/store/.test(path),
    );
    expect(outside.map(({ path }) => path)).toEqual([]);
    const set = sources.flatMap(({ text }) => [...text.matchAll(/\.set\(\{\s*status: ([^\n]*)/g)].map(([, value = '']) => value));
    expect(set.length).toBeGreaterThan(6);
    // Rows of outcomes hold what the machine says, too.
    expect(set.filter((value) => !value.includes('statusAfter(') && !value.startsWith('ended.row.status'))).toEqual([]);
  });

  it.each(sources.map(({ path, text }) => [path, text]))('%s asks whether what it writes may happen', (_, text) => {
    const asked = [...text.matchAll(/\bmay\(([^)]*)\)/g)].map(([, happenings]) => happenings).join();
    const led = [...text.matchAll(/status: [^\n]*statusAfter\('(\w+)'/g)].map(([, happening]) => happening);
    expect(led.filter((happening) => !asked.includes(`'${happening}'`))).toEqual([]);
  });
});

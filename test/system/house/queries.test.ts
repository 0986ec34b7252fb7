import { describe, expect, it } from 'vitest';
import { readRoot, readSources } from '../../support/source';

const sampled = readRoot('test/support/queries.ts');

/** Exported functions beside the builders that make no statement of their own, or one that the sample of another sends. */
const NO_BUILDERS = new Set([
  'audit/store#auditValues',
  'audit/store#auditing',
  'audit/store#isAudited',
  'account-state/state#accountStateOf',
  'account-state/state-guard#stateAgain',
  'account-state/state-guard#guardOf',
  'account-state/state-guard#guardOfMany',
  'account-state/state#importedAccountOf',
  'account-state/state-guard#isGuardHeld',
  'account-state/state-guard#isUnchanged',
  'account-state/state#loadAccountState',
  'account-state/state-guard#unchangedAccounts',
  'events/store-recording#recordAdditions',
  'events/store-recording#recordFound',
  'events/store-recording#recordImports',
  'import-processes/claim/store-outcomes#isLostClaim',
  'import-processes/stage/store-known#isUnderUnchanged',
  'import-processes/stage/store-known#lastId',
  'import-processes/stage/store-replacing#stagedRowOf',
  'import-processes/stage/store-replacing#replaceBatch',
  'import-processes/cancel/store#supplierOfCaller',
  'import-processes/sweep/store#isExhausted',
  'import-processes/sweep/store#isMissed',
  'import-processes/retry/store#isNotComplete',
  'import-processes/retry/store#mayStartAgain',
  'account-state/state#runToJoinOf',
  'import-processes/runs/store-errors#countErrorsWhere',
  'import-processes/send/store#due',
  'import-processes/send/store#isDue',
  'import-processes/undo/store#idAfterUndo',
  'import-processes/undo/store#isImported',
  'import-processes/undo/store#isMarkedUndone',
  'import-processes/undo/store#markingUndone',
  'import-processes/undo/store#movingUndone',
  'runs/store-totals#listedNumbers',
  'runs/store-undo#undoKeys',
  'platform/store#wantedIds',
  'tokens/store#isCallerActive',
]);

describe('every statement has its plan asserted', () => {
  const files = [...readSources().values()].filter(
    ({ path, code }) => /\b(?:statement[(<]|(?:prepared(?:Forms)?|inserting)\()/.test(code) && !path.startsWith('db/'),
  );
  it.each(files.map(({ path, text }) => [path, text]))('%s', (path, text) => {
    const names = [...text.matchAll(/^export (?:async )?(?:function (\w+)|const (\w+) = (?:(?:async )?\(|prepared|inserting))/gm)].map(
      ([, fn, arrow]) => `${path.replace(/\.ts$/, '')}#${fn ?? arrow}`,
    );
    expect(names.filter((name) => !NO_BUILDERS.has(name) && !sampled.includes(`'${name}`) && !sampled.includes(`\`${name}`))).toEqual([]);
  });
});

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

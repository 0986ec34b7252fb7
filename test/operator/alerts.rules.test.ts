/** §10: when an operator is to know. */
import { describe, expect, it } from 'vitest';
import { changesOf, conditionsOf, type Measured, nextTry, RULES, summaryOf } from '../../src/operator/alerts/rules';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const WELL: Measured = { stuck: [], errors: [], deadLetters: 0, percentFull: 10, sweptAt: NOW - MINUTE, now: NOW };
const firedBy = (more: Partial<Measured>) => conditionsOf({ ...WELL, ...more }).map(({ rule, supplier }) => [rule, supplier]);

describe('conditionsOf', () => {
  it.each<[string, Partial<Measured>, readonly (readonly [string, string])[]]>([
    ['all is well', {}, []],
    ['one supplier stands still', { stuck: [{ code: 'A', since: NOW - 11 * MINUTE }] }, [['nothing_moves', '']]],
    [
      'hundreds stand still: one alert',
      { stuck: Array.from({ length: 300 }, (_, n) => ({ code: `S${n}`, since: NOW - 11 * MINUTE })) },
      [['nothing_moves', '']],
    ],
    ['20 of 100 are errored', { errors: [{ code: 'A', processed: 80, errored: 20 }] }, [['many_errors', 'A']]],
    ['20 of 101', { errors: [{ code: 'A', processed: 81, errored: 20 }] }, []],
    ['19 of 19: no share yet', { errors: [{ code: 'A', processed: 0, errored: 19 }] }, []],
    [
      'of two suppliers one',
      {
        errors: [
          { code: 'A', processed: 0, errored: 500 },
          { code: 'B', processed: 5_000, errored: 500 },
        ],
      },
      [['many_errors', 'A']],
    ],
    ['a dead letter', { deadLetters: 1 }, [['dead_letters', '']]],
    ['79.9 % full', { percentFull: 79.9 }, []],
    ['80 % full', { percentFull: 80 }, [['database_filling', '']]],
    ['a size nobody knows', { percentFull: undefined }, []],
    ['a sweep not five minutes ago', { sweptAt: NOW - 5 * MINUTE + 1 }, []],
    ['a sweep five minutes ago', { sweptAt: NOW - 5 * MINUTE }, [['sweep_late', '']]],
    ['no sweep ever', { sweptAt: undefined }, [['sweep_late', '']]],
  ])('%s', (_, more, expected) => {
    expect(firedBy(more)).toEqual(expected);
  });

  it('names the supplier that has waited longest, and for how long', () => {
    const [condition] = conditionsOf({
      ...WELL,
      stuck: [
        { code: 'SHORT', since: NOW - 11 * MINUTE },
        { code: 'LONG', since: NOW - 90 * MINUTE },
      ],
    });
    expect(condition?.details).toEqual({ suppliers: 2, longest: 'LONG', minutes: 90 });
  });
});

describe('changesOf', () => {
  const condition = { rule: 'many_errors' as const, supplier: 'A', details: { errored: 20 } };

  it('begins what is new, goes on with what fires, ends what is over, each supplier by itself', () => {
    expect(changesOf([], [condition])).toEqual({ begun: [condition], goingOn: [], ended: [] });
    const firing = { id: 'alr_1', rule: 'many_errors', supplier: 'A' };
    expect(changesOf([firing], [condition])).toEqual({ begun: [], goingOn: [{ ...condition, id: 'alr_1' }], ended: [] });
    expect(changesOf([firing], [])).toEqual({ begun: [], goingOn: [], ended: [firing] });
    expect(changesOf([firing], [{ ...condition, supplier: 'B' }])).toMatchObject({ begun: [{ supplier: 'B' }], ended: [firing] });
  });

  it('ends an alert of a rule that another release had', () => {
    const firing = { id: 'alr_1', rule: 'of_tomorrow', supplier: '' };
    expect(changesOf([firing], []).ended).toEqual([firing]);
    expect(summaryOf('of_tomorrow', '', {})).toBe('of_tomorrow.');
  });
});

it.each(RULES)('%s is described in a sentence that says what was measured', (rule) => {
  const measured = {
    ...WELL,
    deadLetters: 3,
    percentFull: 81,
    sweptAt: NOW - 7 * MINUTE,
    stuck: [{ code: 'A', since: NOW - 12 * MINUTE }],
  };
  const condition = conditionsOf({ ...measured, errors: [{ code: 'A', processed: 0, errored: 30 }] }).find((one) => one.rule === rule);
  const summary = condition && summaryOf(condition.rule, condition.supplier, condition.details);
  expect(summary).toMatch(/\d/);
  expect(summary).not.toContain('?');
});

describe('nextTry', () => {
  it('tries again after 1, 2, 10 and 60 minutes, then every three hours', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempts) => ((nextTry(attempts, NOW, NOW) ?? 0) - NOW) / MINUTE)).toEqual([1, 2, 10, 60, 180, 180]);
  });

  it('gives up after three days', () => {
    expect(nextTry(20, NOW - 71 * 60 * MINUTE, NOW)).toBeUndefined();
    expect(nextTry(20, NOW - 68 * 60 * MINUTE, NOW)).toBeDefined();
  });
});

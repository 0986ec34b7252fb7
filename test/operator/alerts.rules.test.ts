/** §10: when an operator is to know. */
import { describe, expect, it } from 'vitest';
import { changesOf, conditionsOf, type Measured, nextTry, RULES, summaryOf } from '../../src/operator/alerts/rules';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const WELL: Measured = {
  stuck: [],
  recent: [],
  deadLetters: 0,
  disabledWebhooks: { count: 0, organisation: '' },
  percentFull: 10,
  sweptAt: NOW - MINUTE,
  now: NOW,
};
const firedBy = (more: Partial<Measured>) => conditionsOf({ ...WELL, ...more }).map(({ rule, supplier }) => [rule, supplier]);
/** What a supplier sent lately; nothing of it has ended. */
const sent = (code: string, refused: number, accepted: number) => ({ code, processed: 0, errored: 0, refused, accepted });

describe('conditionsOf', () => {
  it.each<[string, Partial<Measured>, readonly (readonly [string, string])[]]>([
    ['all is well', {}, []],
    ['one supplier stands still', { stuck: [{ code: 'A', since: NOW - 11 * MINUTE }] }, [['nothing_moves', '']]],
    [
      'hundreds stand still: one alert',
      { stuck: Array.from({ length: 300 }, (_, n) => ({ code: `S${n}`, since: NOW - 11 * MINUTE })) },
      [['nothing_moves', '']],
    ],
    ['20 of 100 are errored', { recent: [{ code: 'A', processed: 80, errored: 20, refused: 0, accepted: 0 }] }, [['many_errors', 'A']]],
    ['20 of 101', { recent: [{ code: 'A', processed: 81, errored: 20, refused: 0, accepted: 0 }] }, []],
    ['19 of 19: no share yet', { recent: [{ code: 'A', processed: 0, errored: 19, refused: 0, accepted: 0 }] }, []],
    [
      'of two suppliers one',
      {
        recent: [
          { code: 'A', processed: 0, errored: 500, refused: 0, accepted: 0 },
          { code: 'B', processed: 5_000, errored: 500, refused: 0, accepted: 0 },
        ],
      },
      [['many_errors', 'A']],
    ],
    ['20 of 100 are refused', { recent: [sent('A', 20, 80)] }, [['many_refusals', 'A']]],
    ['20 of 101 are refused', { recent: [sent('A', 20, 81)] }, []],
    ['19 of 19 are refused', { recent: [sent('A', 19, 0)] }, []],
    ['20 refused while 81 ended that had been accepted before', { recent: [{ ...sent('A', 20, 0), processed: 81 }] }, []],
    [
      'errors and refusals of one supplier: two alerts',
      { recent: [{ code: 'A', processed: 0, errored: 20, refused: 20, accepted: 0 }] },
      [
        ['many_errors', 'A'],
        ['many_refusals', 'A'],
      ],
    ],
    ['a disabled webhook', { disabledWebhooks: { count: 1, organisation: 'o' } }, [['webhook_disabled', '']]],
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
    disabledWebhooks: { count: 2, organisation: 'o' },
    percentFull: 81,
    sweptAt: NOW - 7 * MINUTE,
    stuck: [{ code: 'A', since: NOW - 12 * MINUTE }],
  };
  const condition = conditionsOf({ ...measured, recent: [{ code: 'A', processed: 0, errored: 30, refused: 30, accepted: 0 }] }).find(
    (one) => one.rule === rule,
  );
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

/** §4.2: billing cycles and the open statement period. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isDate } from '../../src/shared/dates';
import { type BillingCycle, cycleStart, firstOpenDay, openPeriod } from '../../src/transactions';
import { cycleEnd, nearestDay } from '../../src/transactions/period';

const cycle = (cycleMonths: number, cycleStartMonth = 1, cycleStartDay = 1): BillingCycle => ({
  cycleMonths,
  cycleStartMonth,
  cycleStartDay,
});

describe('a billing cycle', () => {
  it.each([
    ['2026-11-20', cycle(1), '2026-11-01', '2026-11-30'],
    ['2026-11-01', cycle(1), '2026-11-01', '2026-11-30'],
    ['2026-11-30', cycle(1), '2026-11-01', '2026-11-30'],
    ['2026-11-20', cycle(1, 1, 28), '2026-10-28', '2026-11-27'],
    ['2026-11-28', cycle(1, 7, 28), '2026-11-28', '2026-12-27'],
    ['2024-02-29', cycle(1), '2024-02-01', '2024-02-29'],
    ['2023-02-15', cycle(1), '2023-02-01', '2023-02-28'],
    ['2024-03-01', cycle(1, 1, 15), '2024-02-15', '2024-03-14'],
    ['2026-11-20', cycle(3), '2026-10-01', '2026-12-31'],
    ['2026-11-20', cycle(3, 2), '2026-11-01', '2027-01-31'],
    ['2026-10-31', cycle(3, 2), '2026-08-01', '2026-10-31'],
    ['2026-01-14', cycle(3, 1, 15), '2025-10-15', '2026-01-14'],
    ['2026-11-20', cycle(6, 4), '2026-10-01', '2027-03-31'],
    ['2026-11-20', cycle(5), '2026-09-01', '2027-01-31'],
    ['1999-12-31', cycle(1), '1999-12-01', '1999-12-31'],
    ['2000-06-01', cycle(3, 12, 28), '2000-03-28', '2000-06-27'],
    ['1999-06-01', cycle(24), '1998-01-01', '1999-12-31'],
    ['0001-01-01', cycle(1, 1, 2), '0001-01-01', '0001-01-01'],
    ['9999-12-31', cycle(1, 1, 2), '9999-12-02', '9999-12-31'],
    ['2026-11-20', cycle(1_000_000), '2000-01-01', '9999-12-31'],
    ['1999-11-20', cycle(1_000_000), '0001-01-01', '1999-12-31'],
  ])('that holds %s is %o from %s to %s', (date, of, from, to) => {
    expect([cycleStart(date, of), cycleEnd(date, of)]).toEqual([from, to]);
  });
});

describe('the first open day', () => {
  const dates = { lastBilledTo: undefined, newestBillPeriodTo: undefined, createdOn: '2026-11-20' };
  it.each([
    ['is the day after it was last billed to', { ...dates, lastBilledTo: '2024-02-28', newestBillPeriodTo: '2025-01-31' }, '2024-02-29'],
    ['else the day after its newest statement', { ...dates, newestBillPeriodTo: '2025-12-31' }, '2026-01-01'],
    ['else the first day of the cycle it was created in', dates, '2026-10-01'],
    ['never lies past the calendar', { ...dates, lastBilledTo: '9999-12-31' }, '9999-12-31'],
  ])('%s', (_, account, expected) => {
    expect(firstOpenDay(account, cycle(3))).toBe(expected);
  });
});

describe('the open period', () => {
  it.each([
    ['to the end of the cycle that holds today', '2026-01-15', '2026-11-20', '2026-11-30'],
    ['to the end of the cycle of its first day, where that is still to come', '2027-02-10', '2026-11-20', '2027-02-28'],
    ['of one day at least', '2026-11-30', '2026-11-30', '2026-11-30'],
  ])('reaches %s', (_, periodFrom, today, to) => {
    expect(openPeriod({ periodFrom, ...cycle(1) }, today)).toEqual({ from: periodFrom, to });
  });
});

const aDate = fc
  .oneof(
    fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2060-12-31') }),
    fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') }),
  )
  .map((instant) => new Date(instant).toISOString().slice(0, 10));
const aLeapDay = fc
  .integer({ min: 490, max: 520 })
  .map((year) => `${year * 4}-02-29`)
  .filter(isDate);
const anyDate = fc.oneof(aDate, aLeapDay);
const aCycle = fc.record({
  cycleMonths: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 1_000_000 })),
  cycleStartMonth: fc.integer({ min: 1, max: 12 }),
  cycleStartDay: fc.integer({ min: 1, max: 28 }),
});

describe('whatever the dates and the cycle', () => {
  it('a cycle holds its date, begins and ends in the calendar, and is the cycle of its own first and last day', () => {
    fc.assert(
      fc.property(anyDate, aCycle, (date, of) => {
        const [from, to] = [cycleStart(date, of), cycleEnd(date, of)];
        expect([isDate(from), isDate(to), from <= date, date <= to]).toEqual([true, true, true, true]);
        expect([cycleStart(from, of), cycleEnd(from, of), cycleStart(to, of), cycleEnd(to, of)]).toEqual([from, to, from, to]);
      }),
    );
  });

  it('cycles follow each other without gap or overlap', () => {
    fc.assert(
      fc.property(anyDate, aCycle, (date, of) => {
        const to = cycleEnd(date, of);
        if (to !== '9999-12-31') expect(cycleStart(addDays(to, 1), of)).toBe(addDays(to, 1));
      }),
    );
  });

  it('a cycle begins on its day of the month, a whole number of cycles from its start in 2000', () => {
    fc.assert(
      fc.property(anyDate, aCycle, (date, of) => {
        const from = cycleStart(date, of);
        if (from === '0001-01-01') return;
        const [year = 0, month = 0, day] = from.split('-').map(Number);
        expect(day).toBe(of.cycleStartDay);
        expect(Math.abs(((year - 2000) * 12 + month - of.cycleStartMonth) % of.cycleMonths)).toBe(0);
      }),
    );
  });

  it('the open period is never empty, and holds today unless it begins later', () => {
    fc.assert(
      fc.property(anyDate, anyDate, aCycle, (periodFrom, today, of) => {
        const { from, to } = openPeriod({ periodFrom, ...of }, today);
        expect([from, isDate(to), from <= to]).toEqual([periodFrom, true, true]);
        if (today >= from) expect(today <= to).toBe(true);
      }),
    );
  });

  it('a moved date always lies inside, at the nearest end, and a date inside never moves', () => {
    fc.assert(
      fc.property(anyDate, anyDate, anyDate, aCycle, (date, periodFrom, today, of) => {
        const period = openPeriod({ periodFrom, ...of }, today);
        const moved = nearestDay(date, period);
        expect(period.from <= moved && moved <= period.to).toBe(true);
        expect(moved).toBe(date < period.from ? period.from : date > period.to ? period.to : date);
      }),
    );
  });

  it('a new account has an open period that begins after what was billed', () => {
    fc.assert(
      fc.property(
        fc.option(anyDate, { nil: undefined }),
        fc.option(anyDate, { nil: undefined }),
        anyDate,
        aCycle,
        (billed, statement, created, of) => {
          const from = firstOpenDay({ lastBilledTo: billed, newestBillPeriodTo: statement, createdOn: created }, of);
          const before = billed ?? statement;
          expect(isDate(from)).toBe(true);
          if (before === undefined) expect(from <= created).toBe(true);
          else expect(from === '9999-12-31' || from > before).toBe(true);
        },
      ),
    );
  });
});

/** Dates at a place on earth. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf } from '../../src/shared/dates';
import { dateIn } from '../../src/shared/time-zones';

describe('the date of an instant in a time zone', () => {
  it.each([
    ['2026-11-30T12:59:59.999Z', 'Australia/Sydney', '2026-11-30'],
    ['2026-11-30T13:00:00.000Z', 'Australia/Sydney', '2026-12-01'],
    // An hour later while it is winter there: the clocks go back on the first Sunday of April.
    ['2026-06-30T13:59:59.999Z', 'Australia/Sydney', '2026-06-30'],
    ['2026-06-30T14:00:00.000Z', 'Australia/Sydney', '2026-07-01'],
    ['2026-04-04T12:59:59.999Z', 'Australia/Sydney', '2026-04-04'],
    ['2026-04-05T13:59:59.999Z', 'Australia/Sydney', '2026-04-05'],
    ['2026-03-28T23:59:59.999Z', 'Europe/London', '2026-03-28'],
    ['2026-03-29T22:59:59.999Z', 'Europe/London', '2026-03-29'],
    ['2026-03-29T23:00:00.000Z', 'Europe/London', '2026-03-30'],
    ['2027-01-01T07:59:59.999Z', 'America/Los_Angeles', '2026-12-31'],
    ['2027-01-01T08:00:00.000Z', 'America/Los_Angeles', '2027-01-01'],
    ['2026-12-31T18:14:59.999Z', 'Asia/Kathmandu', '2026-12-31'],
    ['2026-12-31T18:15:00.000Z', 'Asia/Kathmandu', '2027-01-01'],
    ['2026-12-31T10:00:00.000Z', 'Pacific/Kiritimati', '2027-01-01'],
    ['2026-12-31T23:59:59.999Z', 'UTC', '2026-12-31'],
    ['2027-01-01T00:00:00.000Z', 'Etc/UTC', '2027-01-01'],
  ])('%s in %s is %s', (instant, timeZone, date) => {
    expect(dateIn(Date.parse(instant), timeZone)).toBe(date);
  });

  const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') });
  const zone = fc.constantFrom('Australia/Sydney', 'Europe/London', 'America/St_Johns', 'Pacific/Auckland', 'Asia/Tokyo', 'UTC');

  it('is that of UTC or the day before or after, and never goes back while time goes on', () => {
    fc.assert(
      fc.property(instant, zone, fc.nat(86_400_000), (at, timeZone, later) => {
        const days = [-86_400_000, 0, 86_400_000].map((difference) => dateOf(at + difference));
        expect(days).toContain(dateIn(at, timeZone));
        expect(dateIn(at + later, timeZone) >= dateIn(at, timeZone)).toBe(true);
      }),
    );
  });

  it('is none in a zone that does not exist', () => {
    expect(() => dateIn(0, 'Mars/Olympus')).toThrow('no such time zone');
  });
});

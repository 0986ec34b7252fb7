/**
 * Billing cycles, and the statement period of an account that is open (§4.2). Dates are `YYYY-MM-DD`; today is that of the supplier's time zone. Pure.
 */
import { addDays } from '../shared/dates';

/** Cycles of `cycleMonths`, counted from `cycleStartMonth` (1–12) and `cycleStartDay` (1–28) of 2000, both ways. */
export interface BillingCycle {
  readonly cycleMonths: number;
  readonly cycleStartMonth: number;
  readonly cycleStartDay: number;
}

/** A span of days, both ends included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const [FIRST_DATE, LAST_DATE] = ['0001-01-01', '9999-12-31'];

/** The first day of the cycle that holds the date. */
export const cycleStart = (date: string, cycle: BillingCycle): string => startOf(cycleNumber(date, cycle), cycle);

/** The last day of the cycle that holds the date. */
export function cycleEnd(date: string, cycle: BillingCycle): string {
  const next = startOf(cycleNumber(date, cycle) + 1, cycle);
  return next === LAST_DATE ? LAST_DATE : addDays(next, -1);
}

/**
 * The first day of a new account's open period: the day after it was last billed to, else after its newest statement's
 * period, else the first day of the cycle that holds its creation date.
 */
export function firstOpenDay(
  account: { readonly lastBilledTo: string | undefined; readonly newestBillPeriodTo: string | undefined; readonly createdOn: string },
  cycle: BillingCycle,
): string {
  const billedTo = account.lastBilledTo ?? account.newestBillPeriodTo;
  if (billedTo === undefined) return cycleStart(account.createdOn, cycle);
  return billedTo >= LAST_DATE ? LAST_DATE : addDays(billedTo, 1);
}

/** The open period: to the end of the cycle that holds the later of today and its own first day, so it is never empty. */
export function openPeriod(account: BillingCycle & { readonly periodFrom: string }, today: string): Period {
  const from = account.periodFrom;
  return { from, to: cycleEnd(today > from ? today : from, account) };
}

/** The day of the period that is nearest to the date: the date itself where it lies inside. */
export const nearestDay = (date: string, { from, to }: Period): string => (date < from ? from : date > to ? to : date);

function cycleNumber(date: string, cycle: BillingCycle): number {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))];
  const months = (year - 2000) * 12 + month - cycle.cycleStartMonth - (day < cycle.cycleStartDay ? 1 : 0);
  return Math.floor(months / cycle.cycleMonths);
}

/** The first day of a cycle, within the dates there are. */
function startOf(number: number, cycle: BillingCycle): string {
  const months = number * cycle.cycleMonths + cycle.cycleStartMonth - 1;
  const year = 2000 + Math.floor(months / 12);
  if (year < 1) return FIRST_DATE;
  if (year > 9999) return LAST_DATE;
  const month = months - (year - 2000) * 12 + 1;
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(cycle.cycleStartDay)}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

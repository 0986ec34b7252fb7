/**
 * What a change makes of a run. A hold, a canary and a pace are one watermark: the id up to which processes may start. Pure.
 */

import type * as z from 'zod';
import type { Draft } from '../shared/parse';
import type { runBody } from './schema';

export type HeldReason = 'importer' | 'errors' | 'cancelled' | 'undone';

/** What of a run a change may change. */
export interface RunState {
  /** Null while the run is not held. */
  readonly heldReason: HeldReason | null;
  /** Processes up to this id may start; {@link ALL}: whatever comes. */
  readonly releasedTo: number;
  /** Null: all at once. */
  readonly pacePerMinute: number | null;
  readonly stopAfterErrors: number | null;
  /** ERRORED since the last release. */
  readonly errors: number;
  /** JSON of the declared totals; null if there are none. */
  readonly expected: string | null;
}

export const ALL = Number.MAX_SAFE_INTEGER;

/** A run that nothing was said of: what joins it starts at once. */
export const NEW_RUN: RunState = {
  heldReason: null,
  releasedTo: ALL,
  pacePerMinute: null,
  stopAfterErrors: null,
  errors: 0,
  expected: null,
};

/** Nothing starts any more that has not started. */
export const held = (run: RunState, heldReason: HeldReason): RunState => ({ ...run, heldReason, releasedTo: 0 });

/** All may start: at once, or as the pace lets them. Errors are counted anew. */
export const released = (run: RunState): RunState => ({
  ...run,
  heldReason: null,
  errors: 0,
  releasedTo: run.pacePerMinute === null ? ALL : run.releasedTo,
});

/** A held run up to that process; one that is not held lets them start anyway. Errors are counted anew. */
export const releasedUpTo = (run: RunState, id: number): RunState =>
  run.heldReason === null ? run : { ...run, heldReason: 'importer', errors: 0, releasedTo: Math.max(run.releasedTo, id) };

/** `expected` is JSON of what the body declares. */
export function changed(run: RunState, body: Draft<z.output<typeof runBody>>, expected: string | null | undefined): RunState {
  const paced = withPace(run, body.pace_per_minute);
  const stopAfterErrors = givenOr(body.stop_after_errors, run.stopAfterErrors);
  const next = { ...paced, stopAfterErrors, expected: expected === undefined ? run.expected : expected };
  const opened = body.is_held === false && next.heldReason !== null ? released(next) : next;
  const isStopped = stopAfterErrors !== null && opened.errors >= stopAfterErrors;
  if (opened.heldReason === null && isStopped) return held(opened, 'errors');
  // What is held already keeps its canary.
  return body.is_held === true && opened.heldReason === null ? held(opened, 'importer') : opened;
}

function withPace(run: RunState, pace: number | undefined): RunState {
  const pacePerMinute = givenOr(pace, run.pacePerMinute);
  if (run.heldReason !== null || pacePerMinute === run.pacePerMinute) return { ...run, pacePerMinute };
  if (pacePerMinute === null) return { ...run, pacePerMinute, releasedTo: ALL };
  return { ...run, pacePerMinute, releasedTo: run.releasedTo === ALL ? 0 : run.releasedTo };
}

/** `0` takes a limit away; what is not given stays. */
const givenOr = (given: number | undefined, stored: number | null): number | null =>
  given === undefined ? stored : given === 0 ? null : given;

const FIELDS = ['heldReason', 'releasedTo', 'pacePerMinute', 'stopAfterErrors', 'errors', 'expected'] as const;

export const isSameState = (a: RunState, b: RunState): boolean => FIELDS.every((field) => a[field] === b[field]);

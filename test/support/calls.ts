/**
 * Counts work without a clock: how many functions are called, of the service and of what it is made of. The same for the same input on any
 * machine, once each function has run before. For plain Node.
 */
import { type Profiler, Session } from 'node:inspector';

const COUNTED = /\/src\/|\/node_modules\/(?:zod|libphonenumber-js)\//;

/** Calls made by `work`, at its second run. */
export function callsOf(work: () => unknown): number {
  work();
  const session = new Session();
  session.connect();
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    work();
    let calls = 0;
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      calls = result.filter(({ url }) => COUNTED.test(url)).reduce((sum, script) => sum + callsIn(script), 0);
    });
    return calls;
  } finally {
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

const callsIn = ({ functions }: Profiler.ScriptCoverage): number =>
  functions.reduce((sum, { ranges }) => sum + ranges.reduce((inner, { count }) => inner + count, 0), 0);

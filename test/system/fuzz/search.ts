/** `npm run fuzz -- --worst`: searches for the given time and prints the worst bodies it found. Milliseconds are of CPU, on this machine. */
import { ANSWERED, type Answered } from './answers';
import { bytesOut, type Found, LEAST_BYTES, type Measure, searchWorst } from './worst';

const SHOWN = 240;
const LARGE_BYTES = 200_000;

/** The CPU of the cheaper of two runs, in microseconds: the first may have compiled something. */
const microseconds: Measure = (text, { answer }) => {
  const once = (): number => {
    const before = process.cpuUsage();
    answer(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  return Math.min(once(), once());
};

export function search({ seconds, seed }: { seconds: number; seed: number }): void {
  const measures: readonly (readonly [what: string, measure: Measure, leastBytes: number])[] = [
    ['bytes out', bytesOut, LEAST_BYTES],
    ['CPU', microseconds, LEAST_BYTES],
    ['CPU of a large body', microseconds, LARGE_BYTES],
  ];
  for (const [what, measure, leastBytes] of measures) {
    for (const answered of ANSWERED) {
      const until = Date.now() + (1_000 * seconds * (answered.name === 'account' ? 2 : 1)) / (measures.length * (ANSWERED.length + 1));
      let tried = 0;
      const goesOn = (tries: number): boolean => {
        tried = tries;
        return Date.now() < until;
      };
      print(what, answered, searchWorst(answered, measure, { seed, known: answered.known, leastBytes, goesOn }), tried);
    }
  }
}

function print(what: string, answered: Answered, { text, bytes }: Found, tries: number): void {
  const out = bytesOut(text, answered);
  const milliseconds = microseconds(text, answered) / 1_000;
  console.log(
    `${what}, ${answered.name}, ${tries} tries: ${bytes} bytes in, ${out} out (${(out / bytes).toFixed(1)} for one), ` +
      `${milliseconds.toFixed(1)} ms (${((1_024 * milliseconds) / bytes).toFixed(2)} for a KiB)`,
  );
  console.log(`  ${text.length > SHOWN ? `${text.slice(0, SHOWN)} … ${text.slice(-40)}` : text}`);
}

/** What an import says at its end, to a person or as JSON. */
import { number } from './progress';

export interface Summary {
  readonly file: string;
  readonly total: number;
  readonly scheduled: number;
  readonly imported: number;
  readonly already: number;
  readonly dryRuns: number;
  readonly replaced: number;
  readonly failed: number;
  /** Options that the failed file needs as well. */
  readonly again: readonly string[];
  /** The files that hold the failed records: the one to send, then options that name what goes with it. */
  readonly written: readonly string[];
  readonly receipt: string | undefined;
  readonly codes: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly refused: number;
  readonly errored: number;
  readonly cancelled: number;
  /** They joined a run: the last line says how it adds up. */
  readonly isRun: boolean;
  readonly isJson: boolean;
  readonly isToWait: boolean;
}

export function printSummary(summary: Summary): void {
  process.stdout.write(
    summary.isJson
      ? `${JSON.stringify(jsonOf(summary))}\n`
      : wordsOf(summary)
          .map((line) => `${line}\n`)
          .join(''),
  );
}

function jsonOf({ file, total, scheduled, imported, already, dryRuns, replaced, failed, written, receipt, codes, seconds }: Summary) {
  return {
    ...{ file, total, scheduled, imported, already_imported: already, dry_run_succeeded: dryRuns, replaced, failed },
    failed_file: written[0] ?? null,
    receipt: receipt ?? null,
    codes,
    seconds,
  };
}

function wordsOf({
  total,
  scheduled,
  imported,
  already,
  dryRuns,
  replaced,
  failed,
  written,
  again,
  receipt,
  codes,
  ...more
}: Summary): string[] {
  const parts = [
    more.isToWait ? `${number(imported)} imported` : `${number(scheduled)} scheduled`,
    `${number(already)} had been before`,
    ...(dryRuns ? [`${number(dryRuns)} dry runs succeeded`] : []),
    ...(replaced ? [`${number(replaced)} replaced by a later line`] : []),
    `${number(failed)} failed`,
  ];
  return [
    `${number(total)} accounts: ${parts.join(', ')}, in ${more.seconds} s`,
    ...Object.entries(codes).map(([code, count]) => `${number(count).padStart(9)}  ${code}`),
    ...(receipt === undefined ? [] : [`The account numbers are in ${receipt}.`]),
    ...sendAgain(written, again),
    ...(more.isRun ? [sumOf({ total, imported, already, dryRuns, replaced, ...more })] : []),
  ];
}

/** What to do with the failed file, where there is one; `again` are options that it needs as well. */
export function sendAgain([main, ...sheets]: readonly string[], again: readonly string[]): string[] {
  if (main === undefined) return [];
  return [
    `The failed ones with their errors are in ${main}. Put them right and run:`,
    `  data-import import ${[main, ...again.map(quoted), ...sheets].join(' ')}`,
  ];
}

type Parts = Pick<Summary, 'total' | 'imported' | 'already' | 'dryRuns' | 'replaced' | 'refused' | 'errored' | 'cancelled'>;

/** One line that adds up. */
function sumOf({ total, imported, already, dryRuns, replaced, refused, errored, cancelled }: Parts): string {
  const ended = imported + already + dryRuns + replaced + refused + errored + cancelled;
  const parts = [
    `${number(imported)} imported`,
    `${number(already)} had been before`,
    ...(dryRuns ? [`${number(dryRuns)} dry runs succeeded`] : []),
    ...(replaced ? [`${number(replaced)} replaced`] : []),
    `${number(refused)} refused`,
    `${number(errored)} errored`,
    `${number(cancelled)} cancelled`,
    `${number(total - ended)} waiting`,
  ];
  return `${number(total)} sent = ${parts.join(' + ')}`;
}

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `"${word}"`);

/** How many of each, the most frequent first. */
export function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

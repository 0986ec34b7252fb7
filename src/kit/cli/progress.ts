/** A bar on a terminal, plain lines anywhere else. On stderr: stdout belongs to results. */
const WIDTH = 20;
const DRAW_MILLISECONDS = 100;
const TELL_MILLISECONDS = 5_000;
/** What the speed is measured over: an estimate from the whole run would grow for as long as nothing moves. */
const RECENT_MILLISECONDS = 15_000;
const COLUMNS = 80;

export interface Shown {
  /** Records that need nothing more, of all; one that is half done may count as a half. */
  readonly finished: number;
  readonly total: number;
  /** Records that have ended, well or not, where that is not `finished`. */
  readonly done?: number;
  readonly failed: number;
  /** Counts by name, for the lines of a log. */
  readonly counts?: Readonly<Record<string, number>>;
  /** What is waited for, in the place of speed and time left. */
  readonly notice?: string | undefined;
}

export class Progress {
  readonly #show: () => Shown;
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #isSilent: boolean;
  readonly #timer: NodeJS.Timeout;
  #moments: { readonly at: number; readonly finished: number }[] = [{ at: Date.now(), finished: 0 }];
  #last = '';
  #isAway = false;

  /** `isSilent` for machines: nothing but on a terminal. */
  constructor(show: () => Shown, isSilent = false) {
    this.#show = show;
    this.#isSilent = isSilent && !this.#isTerminal;
    this.#timer = setInterval(() => this.#draw(), this.#isTerminal ? DRAW_MILLISECONDS : TELL_MILLISECONDS);
    this.#timer.unref();
  }

  /** A line of its own above the bar. */
  say(sentence: string): void {
    if (this.#isSilent) return;
    this.#clear();
    process.stderr.write(`${sentence}\n`);
  }

  /** A line of the results, which belong to stdout. */
  print(line: string): void {
    this.#clear();
    process.stdout.write(`${line}\n`);
  }

  /** Nothing is drawn while a person is asked something. */
  async away<Answer>(asking: () => Promise<Answer>): Promise<Answer> {
    this.#clear();
    this.#isAway = true;
    try {
      return await asking();
    } finally {
      this.#isAway = false;
    }
  }

  #clear(): void {
    if (this.#isTerminal) process.stderr.write('\r\u001B[K');
    this.#last = '';
  }

  end(): void {
    clearInterval(this.#timer);
    this.#draw();
    if (this.#isTerminal) process.stderr.write('\n');
  }

  #draw(): void {
    if (this.#isAway) return;
    const shown = this.#show();
    const line = this.#isTerminal ? barOf(shown, this.#rate(shown), process.stderr.columns || COLUMNS) : lineOf(shown, this.#rate(shown));
    if (this.#isSilent || line === this.#last) return;
    this.#last = line;
    process.stderr.write(this.#isTerminal ? `\r\u001B[K${line}` : `${line}\n`);
  }

  /** Records a second, lately. */
  #rate({ finished }: Shown): number {
    const now = Date.now();
    this.#moments.push({ at: now, finished });
    // The newest one that is old enough stays, so that there always is one to measure from.
    const recent = this.#moments.findIndex(({ at }) => now - at < RECENT_MILLISECONDS);
    if (recent > 1) this.#moments = this.#moments.slice(recent - 1);
    const first = this.#moments[0];
    return first && now > first.at ? ((finished - first.finished) * 1_000) / (now - first.at) : 0;
  }
}

/** The line of a terminal, within its columns: the bar shrinks first. Pure. */
export function barOf(shown: Shown, rate: number, columns: number): string {
  const words = wordsOf(shown, rate).join('  ');
  const width = Math.min(WIDTH, columns - 1 - words.length - 2);
  if (width < 4) return words.slice(0, columns - 1);
  const filled = Math.round(shareOf(shown) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${words}`;
}

/** The line of a log. Pure. */
export function lineOf(shown: Shown, rate: number): string {
  return [...wordsOf(shown, rate), ...Object.entries(shown.counts ?? {}).map(([name, count]) => `${name} ${number(count)}`)].join('  ');
}

function wordsOf(shown: Shown, rate: number): string[] {
  const { finished, total, done = finished, failed, notice } = shown;
  const counted = [
    `${String(Math.floor(shareOf(shown) * 100)).padStart(3)} %`,
    `${number(Math.floor(done))}/${number(total)}`,
    `${number(failed)} failed`,
  ];
  if (notice !== undefined) return [...counted, notice];
  if (finished >= total) return counted;
  return [...counted, `${number(Math.round(rate))}/s`, `${rate > 0 ? clock((total - finished) / rate) : '--:--'} left`];
}

const shareOf = ({ finished, total }: Shown): number => (total === 0 ? 1 : Math.min(1, finished / total));

export const number = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 line`, `2,000 lines`. */
export const counted = (count: number, unit: string): string => `${number(count)} ${unit}${count === 1 ? '' : 's'}`;

/** `0:42`, `1:00:05`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

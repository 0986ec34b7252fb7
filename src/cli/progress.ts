/** A bar on a terminal, plain lines anywhere else. On stderr: stdout belongs to results. */
const WIDTH = 20;
const DRAW_MILLISECONDS = 100;
const TELL_MILLISECONDS = 5_000;

export interface Shown {
  /** Records that need nothing more, of all; one that is half done may count as a half. */
  readonly finished: number;
  readonly total: number;
  /** Counts by name, in the order in which they are shown. */
  readonly counts: Readonly<Record<string, number>>;
}

export class Progress {
  readonly #show: () => Shown;
  readonly #isTerminal = process.stderr.isTTY === true;
  readonly #isSilent: boolean;
  readonly #started = Date.now();
  readonly #timer: NodeJS.Timeout;
  #last = '';

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
    const line = lineOf(this.#show(), (Date.now() - this.#started) / 1_000, this.#isTerminal);
    if (this.#isSilent || line === this.#last) return;
    this.#last = line;
    process.stderr.write(this.#isTerminal ? `\r\u001B[K${line.slice(0, (process.stderr.columns ?? 120) - 1)}` : `${line}\n`);
  }
}

/** One line; pure. */
export function lineOf({ finished, total, counts }: Shown, seconds: number, hasBar: boolean): string {
  const share = total === 0 ? 1 : Math.min(1, finished / total);
  const filled = Math.round(share * WIDTH);
  const rate = seconds > 0 ? finished / seconds : 0;
  const left = finished >= total ? '' : `  left ${rate > 0 ? clock((total - finished) / rate) : '--:--'}`;
  const told = Object.entries(counts).map(([name, count]) => `${name} ${number(count)}`);
  return [
    ...(hasBar ? [`${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`] : []),
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    ...told,
    `${number(Math.round(rate))}/s${left}`,
  ].join('  ');
}

export const number = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

import type { Answered } from './answers';

/** Bytes that are checked, and characters that are answered, before other requests get their turn: each some tens of milliseconds. */
const TURN_BYTES = 400_000;
const TURN_CHARACTERS = 2_000_000;

/** Lets other requests have their turn while the lines of a slice are worked on. */
export class Turns {
  readonly #answered: Answered;
  #bytes = 0;
  #characters: number;

  constructor(answered: Answered) {
    this.#answered = answered;
    this.#characters = answered.characters;
  }

  /** Before a line of so many bytes. */
  async take(bytes: number): Promise<void> {
    this.#bytes += bytes;
    const characters = this.#answered.characters - this.#characters;
    if (this.#bytes / TURN_BYTES + characters / TURN_CHARACTERS <= 1) return;
    await new Promise((resume) => setTimeout(resume, 0));
    [this.#bytes, this.#characters] = [0, this.#answered.characters];
  }
}

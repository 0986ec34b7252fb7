/**
 * What the lines of a bulk request add, and how each is answered.
 */
import type { Refusal } from './add';
import type { Adding, Addition } from './request';

/** How a line is answered: as the single endpoint answers its request. */
export interface LineAnswer {
  /** Of HTTP. */
  readonly status: number;
  readonly body: unknown;
}

/** What a bulk request adds, and how its lines are answered. */
export interface AddsInBulk<Body, Write, Written, Outcome> {
  readonly read: (raw: unknown) => Addition<Body, Write, Written, Outcome>;
  readonly adding: Adding<Write, Written>;
  readonly answers: {
    readonly outcome: (outcome: Refusal | Outcome, raw: unknown) => LineAnswer;
    readonly tooLarge: LineAnswer;
    readonly malformed: (detail: string) => LineAnswer;
    readonly tooManyLines: LineAnswer;
    /** Our own failure: the line is to be sent again. */
    readonly failed: LineAnswer;
  };
}

export const lineText = (line: number, { status, body }: LineAnswer): string => `${JSON.stringify({ line, status, body })}\n`;

/** Words that the bulk endpoints share. */
import { one } from './words';

const BROKEN = { detail: 'The body ended in the middle, or is not what its Content-Encoding says.', code: 'parse_error' };
export const BULK_ANSWERED = { description: 'One line for each, and one that says it is whole.' };
export const BULK_REFUSED =
  'A query parameter is not valid, or the body ended in the middle or is broken gzip before anything was answered.';
export const BROKEN_GZIP = { summary: 'Broken gzip', value: BROKEN };

/** Words for adding to many accounts. @param what is added, in the plural */
export const addsInBulk = (what: string) =>
  ({
    tag: 'Account data',
    summary: `Add ${what} to many accounts`,
    description: `Ours, beyond the specification: NDJSON, one request a line as for adding ${what} to one account; up to 10,000 lines that are not blank, 64 MiB and 1 MiB a line, gzip or not. Answers are streamed, one line each, in order, with the status and body that the request has alone; lines are answered as if they had come one after the other, and a bad line never stops the rest. The last line says that the answer is whole: without it, send again what has no answer, and nothing is doubled. It is missing, too, after line 10,001, which is 400 with \`max_length\`: the lines behind that one are not looked at.`,
    answers: { 200: BULK_ANSWERED, 400: { description: BULK_REFUSED, examples: one(BROKEN_GZIP.summary, BROKEN_GZIP.value) } },
  }) as const;

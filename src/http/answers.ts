/**
 * The bodies of answers that every room has (§2.9, §7.2). Every answer that the conformance tests see is checked against the shapes of `answers.ts` here and in
 * the rooms. They are for the reference and the client's types; nothing of them is in the Worker.
 */
import * as z from 'zod';

export const text = (description: string) => z.string().meta({ description });
export const instant = (description: string) => z.string().meta({ format: 'date-time', description });
export const moment = z.string().meta({ format: 'date-time' });

export const problem = z.object({
  detail: text('For a person. The wording may change: do not parse it.'),
  code: text('For logic: stable over time. See the table of error codes.'),
});

export const serverError = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  request_id: text('Under this id the log says the cause.'),
});

export const errorItem = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  attr: text(
    'Dot-delimited path to the input that has to change; numbers are zero-based indexes. `customers.0.landline` is the landline of the first customer.',
  ),
});

export const validationError = z.object({
  detail: problem.shape.detail,
  code: problem.shape.code,
  errors: z.array(errorItem).meta({
    description: 'All errors at once, in the order of the payload; of more than 1,000 the first, then `too_many_errors`.',
  }),
});

/** Bytes of any media type. */
export const file = z.string().meta({ format: 'binary' });

/** Query parameters on the wire: text that means a number, a choice or a switch. */
import * as z from 'zod';

/** What of a query parameter its schema cannot say. */
export interface QueryParameter {
  /** What is answered where it is refused. */
  readonly code: 'invalid' | 'required';
  readonly detail: string;
  /** Where the text means something else: what, in JSON Schema. */
  readonly means?: Readonly<Record<string, unknown>>;
}

const NOT_VALID: QueryParameter = { code: 'invalid', detail: 'This is not a valid value of the parameter.' };
const registry = z.registry<QueryParameter>();

/** What is answered where a parameter is refused, and how it is documented. */
export const queryParameter = (schema: z.ZodType | undefined): QueryParameter => (schema && registry.get(schema)) ?? NOT_VALID;

/** A parameter that is refused in words of its own, or documented as what it means. */
export function parameter<Schema extends z.ZodType>(schema: Schema, more: Partial<QueryParameter>): Schema {
  registry.add(schema, { ...NOT_VALID, ...more });
  return schema;
}

const inBounds = (pattern: RegExp, max: number) =>
  z
    .string()
    .regex(pattern)
    .transform(Number)
    .refine((number) => number >= 1 && number <= max)
    .optional();

const wholeNumber = (max: number) => ({ type: 'integer', minimum: 1, maximum: max });

/** A whole number from 1 to `max`, without leading zeros. */
export const numberUpTo = (max: number) => parameter(inBounds(/^[1-9]\d{0,14}$/, max), { means: wholeNumber(max) });

/** The same at the operator interface, which takes leading zeros within as many digits as `max` has, and says the bounds. */
export const operatorNumberUpTo = (max: number) =>
  parameter(inBounds(new RegExp(`^\\d{1,${String(max).length}}$`), max), {
    detail: `Enter a number from 1 to ${max}.`,
    means: wholeNumber(max),
  });

/** `true`, `false`, `1` or `0`, in any case. */
export const flag = parameter(z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(), { means: { type: 'boolean' } });

/** The cursor of an importer's list, in base64url. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .optional();

/** A page of a list of the operator interface. */
export const operatorPage = z.object({ limit: operatorNumberUpTo(500), cursor: z.string().optional() });
export type OperatorPage = z.output<typeof operatorPage>;

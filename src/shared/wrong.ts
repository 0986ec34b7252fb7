/**
 * Finds what is wrong with a value that its reader refuses (`reader.ts`), in one walk of bounded work: a list that is longer than
 * it may be is not looked into, and neither is anything that is refused once {@link MAX_ERRORS} errors are found. Pure.
 *
 * zod by itself looks at all there is and makes an object of every error, which takes a second for 45 KB of empty items.
 */
import * as z from 'zod';
import { type FieldError, fieldError, MAX_ERRORS, type Path, type Problem, tooManyErrors, valueAt } from './errors';
import { isPlainPipe, REFUSED, readerOf } from './reader';
import { isObject, othersOf } from './shape';

/** Says in words what an issue of zod is about; `value` is what was sent at `path`, which leads there from the root of the body. */
export type Words = (issue: z.core.$ZodIssue, value: unknown, path: Path) => Problem;

/** What a required field is that was not sent, whatever it may hold. */
export const REQUIRED: Problem = { code: 'required', detail: 'This field is required.' };

export interface Wrong {
  /** The value without what is refused: such a field is there and undefined, and so is such an item of a list. {@link REFUSED} if nothing is left. */
  readonly sound: unknown;
  readonly errors: FieldError[];
}

export function wrongIn(schema: z.core.$ZodType, raw: unknown, words: Words): Wrong {
  const search = new Search(words);
  const sound = search.soundPart(schema, raw);
  return { sound, errors: search.found() };
}

class Search {
  readonly #words: Words;
  readonly #errors: FieldError[] = [];
  readonly #path: (string | number)[] = [];
  #more = 0;

  constructor(words: Words) {
    this.#words = words;
  }

  found(): FieldError[] {
    return this.#more > 0 ? [...this.#errors, tooManyErrors(this.#more)] : this.#errors;
  }

  soundPart(given: z.core.$ZodType, value: unknown): unknown {
    const read = readerOf(given)(value);
    if (read !== REFUSED) return read;
    if (this.#isFull && this.#path.length > 0) {
      this.#more += 1;
      return REFUSED;
    }
    const schema = innerOf(given);
    if (schema instanceof z.ZodArray && Array.isArray(value)) {
      return this.#isRefused(bareListOf(schema), value) ? REFUSED : this.#soundList(schema, value);
    }
    if (schema instanceof z.ZodObject && !schema.def.checks?.length && isObject(value)) return this.#soundObject(schema, value);
    if (isPlainPipe(schema)) return this.#soundOfPipe(schema, value);
    return this.#isRefused(schema, value) ? REFUSED : value;
  }

  get #isFull(): boolean {
    return this.#errors.length >= MAX_ERRORS;
  }

  #soundOfPipe(schema: z.ZodPipe, value: unknown): unknown {
    const found = this.#errors.length + this.#more;
    const part = this.soundPart(schema.in, value);
    return this.#errors.length + this.#more > found ? part : this.soundPart(schema.out, value);
  }

  /** Field by field as sent, then what is missing. */
  #soundObject(schema: z.ZodObject, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const fields = new Map<string, z.core.$ZodType>(Object.entries(schema.shape));
    const others = othersOf(schema);
    const sound = Object.keys(value).map((key): [string, unknown] => {
      // zod passes over this name where the others have a type: its value stays as sent.
      const type = fields.get(key) ?? (key === '__proto__' ? undefined : others);
      return [key, type ? this.#partAt(key, type, value[key]) : value[key]];
    });
    for (const [key, type] of fields) {
      if (!Object.hasOwn(value, key) && type._zod.optin === undefined) this.#note([key], () => REQUIRED);
    }
    return Object.fromEntries(sound);
  }

  #soundList(schema: z.ZodArray, value: readonly unknown[]): unknown[] {
    return value.map((item, index) => this.#partAt(index, schema.element, item));
  }

  #partAt(step: string | number, type: z.core.$ZodType, value: unknown): unknown {
    this.#path.push(step);
    const part = this.soundPart(type, value);
    this.#path.pop();
    return part === REFUSED ? undefined : part;
  }

  /** True if zod finds anything. */
  #isRefused(schema: z.core.$ZodType, value: unknown): boolean {
    const issues = z.safeParse(schema, value).error?.issues ?? [];
    for (const issue of issues) {
      const steps = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
      this.#note(steps, (path) => this.#words(issue, valueAt(value, steps), path));
    }
    return issues.length > 0;
  }

  #note(steps: Path, problemAt: (path: Path) => Problem): void {
    if (this.#isFull) {
      this.#more += 1;
      return;
    }
    const path = [...this.#path, ...steps];
    const { code, detail } = problemAt(path);
    this.#errors.push(fieldError(path, code, detail));
  }
}

/** What is sent where it is not "not given". */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? innerOf(schema.unwrap()) : schema;
}

const ANYTHING = z.unknown();
const BARE = new WeakMap<z.ZodArray, z.ZodArray>();

/** A list of anything that may be as long as this one. */
function bareListOf(schema: z.ZodArray): z.ZodArray {
  let bare = BARE.get(schema);
  if (!bare) {
    bare = schema.clone({ ...schema.def, element: ANYTHING });
    BARE.set(schema, bare);
  }
  return bare;
}

/**
 * Values that a JSON Schema of the published document allows, as any generator of test data would make them: a subset of 2020-12,
 * what the document uses. Every value is checked by an independent validator before it is used.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import fc from 'fast-check';

type Json = { readonly [key: string]: unknown };
type Values = fc.Arbitrary<unknown>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent);
const without = (schema: Json, ...keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));

/** How many of the fields that may be absent are there. */
const OPTIONAL = { min: 0, max: 99 } as const;
const OPTIONAL_SHARE = 30;

export class SchemaValues {
  readonly #known = new Map<string, Values>();

  constructor(readonly document: Json) {}

  /** Any value the schema allows. Throws while generating if one of them is not: a defect of this file. */
  of(schema: unknown): Values {
    const validator = this.#validator(schema);
    return this.#of(schema).map((value) => {
      const { valid, errors } = validator.validate(value);
      if (!valid) throw new Error(`made what the schema does not allow: ${JSON.stringify(errors.slice(-3))} ${JSON.stringify(value)}`);
      return value;
    });
  }

  #validator(schema: unknown): Validator {
    const root: Schema = { ...(isJson(schema) ? schema : {}), components: this.document['components'] };
    return new Validator(root, '2020-12');
  }

  #of(schema: unknown): Values {
    if (!isJson(schema)) return fc.jsonValue();
    const text = JSON.stringify(schema);
    const known = this.#known.get(text);
    if (known) return known;
    const made = this.#made(schema);
    this.#known.set(text, made);
    return made;
  }

  #made(schema: Json): Values {
    if (typeof schema['$ref'] === 'string') return this.#of(this.#resolved(schema['$ref']));
    if ('const' in schema) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum']);
    const examples = listOf(schema['examples']);
    if (examples.length > 0) return fc.oneof(fc.constantFrom(...examples), this.#of(without(schema, 'examples')));
    const types = [schema['type']].flat();
    if (types.includes('object')) return nullable(types, this.#objects(schema));
    if (Array.isArray(schema['anyOf'])) {
      const rest = without(schema, 'anyOf', 'description');
      return fc.oneof(...schema['anyOf'].map((one: unknown) => this.#of(isJson(one) ? { ...rest, ...one } : one)));
    }
    if (types[0] === undefined) return fc.jsonValue();
    return fc.oneof(...types.map((type) => this.#ofType(String(type), schema)));
  }

  #resolved(reference: string): unknown {
    return reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (isJson(node) ? node[key] : undefined), this.document);
  }

  #ofType(type: string, schema: Json): Values {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: numberOf(schema['minimum'], -1e9), max: Math.min(numberOf(schema['maximum'], 1e9), 2 ** 31 - 1) });
      case 'number':
        return numbers(numberOf(schema['minimum'], -1e15), numberOf(schema['maximum'], 1e15));
      case 'array':
        return fc.array(this.#of(schema['items']), {
          minLength: numberOf(schema['minItems'], 0),
          maxLength: Math.min(numberOf(schema['maxItems'], 3), 3),
        });
      case 'string':
        return strings(schema);
      default:
        throw new Error(`no values of type ${type}`);
    }
  }

  #objects(schema: Json): Values {
    const properties = isJson(schema['properties']) ? schema['properties'] : {};
    const required = listOf(schema['required']);
    const fields = Object.entries(properties).map(([name, field]): fc.Arbitrary<readonly [string, unknown] | undefined> => {
      const entry = this.#of(field).map((value): readonly [string, unknown] => [name, value]);
      if (required.includes(name)) return entry;
      return fc.integer(OPTIONAL).chain((chance) => (chance < OPTIONAL_SHARE ? entry : fc.constant(undefined)));
    });
    const others = schema['additionalProperties'] === false ? {} : this.#undocumented(schema['additionalProperties']);
    const base = fc
      .tuple(fc.tuple(...fields), others instanceof fc.Arbitrary ? others : fc.constant({}))
      .map(([entries, more]): Json => ({ ...more, ...Object.fromEntries(entries.filter((entry) => entry !== undefined)) }));
    return base.chain((value) => this.#fulfilled(value, schema, properties));
  }

  /** Now and then a field that no schema names. */
  #undocumented(allowed: unknown): fc.Arbitrary<Json> {
    const values = isJson(allowed) && Object.keys(allowed).length > 0 ? this.#of(allowed) : fc.jsonValue();
    const one = fc.tuple(fc.constantFrom('x_further', 'x_other'), values).map(([name, value]): Json => ({ [name]: value }));
    return fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: one });
  }

  /** The value, changed where a condition of the schema asks for more than its properties do. */
  #fulfilled(value: Json, schema: Json, properties: Json): Values {
    const conditions = [...listOf(schema['allOf']), schema].filter((one): one is Json => isJson(one) && 'if' in one);
    let made: fc.Arbitrary<Json> = fc.constant(value);
    for (const condition of conditions) {
      made = made.chain((before) =>
        this.#validator(condition['if']).validate(before).valid
          ? this.#overlaid(before, condition['then'], properties)
          : fc.constant(before),
      );
    }
    const alternatives = listOf(schema['anyOf']);
    if (alternatives.length === 0) return made;
    return made.chain((before) =>
      alternatives.some((one) => this.#validator(one).validate(before).valid)
        ? fc.constant(before)
        : fc.constantFrom(...alternatives).chain((one) => this.#overlaid(before, one, properties)),
    );
  }

  /** The fields that a requirement names, made anew so that both the requirement and their own schema allow them. */
  #overlaid(before: Json, requirement: unknown, properties: Json): fc.Arbitrary<Json> {
    if (!isJson(requirement)) return fc.constant(before);
    const required = listOf(requirement['required']);
    const wanted = isJson(requirement['properties']) ? requirement['properties'] : {};
    const fields = Object.entries(wanted)
      .filter(([name]) => required.includes(name) || Object.hasOwn(before, name))
      .map(([name, extra]) => this.#both(properties[name], extra).map((value): readonly [string, unknown] => [name, value]));
    return fc.tuple(...fields).map((entries): Json => ({ ...before, ...Object.fromEntries(entries) }));
  }

  #both(own: unknown, extra: unknown): Values {
    const isClosed = isJson(extra) && ('enum' in extra || 'anyOf' in extra);
    const [source, other] = isClosed ? [this.#of({ ...Object(own), ...extra }), own] : [this.#of(own), extra];
    const validator = this.#validator(other);
    return source.filter((value) => validator.validate(value).valid);
  }
}

const nullable = (types: readonly unknown[], values: Values): Values =>
  types.includes('null') ? fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) }) : values;

/** Whole numbers, amounts, and whatever a double can say. */
const numbers = (min: number, max: number): Values =>
  fc.oneof(
    fc.integer({ min: Math.ceil(Math.max(min, -1e6)), max: Math.floor(Math.min(max, 1e6)) }),
    fc.integer({ min: Math.ceil(Math.max(min * 100, -1e8)), max: Math.floor(Math.min(max * 100, 1e8)) }).map((units) => units / 100),
    fc.double({ min, max, noNaN: true, noDefaultInfinity: true }),
  );

function strings(schema: Json): Values {
  const pattern = new RegExp(String(schema['pattern'] ?? ''), 'u');
  const [min, max] = [numberOf(schema['minLength'], 0), numberOf(schema['maxLength'], 200)];
  const not = isJson(schema['not']) ? schema['not'] : {};
  const isAllowed = (text: string): boolean => {
    const length = [...text].length;
    if (length < min || length > max || !pattern.test(text) || listOf(not['enum']).includes(text)) return false;
    return typeof not['pattern'] !== 'string' || !new RegExp(not['pattern'], 'u').test(text);
  };
  return sourceOf(schema, pattern, min, Math.min(max, 40), max).filter(isAllowed);
}

function sourceOf(schema: Json, pattern: RegExp, minLength: number, short: number, long: number): fc.Arbitrary<string> {
  const day = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
  const near = fc.date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-12-31T00:00:00Z'), noInvalidDate: true });
  const date = fc.oneof(near, day);
  if (schema['format'] === 'date') return date.map((moment) => moment.toISOString().slice(0, 10));
  if (schema['format'] === 'date-time') {
    const offset = fc.constantFrom('Z', '+00:00', '-05:30', '+14:00');
    return fc.tuple(date, offset, fc.constantFrom('', '.5', '.123456789')).map(([moment, zone, fraction]) => {
      return `${moment.toISOString().slice(0, 19)}${fraction}${zone}`;
    });
  }
  if (schema['format'] === 'email') return fc.emailAddress();
  // A date or a moment: what the pattern alone makes is mostly in no calendar.
  if (pattern.source.includes('[0-9]{4}-[0-9]{2}-[0-9]{2}')) return date.map((moment) => moment.toISOString().slice(0, 10));
  const matching = fc.stringMatching(pattern);
  // A class that excludes some characters allows nearly any text.
  if (pattern.source !== '(?:)' && !/\[\^/.test(pattern.source)) return matching;
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: short }).filter(isVisible),
    fc.string({ unit: 'binary', minLength, maxLength: short }).filter(isVisible),
    fc.string({
      unit: 'grapheme-ascii',
      minLength: long > 2_000 ? minLength : Math.max(minLength, long - 1),
      maxLength: Math.min(long, 2_000),
    }),
    ...(pattern.source === '(?:)' ? [] : [matching]),
  );
}

/** Which characters cannot be seen is in Unicode's tables and in no pattern: names and codes of them are refused by themselves. */
const isVisible = (text: string): boolean => !/[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

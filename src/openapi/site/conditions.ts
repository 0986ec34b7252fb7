/** What a shape requires beyond its single fields, in words: one line for each condition of its schema. */
import { isJson, type Json } from '../json-schema';
import { type Html, html, words } from './html';

const entriesOf = (value: unknown): [string, unknown][] => (isJson(value) ? Object.entries(value) : []);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The conditions of a schema as a list; nothing where it has none. */
export function conditionsOf(schema: unknown): Html {
  if (!isJson(schema)) return html``;
  const conditional = [...listOf(schema['allOf']), schema].filter((one): one is Json => isJson(one) && 'if' in one);
  const alternatives = listOf(schema['anyOf']).flatMap((one) => (isJson(one) ? listOf(one['required']) : []));
  const lines = [
    ...(alternatives.length > 0 ? [`Needs ${alternatives.map(code).join(' or ')}.`] : []),
    ...conditional.map((one) => `Where ${premise(one['if'])}: ${requirements(one['then']).join('; ')}.`),
  ];
  return lines.length === 0 ? html`` : html`<ul>${lines.map((line) => html`<li>${words(line)}</li>`)}</ul>`;
}

const premise = (condition: unknown): string =>
  entriesOf(isJson(condition) ? condition['properties'] : undefined)
    .map(([field, value]) => (isJson(value) && 'const' in value ? `${code(field)} is ${code(value['const'])}` : `${code(field)} is given`))
    .join(' and ');

function requirements(requirement: unknown): string[] {
  if (!isJson(requirement)) return [];
  const required = listOf(requirement['required']);
  return entriesOf(requirement['properties']).map(([field, value]) => {
    const need = required.includes(field) ? `${code(field)} is required` : code(field);
    const rule = isJson(value) ? ruleOf(value) : '';
    if (rule === '') return need;
    return required.includes(field) ? `${need}, ${rule}` : `${need} is ${rule}`;
  });
}

function ruleOf(value: Json): string {
  if ('exclusiveMinimum' in value) return `greater than ${String(value['exclusiveMinimum'])}`;
  if (value['maxItems'] === 0) return 'empty';
  const [known, further] = listOf(value['anyOf']);
  if (isJson(known) && further !== undefined) return `${ruleOf(known)}, or one that the supplier has of its own`;
  const choices = listOf(value['enum']).filter((choice) => choice !== '' && choice !== null);
  if (choices.length > 0) return `one of ${choices.map(code).join(', ')}`;
  return Array.isArray(value['enum']) ? 'not given' : '';
}

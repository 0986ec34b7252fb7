/** Schemas as tables: one row a field, named shapes by link. */
import { isJson, type Json } from '../json-schema';
import { Html, html, words } from './html';

const nameOf = (reference: unknown): string => String(reference).split('/').at(-1) ?? '';
export const shapeId = (name: string): string => `shape-${name}`;
const link = (name: string): Html => html`<a href="/docs/shapes/#${shapeId(name)}">${name}</a>`;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const commaed = (parts: readonly Html[], separator: string): Html => new Html(parts.map(({ text }) => text).join(separator));

/** The type of a value in a few words: `string, up to 32`, `list of Note`. */
export function typeOf(schema: unknown): Html {
  if (!isJson(schema)) return html`any`;
  if (schema['$ref'] !== undefined) return link(nameOf(schema['$ref']));
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  const types = [schema['type']].flat().filter((type) => type !== 'null' && type !== undefined);
  const choices = listOf(schema['enum']).filter((value) => value !== null && value !== '');
  if (choices.length > 0)
    return commaed(
      choices.map((value) => html`<code>${String(value)}</code>`),
      ' · ',
    );
  const either = listOf(schema['anyOf']).filter((one) => !(isJson(one) && one['type'] === 'null'));
  if (either.length > 0) return commaed(either.map(typeOf), ' or ');
  if (types.includes('array')) return html`list of ${typeOf(schema['items'])}${bounds(schema, 'minItems', 'maxItems')}`;
  if (types.length === 0) return html`any`;
  const format = typeof schema['format'] === 'string' ? schema['format'] : undefined;
  return html`${format ?? types.join(' or ')}${bounds(schema, 'minLength', 'maxLength')}${bounds(schema, 'minimum', 'maximum')}`;
}

function bounds(schema: Json, low: string, high: string): Html {
  const [min, max] = [schema[low], schema[high]].map((bound) =>
    typeof bound === 'number' && bound < Number.MAX_SAFE_INTEGER ? bound : undefined,
  );
  const number = (bound: number): string => bound.toLocaleString('en-GB');
  if (max !== undefined) return min !== undefined && min > 0 ? html`, ${number(min)} to ${number(max)}` : html`, up to ${number(max)}`;
  return min === undefined ? html`` : html`, from ${number(min)}`;
}

/** The fields of an object; those of unnamed objects below it follow, indented. */
export function fieldsOf(schema: unknown): Html {
  const rows = rowsOf(schema, 0);
  return rows.length === 0 ? html`` : html`<table class="fields"><tbody>${rows}</tbody></table>`;
}

function rowsOf(schema: unknown, depth: number): Html[] {
  if (!isJson(schema) || !isJson(schema['properties'])) return [];
  const required = listOf(schema['required']);
  return Object.entries(schema['properties']).flatMap(([name, field]) => {
    const about = isJson(field) && typeof field['description'] === 'string' ? words(field['description']) : html``;
    const row = html`<tr><td class="d${depth}"><code>${name}</code>${required.includes(name) ? html`<em title="required">*</em>` : ''}</td><td>${typeOf(field)}</td><td>${about}</td></tr>`;
    return [row, ...rowsOf(innerOf(field), depth + 1)];
  });
}

/** The unnamed object inside a field, or inside the items of a list. */
function innerOf(field: unknown): unknown {
  if (!isJson(field)) return undefined;
  const either = listOf(field['anyOf']).find((one) => isJson(one) && one['properties'] !== undefined);
  return field['items'] === undefined ? (either ?? field) : innerOf(field['items']);
}

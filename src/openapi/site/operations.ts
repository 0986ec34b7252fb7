/** One section of the page for each operation: what it does, what it takes, what it answers, and how to try it. */
import { isJson, type Json } from '../json-schema';
import { codeBlock, type Html, html, prose, words } from './html';
import { typeOf } from './shapes';

export interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

export function operationsOf(document: Json): Listed[] {
  return entriesOf(document['paths']).flatMap(([path, item]) =>
    entriesOf(item).flatMap(([method, operation]) => (isJson(operation) ? [{ method: method.toUpperCase(), path, operation }] : [])),
  );
}

export const entriesOf = (value: unknown): [string, unknown][] => (isJson(value) ? Object.entries(value) : []);
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((node, key) => (isJson(node) ? node[key] : undefined), value);
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export function operationSection(document: Json, { method, path, operation }: Listed): Html {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  return html`<section class="operation" id="${String(operation['operationId'])}">
<h3>${String(operation['summary'])} <a class="anchor" href="#${String(operation['operationId'])}" aria-label="Link to this operation">#</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${prose(String(operation['description']))}
${parameters.length > 0 ? html`<table class="fields"><caption>Parameters</caption><tbody>${parameters.map(parameterRow)}</tbody></table>` : ''}
${requestOf(method, path, operation)}
<table class="answers"><caption>Answers</caption><tbody>${entriesOf(operation['responses']).map(([status, answer]) => answerRow(document, status, answer))}</tbody></table>
</section>`;
}

const parameterRow = (parameter: unknown): Html =>
  html`<tr><td><code>${String(at(parameter, 'name'))}</code>${at(parameter, 'required') === true ? html`<em title="required">*</em>` : ''}</td><td>${typeOf(at(parameter, 'schema'))}, in ${String(at(parameter, 'in'))}</td><td>${words(String(at(parameter, 'description') ?? ''))}</td></tr>`;

function requestOf(method: string, path: string, operation: Json): Html {
  const [mediaType, content] = entriesOf(at(operation, 'requestBody', 'content'))[0] ?? [];
  const examples = entriesOf(at(content, 'examples'));
  const commands =
    examples.length === 0
      ? [codeBlock(curl(method, path, operation, mediaType, undefined))]
      : examples.map(
          ([, example], index) =>
            html`<details ${index === 0 ? 'open' : ''}><summary>${String(at(example, 'summary'))}</summary>${codeBlock(curl(method, path, operation, mediaType, at(example, 'value')))}</details>`,
        );
  const body =
    mediaType === undefined ? html`` : html`<p class="body">Body: ${typeOf(at(content, 'schema'))} as <code>${mediaType}</code></p>`;
  return html`${body}${commands}`;
}

/**
 * A command that runs once BASE and TOKEN are set. What an operator would change is named EXAMPLE: pasting the command must not
 * pause a supplier that somebody works with.
 */
function curl(method: string, path: string, operation: Json, mediaType: string | undefined, value: unknown): string {
  const isHarmless = method === 'GET' || !path.startsWith('/operator/');
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = exampleOf(operation, name);
    return isHarmless || example !== 'DEMO' ? example : 'EXAMPLE';
  });
  const token = JSON.stringify(operation['security']);
  const lines = [`curl -s${method === 'GET' || (method === 'POST' && mediaType !== undefined) ? '' : `X ${method}`} "$BASE${address}"`];
  if (token.includes('operatorToken')) lines.push('-H "Authorization: Bearer $OPERATOR_TOKEN"');
  else if (token.includes('platformToken')) lines.push('-H "Authorization: Bearer $PLATFORM_TOKEN"');
  else if (token.includes('token')) lines.push('-H "Authorization: Token $TOKEN"');
  if (mediaType !== undefined) lines.push(`-H 'Content-Type: ${mediaType}'`);
  if (value !== undefined) lines.push(`-d '${pretty(value).replaceAll("'", "'\\''")}'`);
  else if (method === 'PUT') lines.push('--upload-file welcome.pdf');
  else if (mediaType !== undefined) lines.push('--data-binary @accounts.ndjson');
  return lines.join(' \\\n  ');
}

function exampleOf(operation: Json, name: string): string {
  const parameters: unknown[] = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  return String(
    at(
      parameters.find((parameter) => at(parameter, 'name') === name),
      'example',
    ) ?? name,
  );
}

function answerRow(document: Json, status: string, answer: unknown): Html {
  const reference = at(answer, '$ref');
  const one = typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : answer;
  const [mediaType, content] = entriesOf(at(one, 'content'))[0] ?? [];
  const schema = at(content, 'schema');
  const isFile = mediaType !== undefined && !mediaType.includes('json');
  const examples = entriesOf(at(content, 'examples')).map(
    ([, example]) =>
      html`<details><summary>${String(at(example, 'summary'))}</summary><pre><code>${pretty(at(example, 'value'))}</code></pre></details>`,
  );
  const headers = entriesOf(at(one, 'headers'))
    .map(([name]) => name)
    .filter((name) => name !== 'X-Request-Id');
  return html`<tr><td><span class="status s${status.slice(0, 1)}">${status}</span></td><td>${words(String(at(one, 'description')))}${headers.length > 0 ? html` <span class="with">with ${headers.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}</span>` : ''}${schema !== undefined && !isFile ? html`<div class="shape">${typeOf(schema)}</div>` : ''}${examples}</td></tr>`;
}

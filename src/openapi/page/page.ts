/**
 * The reference page as one self-contained file: no script, style or font of anybody else. `npm run openapi` writes it to `public/docs/`.
 */
import { createHash } from 'node:crypto';
import { ERROR_CODES } from '../../shared/error-codes';
import { isJson, type Json } from '../json-schema';
import { conditionsOf } from './conditions';
import { Html, html, prose, words } from './html';
import { entriesOf, operationSection, operationsOf } from './operations';
import { fieldsOf, shapeId } from './shapes';
import { SCRIPT, STYLE } from './style';

const tagId = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** @param document of `openapiDocument()` */
export function referencePage(document: Json): string {
  const info = isJson(document['info']) ? document['info'] : {};
  const tags = (Array.isArray(document['tags']) ? document['tags'] : []).flatMap((tag) =>
    isJson(tag) ? [{ name: String(tag['name']), about: String(tag['description']) }] : [],
  );
  const operations = operationsOf(document);
  const of = (tag: string) => operations.filter(({ operation }) => Array.isArray(operation['tags']) && operation['tags'].includes(tag));
  const shapes = entriesOf(isJson(document['components']) ? document['components']['schemas'] : undefined);
  const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; img-src 'self'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${String(info['title'])}: reference</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#start">Skip to the text</a>
<nav aria-label="Contents">
<p class="title"><a href="#start">${String(info['title'])}</a></p>
${tags.map(
  ({ name }) =>
    html`<p class="tag"><a href="#${tagId(name)}">${name}</a></p><ul>${of(name).map(
      ({ method, operation }) =>
        html`<li><a href="#${String(operation['operationId'])}"><span class="method ${method.toLowerCase()}">${method}</span>${String(operation['summary'])}</a></li>`,
    )}</ul>`,
)}
<p class="tag"><a href="#codes">Error codes</a></p>
<p class="tag"><a href="#shapes">Shapes</a></p>
<ul>${shapes.map(([name]) => html`<li><a href="#${shapeId(name)}">${name}</a></li>`)}</ul>
</nav>
<main id="start">
<h1>${String(info['title'])}</h1>
${prose(String(info['description']))}
<p>The same for machines: <a href="/openapi.json">/openapi.json</a>, OpenAPI ${String(document['openapi'])}.</p>
<h2 id="first">To run the examples</h2>
<p>Every example runs as it stands once these are set. The API key comes from the operator; locally <code>npm start</code> prints one.</p>
<pre><button type="button">Copy</button><code>${FIRST}</code></pre>
${tags.map(({ name, about }) => html`<h2 id="${tagId(name)}">${name}</h2>${prose(about)}${of(name).map((one) => operationSection(document, one))}`)}
<h2 id="codes">Error codes</h2>
<p>Codes are stable and suitable for logic; the words beside them may change.</p>
<table class="codes"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead><tbody>${codeRows()}</tbody></table>
<h2 id="shapes">Shapes</h2>
<p>Fields with <em>*</em> are required. Unless said otherwise, <code>null</code> means "not given".</p>
${shapes.map(([name, schema]) => html`<section id="${shapeId(name)}"><h3>${name}</h3>${fieldsOf(isList(schema) ? schema['items'] : schema)}${conditionsOf(schema)}</section>`)}
</main>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

const isList = (schema: unknown): schema is Json => isJson(schema) && schema['type'] === 'array';

function codeRows(): Html[] {
  const groups = [...new Set(ERROR_CODES.map(({ status }) => status))];
  return groups.map(
    (group) =>
      html`<tr class="group"><th colspan="3" scope="colgroup">${group}</th></tr>${ERROR_CODES.filter(({ status }) => status === group).map(
        ({ code, meaning, todo }) =>
          html`<tr id="code-${code}"><td><code>${code}</code></td><td>${words(meaning)}</td><td>${words(todo)}</td></tr>`,
      )}`,
  );
}

const FIRST = `BASE=http://127.0.0.1:8787
API_KEY=sk_live_…
TOKEN=$(curl -s "$BASE/v1/graphql/" -H 'Content-Type: application/json' \\
  -d '{"query":"mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }","variables":{"key":"'$API_KEY'"}}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`;

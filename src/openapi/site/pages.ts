/**
 * The reference: every file below `/docs/`, made of the OpenAPI document and the guides. `npm run openapi` writes them to `public/docs/`, beside
 * `reference.css` and `reference.js`, which are written by hand.
 */
import { ERROR_CODES } from '../../shared/error-codes';
import { isJson, type Json } from '../json-schema';
import { type Contents, type Entry, methodLabel, pageOf, partsOf } from './chrome';
import { conditionsOf } from './conditions';
import { type Guide, guidePage } from './guides';
import { codeBlock, type Html, html, prose, words } from './html';
import { operationSection } from './operations';
import { fieldsOf, shapeId } from './shapes';
import { AUDIENCE_NAMES, AUDIENCES, type Audience, documentFor, shapesOf, type Topic, topicsOf } from './topics';

const ERRORS = 'errors/';
const SHAPES = 'shapes/';

/**
 * The name of each file below `public/docs/` and its text.
 *
 * @param document of `openapiDocument()`
 */
export function referenceFiles(document: Json, guides: readonly Guide[]): ReadonlyMap<string, string> {
  const topics = topicsOf(document);
  const guidePages = guides.map((guide) => ({ path: guide.path, ...guidePage(guide, guides) }));
  const contents = contentsOf(topics, guidePages);
  const files = new Map<string, string>();
  const add = (path: string, title: string, main: Html) => files.set(`${path}index.html`, pageOf(contents, path, title, main));
  add('', String(infoOf(document)['title']), startPage(document, topics, guidePages));
  for (const { path, title, body } of guidePages) add(path, title, body);
  for (const topic of topics) add(topic.path, topic.title, topicPage(document, topic));
  add(ERRORS, 'Error codes', errorsPage());
  add(SHAPES, 'Shapes', shapesPage(document));
  for (const audience of AUDIENCE_NAMES) files.set(`openapi-${audience}.json`, `${JSON.stringify(documentFor(document, audience))}\n`);
  files.set('search.json', `${JSON.stringify(searchEntries(document, topics, guidePages))}\n`);
  return files;
}

type WrittenGuide = { readonly path: string } & ReturnType<typeof guidePage>;

function contentsOf(topics: readonly Topic[], guides: readonly WrittenGuide[]): Contents {
  const entryOf = (topic: Topic): Entry => ({ path: topic.path, title: topic.title, parts: partsOf(topic) });
  const of = (audience: Audience) => topics.filter((topic) => topic.audience === audience).map(entryOf);
  return {
    start: [
      { path: '', title: 'Start', parts: [] },
      { path: ERRORS, title: 'Error codes', parts: [] },
      { path: SHAPES, title: 'Shapes', parts: [] },
    ],
    guides: guides.map(({ path, title, headings }) => ({
      path,
      title,
      parts: headings.map(({ id, text }) => ({ href: `#${id}`, label: words(text) })),
    })),
    topics: { importer: of('importer'), platform: of('platform'), operator: of('operator') },
  };
}

const infoOf = (document: Json): Json => (isJson(document['info']) ? document['info'] : {});

function startPage(document: Json, topics: readonly Topic[], guides: readonly WrittenGuide[]): Html {
  const rows = (audience: Audience) =>
    topics
      .filter((topic) => topic.audience === audience)
      .map(({ path, title, about }) => html`<li><a href="/docs/${path}">${title}</a> ${words(about)}</li>`);
  return html`<h1>${String(infoOf(document)['title'])}</h1>
${prose(String(infoOf(document)['description']))}
<h2 id="first">To run the examples</h2>
<p>Every example runs as it is once these are set. The API key comes from the operator; locally <code>npm start</code> prints one.</p>
${codeBlock(FIRST)}
<h2 id="guides">Guides</h2>
<ul>${guides.map(({ path, title }) => html`<li><a href="/docs/${path}">${title}</a></li>`)}</ul>
${AUDIENCE_NAMES.map((audience) => html`<h2 id="${audience}">${AUDIENCES[audience].title}</h2><ul class="topics">${rows(audience)}</ul><p>The same for machines: <a href="/docs/openapi-${audience}.json">openapi-${audience}.json</a>, OpenAPI ${String(document['openapi'])}.</p>`)}
<p>All of it in one document: <a href="/openapi.json">/openapi.json</a>.</p>`;
}

const topicPage = (document: Json, topic: Topic): Html =>
  html`<p class="audience">${AUDIENCES[topic.audience].title}</p><h1>${topic.title}</h1>${prose(topic.about)}
<ul class="operations">${topic.operations.map(({ method, path, operation }) => html`<li><a href="#${String(operation['operationId'])}">${methodLabel(method)} <code>${path}</code></a></li>`)}</ul>
${topic.operations.map((one) => operationSection(document, one))}`;

function errorsPage(): Html {
  const groups = [...new Set(ERROR_CODES.map(({ status }) => status))];
  const rows = groups.map(
    (group) =>
      html`<tr class="group"><th colspan="3" scope="colgroup">${group}</th></tr>${ERROR_CODES.filter(({ status }) => status === group).map(
        ({ code, meaning, todo }) =>
          html`<tr id="code-${code}"><td><code>${code}</code></td><td>${words(meaning)}</td><td>${words(todo)}</td></tr>`,
      )}`,
  );
  return html`<h1>Error codes</h1><p>Codes are stable and suitable for logic; the words beside them may change.</p>
<table class="codes"><thead><tr><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function shapesPage(document: Json): Html {
  const seen = new Set<string>();
  const groups = AUDIENCE_NAMES.map((audience) => {
    const shapes = shapesOf(documentFor(document, audience)).filter(([name]) => !seen.has(name));
    for (const [name] of shapes) seen.add(name);
    return { audience, shapes };
  });
  return html`<h1>Shapes</h1><p>Fields with <em class="required">*</em> are required. Unless said otherwise, <code>null</code> means "not given".</p>
${groups.map(
  ({ audience, shapes }) => html`<h2 id="shapes-${audience}">${AUDIENCES[audience].title}</h2>
<p class="names">${shapes.map(([name]) => html`<a href="#${shapeId(name)}">${name}</a> `)}</p>
${shapes.map(([name, schema]) => html`<section id="${shapeId(name)}"><h3>${name}</h3>${fieldsOf(isJson(schema) && schema['type'] === 'array' ? schema['items'] : schema)}${conditionsOf(schema)}</section>`)}`,
)}`;
}

/** What the search of a page looks through: a title, words, and where they lead. */
function searchEntries(
  document: Json,
  topics: readonly Topic[],
  guides: readonly WrittenGuide[],
): readonly (readonly [string, string, string])[] {
  return [
    ...guides.flatMap(({ path, title, headings }) => [
      [title, 'guide', `/docs/${path}`] as const,
      ...headings.map(({ id, text }) => [text.replaceAll('`', ''), title, `/docs/${path}#${id}`] as const),
    ]),
    ...topics.flatMap(({ path: page, operations }) =>
      operations.map(({ method, path, operation }) => {
        const id = String(operation['operationId']);
        return [String(operation['summary']), `${method} ${path}`, `/docs/${page}#${id}`] as const;
      }),
    ),
    ...ERROR_CODES.map(({ code, meaning }) => [code, meaning.replaceAll('`', ''), `/docs/${ERRORS}#code-${code}`] as const),
    ...shapesOf(document).map(([name, schema]) => {
      const fields = isJson(schema) && isJson(schema['properties']) ? Object.keys(schema['properties']).join(' ') : '';
      return [name, `shape ${fields}`, `/docs/${SHAPES}#${shapeId(name)}`] as const;
    }),
  ];
}

const FIRST = `BASE=http://127.0.0.1:8787
API_KEY=sk_live_…
TOKEN=$(curl -s "$BASE/v1/graphql/" -H 'Content-Type: application/json' \\
  -d '{"query":"mutation ($key: String) { obtainPlatformToken(input: {APIKey: $key}) { token } }","variables":{"key":"'$API_KEY'"}}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`;

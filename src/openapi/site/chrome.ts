/** What every page of the reference has: its head, the header with the search, and the contents at its side. */
import { type Html, html } from './html';
import { AUDIENCE_NAMES, AUDIENCES, type Audience, type Topic } from './topics';

const TITLE = 'Account Data-Import Service';
/** Nothing of anybody else, and nothing in the page itself that runs. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

export interface Entry {
  /** Below `/docs/`, with its last slash. */
  readonly path: string;
  readonly title: string;
  /** What is on the page, for who reads it. */
  readonly parts: readonly { readonly href: string; readonly label: Html }[];
}
export interface Contents {
  readonly start: readonly Entry[];
  readonly guides: readonly Entry[];
  readonly topics: Readonly<Record<Audience, readonly Entry[]>>;
}

export const methodLabel = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

export const partsOf = (topic: Topic): Entry['parts'] =>
  topic.operations.map(({ method, operation }) => ({
    href: `#${String(operation['operationId'])}`,
    label: html`${methodLabel(method)}<span>${String(operation['summary'])}</span>`,
  }));

/** A whole page. `path` is below `/docs/`. */
export function pageOf(contents: Contents, path: string, title: string, main: Html): string {
  const entry = ({ path: to, title: name, parts }: Entry) => {
    const isHere = to === path;
    const below =
      isHere && parts.length > 0 ? html`<ul>${parts.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>` : '';
    return html`<li><a href="/docs/${to}"${isHere ? html` aria-current="page"` : ''}>${name}</a>${below}</li>`;
  };
  const group = (name: string, entries: readonly Entry[]) =>
    entries.length === 0 ? '' : html`<h2>${name}</h2><ul>${entries.map(entry)}</ul>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title === TITLE ? TITLE : `${title} · ${TITLE}`}</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="preload" href="/operator/assets/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents</button>
<a class="brand" href="/docs/"><img src="/favicon.ico" alt="" width="24" height="24">${TITLE}</a>
<div class="search" role="search">
<label class="unseen" for="search">Search the reference</label>
<input id="search" type="search" placeholder="Search: /" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</div>
</header>
<nav id="contents" aria-label="Contents">
<ul>${contents.start.map(entry)}</ul>
${group('Guides', contents.guides)}
${AUDIENCE_NAMES.map((audience) => group(AUDIENCES[audience].title, contents.topics[audience]))}
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text;
}

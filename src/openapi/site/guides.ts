/** Guides: Markdown of `docs/`, as pages of the reference. */
import { Marked, type Tokens } from 'marked';
import { codeBlock, Html, html } from './html';

/** A guide that is to become a page. */
export interface Guide {
  /** Below `/docs/`, with its last slash. */
  readonly path: string;
  /** Its file below `docs/`. */
  readonly file: string;
  readonly text: string;
}

export interface GuidePage {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
}
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** Makes the page of a guide. Throws where a link leads to a file that is no guide: a reader has only these pages. */
export function guidePage(guide: Guide, guides: readonly Guide[]): GuidePage {
  const headings: Heading[] = [];
  let title = guide.path;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (depth === 1) {
          title = text;
          return `<h1>${this.parser.parseInline(tokens)}</h1>\n`;
        }
        const id = text
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, '');
        if (depth === 2) headings.push({ id, text });
        return html`<h${depth} id="${id}">${new Html(this.parser.parseInline(tokens))}</h${depth}>\n`.text;
      },
      code: ({ text }: Tokens.Code) => codeBlock(text).text,
      table(token: Tokens.Table) {
        const head = token.header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`).join('');
        const rows = token.rows.map((row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`);
        return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
      },
      link({ href, tokens }: Tokens.Link) {
        return html`<a href="${addressOf(href, guide, guides)}">${new Html(this.parser.parseInline(tokens))}</a>`.text;
      },
    },
  });
  const body = marked.parse(guide.text, { async: false });
  return { title, body: new Html(body), headings };
}

function addressOf(href: string, from: Guide, guides: readonly Guide[]): string {
  if (/^(?:https:\/\/|\/|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${from.file}`);
  const guide = guides.find(({ file }) => `/${file}` === pathname);
  if (!guide) throw new Error(`${from.file} links to ${href}, which is no page of the reference`);
  return `/docs/${guide.path}${hash}`;
}

/** HTML as text, escaped by construction. */

/** Markup that may be put into other markup as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

function textOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(textOf).join('');
}

/** A template whose values are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => text + textOf(parts[index])).join(''));

/** Words with `code` in backticks. */
export const words = (text: string): Html =>
  new Html(
    escaped(text)
      .replace(/`([^`]+)`/g, '<code>$1</code>')
      .replace(/\b(https?:\/\/[^\s<]+)/g, '<a href="$1">$1</a>'),
  );

/** A command or a document, with a button that copies it. */
export const codeBlock = (text: string): Html => html`<pre><button type="button">Copy</button><code>${text}</code></pre>`;

/** Paragraphs and lists of a description. */
export function prose(text: string): Html {
  const blocks = text.split(/\n\n+/).map((block) => {
    if (!block.startsWith('- ')) return html`<p>${words(block)}</p>`;
    return html`<ul>${block.split('\n').map((line) => html`<li>${words(line.replace(/^- /, ''))}</li>`)}</ul>`;
  });
  return html`${blocks}`;
}

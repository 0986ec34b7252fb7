/** Static files that need no token: the icon, the OpenAPI document, the reference, and what an importer works with. */
import type { AppContext } from '../http/app';
import { notFound } from '../http/replies';
import { route } from '../http/route';
import * as declared from './endpoints';

/** Answers with a file of `public/`, under the address the endpoint has and without a redirect. */
const asset = (file: string) => async (c: AppContext) => {
  const request = new Request(new URL(file, c.req.url), { headers: c.req.raw.headers });
  const answer = await c.var.deps.env.ASSETS.fetch(request);
  return new Response(answer.body, answer);
};

export const getFavicon = route(declared.getFavicon, asset('/favicon.svg'));
export const getOpenapi = route(declared.getOpenapi, asset('/openapi.json'));
export const getDocs = route(declared.getDocs, asset('/docs/index.html'));

/** `GET /docs/{page}/`, or a file beside the pages. 404 where there is none. */
export const getDocsPage = route(declared.getDocsPage, async (c) => {
  const page = c.req.valid('param').page.replace(/\/$/, '');
  const answer = await asset(page.includes('.') ? `/docs/${page}` : `/docs/${page}/index.html`)(c);
  return answer.status === 404 ? notFound(c) : answer;
});

/** `GET /tools/`: what there is, with commands that name this very service. `npm run build` writes the files. */
export const getTools = route(declared.getTools, async (c) => {
  // Whole and as it is now, whatever the request says of a copy or a range: the answer differs from the file.
  const page = await c.var.deps.env.ASSETS.fetch(new URL('/tools/index.html', c.req.url));
  return page.ok ? c.html((await page.text()).replaceAll('{origin}', new URL(c.req.url).origin)) : notFound(c);
});

const TOOL_TYPES: ReadonlyMap<string, string> = new Map([
  ['data-import.mjs', 'text/javascript; charset=utf-8'],
  ['data-import-client.tgz', 'application/gzip'],
  ['data-import.postman_collection.json', 'application/json'],
  ['SHA256SUMS', 'text/plain; charset=utf-8'],
]);

/** `GET /tools/{file}` */
export const getTool = route(declared.getTool, async (c) => {
  const { file } = c.req.valid('param');
  const type = TOOL_TYPES.get(file);
  if (type === undefined) return notFound(c);
  const answer = await asset(`/tools/${file}`)(c);
  if (answer.status === 404) return notFound(c);
  answer.headers.set('Content-Type', type);
  return answer;
});

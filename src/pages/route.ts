/** Static files that need no token: the icon, the OpenAPI document and the reference. */
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

/** Static files that need no token: the icon, the OpenAPI document and the reference. */
import type { AppContext, AppHandler } from './app';
import { notFound } from './replies';

/** A file of `public/`, for the request as it came. */
export const fileAt = (c: AppContext, file: string): Promise<Response> =>
  c.var.deps.env.ASSETS.fetch(new Request(new URL(file, c.req.url), { headers: c.req.raw.headers }));

/** Answers with a file of `public/`, under the address the endpoint has and without a redirect. */
const asset =
  (file: string): AppHandler =>
  async (c: AppContext) => {
    const answer = await fileAt(c, file);
    return new Response(answer.body, answer);
  };

export const getFavicon = asset('/favicon.svg');
export const getOpenapi = asset('/openapi.json');
export const getDocs = asset('/docs/index.html');

/** `GET /docs/{page}/`, or a file beside the pages. 404 where there is none. */
export const getDocsPage: AppHandler = async (c, next) => {
  const page = (c.req.param('page') ?? '').replace(/\/$/, '');
  const answer = await asset(page.includes('.') ? `/docs/${page}` : `/docs/${page}/index.html`)(c, next);
  return answer instanceof Response && answer.status === 404 ? notFound(c) : answer;
};

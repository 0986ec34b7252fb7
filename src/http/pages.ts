/** Static files that need no token: the icon, the OpenAPI document and the reference page. */
import type { AppContext, AppHandler } from './app';

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

/** Ours: what an importer works with, from the service itself. `npm run build` writes the files. */
import type { AppContext, AppHandler } from './app';
import { fileAt } from './pages';
import { notFound } from './replies';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['data-import.mjs', 'text/javascript; charset=utf-8'],
  ['data-import-client.tgz', 'application/gzip'],
  ['data-import.postman_collection.json', 'application/json'],
  ['SHA256SUMS', 'text/plain; charset=utf-8'],
]);

/** `GET /tools/`: what there is, with commands that name this very service. */
export const getTools: AppHandler = async (c) => {
  const page = await fileAt(c, '/tools/index.html');
  return page.ok ? c.html((await page.text()).replaceAll('{origin}', new URL(c.req.url).origin)) : notFound(c);
};

/** `GET /tools/{file}` */
export const getTool = async (c: AppContext): Promise<Response> => {
  const file = c.req.param('file') ?? '';
  const type = TYPES.get(file);
  if (type === undefined) return notFound(c);
  const answer = await fileAt(c, `/tools/${file}`);
  if (answer.status === 404) return notFound(c);
  const reply = new Response(answer.body, answer);
  reply.headers.set('Content-Type', type);
  return reply;
};

import { notFound } from '../http/replies';
import { route } from '../http/route';
import * as declared from './endpoints';
import { REFUSAL_MINUTES, readRefusals } from './read';
import { refusalsView } from './views';

/** `GET /operator/v1/suppliers/{code}/refusals/?minutes=1440`: 200 with what creates were refused for; 400, 401, 404. */
export const getRefusals = route(declared.getRefusals, async (c) => {
  const { minutes = REFUSAL_MINUTES } = c.req.valid('query');
  const summary = await readRefusals(c.var.deps, c.req.valid('param').code, minutes);
  return summary ? c.json(refusalsView(summary)) : notFound(c);
});

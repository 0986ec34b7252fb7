import type { AppHandler } from '../http/app';
import { notFound, validationFailed } from '../http/replies';
import { fieldError } from '../shared/errors';
import { REFUSAL_MINUTES, RETENTION_DAYS, readRefusals } from './read';
import { refusalsView } from './views';

const MAX_MINUTES = RETENTION_DAYS * 1_440;

/** `GET /operator/v1/suppliers/{code}/refusals/?minutes=1440`: 200 with what creates were refused for; 400, 401, 404. */
export const getRefusals: AppHandler = async (c) => {
  const given = c.req.query('minutes') ?? String(REFUSAL_MINUTES);
  const minutes = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (minutes < 1 || minutes > MAX_MINUTES) {
    return validationFailed(c, [fieldError(['minutes'], 'invalid', `Enter a number from 1 to ${MAX_MINUTES}.`)]);
  }
  const summary = await readRefusals(c.var.deps, c.req.param('code') ?? '', minutes);
  return summary ? c.json(refusalsView(summary)) : notFound(c);
};

import { query, statement } from '../db';
import type { AppHandler } from './app';

/** `GET /healthz`: 200 when the database answers. */
export const getHealth: AppHandler = async (c) => {
  await query(c.var.deps.db, statement('SELECT 1'));
  return c.json({ status: 'ok' });
};

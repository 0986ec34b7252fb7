import type { AppHandler } from '../http/app';
import { notReady } from '../http/replies';
import { readReadiness } from './readiness';

/** `GET /healthz`: 200 while the Worker runs. It asks nobody: a database that is away is no reason to end the Worker. */
export const getHealth: AppHandler = (c) => c.json({ status: 'ok' });

/** `GET /readyz`: 200 while the service can work, else 503 with the reasons by name. */
export const getReadiness: AppHandler = async (c) => {
  const reasons = await readReadiness(c.var.deps);
  return reasons.length === 0 ? c.json({ status: 'ready' }) : notReady(c, reasons);
};

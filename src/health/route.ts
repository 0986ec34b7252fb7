import { notReady } from '../http/replies';
import { route } from '../http/route';
import * as declared from './endpoints';
import { readReadiness } from './readiness';

/** `GET /healthz`: 200 while the Worker runs. It asks nobody: a database that is away is no reason to end the Worker. */
export const getHealth = route(declared.getHealth, (c) => c.json({ status: 'ok' }));

/** `GET /readyz`: 200 while the service can work, else 503 with the reasons by name. */
export const getReadiness = route(declared.getReadiness, async (c) => {
  const reasons = await readReadiness(c.var.deps);
  return reasons.length === 0 ? c.json({ status: 'ready' }) : notReady(c, reasons);
});

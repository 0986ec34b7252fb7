/**
 * The Worker. Reading order:
 *
 *   routes.ts            every endpoint                       -> <room>/endpoints.ts, <room>/route.ts
 *   accounts/            an account comes in and is created
 *   import-processes/    its state until then, and the sweep
 *   consumers.ts         every queue
 *   scheduled.ts         every minute
 *   deps.ts              everything the code works with
 */
import { consume } from './consumers';
import { type Bindings, depsFrom } from './deps';
import { appOf } from './routes';
import { everyMinute } from './scheduled';

const app = appOf(depsFrom);

export default {
  fetch: app.fetch,
  queue: (batch, env, context) => consume(batch, depsFrom(env, context)),
  scheduled: (_event, env, context) => everyMinute(depsFrom(env, context)),
} satisfies ExportedHandler<Bindings>;

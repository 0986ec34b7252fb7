/** What every handler's context carries. */
import type { Context, Handler } from 'hono';
import type { Bindings, Deps } from '../deps';

export interface App {
  Bindings: Bindings;
  Variables: { deps: Deps; requestId: string };
}

export type AppContext = Context<App>;
export type AppHandler = Handler<App>;

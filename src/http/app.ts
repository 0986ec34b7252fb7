/** What every handler's context carries. */
import type { Context, Handler, MiddlewareHandler } from 'hono';
import type { Bindings, Deps } from '../deps';
import type { Operator, Role } from '../operator';
import type { Caller } from '../tokens';

export interface App {
  Bindings: Bindings;
  Variables: {
    deps: Deps;
    requestId: string;
    /** Behind `importer` only. */
    caller: Caller;
    /** Behind `reading`, `operating` and `administering` only. */
    operator: Operator;
    /** Of a page or a change of the console. */
    neededRole: Role | undefined;
    /** Behind `json` only: the decoded value, and the text as it was sent. */
    body: { readonly value: unknown; readonly text: string };
  };
}

export type AppContext = Context<App>;
export type AppHandler = Handler<App>;
export type AppMiddleware = MiddlewareHandler<App>;

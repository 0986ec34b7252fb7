/**
 * What whoever looks at a page may press.
 */
import type { Child, FC } from 'hono/jsx';
import { mayDo, type Role } from '../operator';

/** Shown only to those whose role may do it. What it leads to asks again. */
export const May: FC<{ role: Role; needs: Role; children?: Child }> = ({ role, needs, children }) => (
  <>{mayDo(role, needs) ? children : null}</>
);

/**
 * What whoever looks at a page may press: the role of its session, known to every part of it.
 */
import { type Child, createContext, type FC, useContext } from 'hono/jsx';
import { mayDo, type Role } from '../operator';

/** Set by every page; a part outside of one shows what everybody may see. */
export const RoleOfPage = createContext<Role>('read');

/** Shown only to those who may do it. What it leads to asks again. */
export const May: FC<{ needs: Role; children?: Child }> = ({ needs, children }) => (
  <>{mayDo(useContext(RoleOfPage), needs) ? children : null}</>
);

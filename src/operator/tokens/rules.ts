/**
 * What operators may do, by role (§10). Pure.
 */

/** Each may do what the one before may: look, move migrations on, and decide who has access. */
export const ROLES = ['read', 'operate', 'administer'] as const;
export type Role = (typeof ROLES)[number];

/** Who does something as an operator. */
export interface Operator {
  /** As the audit trail names it: `operator` for the bearer of OPERATOR_TOKEN, `token <name>`, or the e-mail address of a person whom Cloudflare Access lets in. */
  readonly actor: string;
  readonly role: Role;
  /** Of the operator token, where it is one that has a name. */
  readonly tokenId?: string;
}

/** True if an operator of this role may do what needs the other. */
export const mayDo = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** The actor of a token, as the audit trail names it. No e-mail address looks like it. */
export const actorOfToken = (name: string): string => `token ${name}`;

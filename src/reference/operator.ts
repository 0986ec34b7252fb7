/** Words that the endpoints of the operator interface share. */
import type { Said } from './operation';
import { invalid, NOT_FOUND, one } from './words';

export const AT = '2026-11-20T10:00:00.000Z';
export const ORGANISATION_ID = 'org_5f2c9d0e7b1a4c3f8e6d2a1b0c9f8e7d';
export const API_KEY_ID = 'key_0a1b2c3d4e5f60718293a4b5c6d7e8f9';
export const MESSAGE_ID = '3f1c2b6a9d8e47f0a5c4b3d2e1f00918';

export const UNKNOWN = NOT_FOUND('No such resource.');
export const CONFLICT: Said = {
  description: 'The state does not allow this change.',
  examples: one('Not allowed', { detail: 'Only an import process that is PENDING can be cancelled.', code: 'invalid_transition' }),
};
export const REQUIRED = (attr: string): Said => invalid('Not valid.', [{ detail: 'This field is required.', code: 'required', attr }]);

export const PAGE = {
  limit: { description: 'At most so many items, 1 to 500; 50 by default.', example: 50 },
  cursor: { description: 'Where to go on: taken from the `Link` header of the page before.' },
};

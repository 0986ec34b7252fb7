/**
 * What an importer may want to know of an account that is accepted all the same: the fields that nobody reads (§2.1). Pure.
 */
import * as z from 'zod';
import { type ErrorItem, errorItem } from '../../shared/errors';
import { undocumentedPaths, undocumentedWarnings } from '../../shared/undocumented';
import { accountBody } from '../schema';
import { isWrapped, type ReadAccount } from './check';

const wrapper = z.object({ payload: z.unknown(), task_params: z.unknown() });

/** `body` is what `read` was read from. Codes: `undocumented_field`, `too_many_warnings`; fields beside `payload` come first. */
export function accountWarnings(body: unknown, { sent }: ReadAccount): ErrorItem[] {
  const beside = isWrapped(body) ? undocumentedPaths(wrapper, body) : [];
  return undocumentedWarnings([...beside, ...undocumentedPaths(accountBody, sent)]).map(errorItem);
}

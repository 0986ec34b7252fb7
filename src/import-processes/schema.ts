/** The query of the lists (§4.9–4.11). */
import * as z from 'zod';
import { cursor, numberUpTo } from '../shared/query';

/** `limit` and `cursor` are opt-in; a cursor alone carries on in pages of 1,000. */
export const listQuery = z.object({ limit: numberUpTo(10_000), cursor });

/** How an operator says that a restore is done. */
import * as z from 'zod';
import { datetime, integer, optional } from '../../shared/fields';
import { MAX_ID } from './rules';

export const restoreBody = z.object({ restored_to: datetime, last_id: optional(integer(0, MAX_ID)) });

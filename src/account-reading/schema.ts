import * as z from 'zod';
import { requiredLine } from '../shared/fields';

/** `POST /operator/v1/accounts/{number}/payment-instructions/{type}/end/` */
export const endBody = z.object({ reason: requiredLine(1_000) });

import * as z from 'zod';
import { requiredLine } from '../shared/fields';
import { parameter } from '../shared/query';

/** `POST /operator/v1/accounts/{number}/payment-instructions/{type}/end/` */
export const endBody = z.object({ reason: requiredLine(1_000) });

/** `GET /operator/v1/accounts/{number}/documents/` */
export const documentQuery = z.object({ key: parameter(z.string().min(1), { code: 'required', detail: 'Say which document.' }) });

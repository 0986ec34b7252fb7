import * as z from 'zod';
import { requiredLine } from '../../shared/fields';

/** `POST /operator/v1/suppliers/{code}/retry-errored/` */
export const retryBody = z.object({ error_code: requiredLine(128) });

import * as z from 'zod';
import { requiredLine } from '../../shared/fields';
import { compiled } from '../../shared/parse';

/** `POST /operator/v1/suppliers/{code}/retry-errored/` */
export const retryBody = compiled(z.object({ error_code: requiredLine(128) }));

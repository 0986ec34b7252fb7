/** The files that need no token. */
import * as z from 'zod';

export const openapiDocument = z.looseObject({ openapi: z.string() });
export const page = z.string();

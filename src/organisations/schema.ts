import * as z from 'zod';
import { requiredLine } from '../shared/fields';
import { compiled } from '../shared/parse';

/** `POST /operator/v1/organisations/` */
export const organisationBody = compiled(z.object({ name: requiredLine(255) }));

/** `POST /operator/v1/organisations/{id}/api-keys/` */
export const apiKeyBody = compiled(z.object({ label: requiredLine(255) }));

import * as z from 'zod';
import { requiredLine } from '../shared/fields';

/** `POST /operator/v1/organisations/` */
export const organisationBody = z.object({ name: requiredLine(255) });

/** `POST /operator/v1/organisations/{id}/api-keys/` */
export const apiKeyBody = z.object({ label: requiredLine(255) });

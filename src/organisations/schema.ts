import * as z from 'zod';
import { boolean, datetime, optional, requiredLine } from '../shared/fields';

/** `POST /operator/v1/organisations/` */
export const organisationBody = z.object({ name: requiredLine(255), is_test: optional(boolean) });

/** `POST /operator/v1/organisations/{id}/api-keys/` */
export const apiKeyBody = z.object({ label: requiredLine(255), expires_at: optional(datetime), is_read_only: optional(boolean) });

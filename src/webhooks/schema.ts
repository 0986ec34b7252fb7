/** The wire of webhooks (§13). */
import * as z from 'zod';
import { EVENT_TYPES } from '../events/pure';
import { boolean, choice, identifier, optional, requiredLine } from '../shared/fields';
import { webhookUrl } from '../shared/standard-webhooks';

const MAX_FILTER = 100;

const FILTERS = {
  import_suppliers: optional(z.array(identifier(32)).max(MAX_FILTER)),
  types: optional(z.array(choice(EVENT_TYPES)).max(MAX_FILTER)),
};

/** `POST /v2/data-import/webhooks/` */
export const webhookBody = z.object({ url: webhookUrl, ...FILTERS });

/** `PATCH /v2/data-import/webhooks/{id}/`: what is not given stays as it is; an empty filter takes everything. */
export const webhookChange = z.object({ url: optional(webhookUrl), ...FILTERS, is_enabled: optional(boolean) });

/** `POST /v2/data-import/webhooks/{id}/replay/` */
export const replayBody = z.object({ cursor: requiredLine(22) });

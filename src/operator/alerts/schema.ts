import * as z from 'zod';
import { operatorPage, parameter } from '../../shared/query';
import { webhookUrl } from '../../shared/standard-webhooks';

/** `GET /operator/v1/alerts/` */
export const alertsQuery = operatorPage.extend({
  firing: parameter(z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(), {
    detail: 'Enter true or false.',
    means: { type: 'boolean' },
  }),
});

/** `POST /operator/v1/alert-addresses/` */
export const alertAddressBody = z.object({ url: webhookUrl });

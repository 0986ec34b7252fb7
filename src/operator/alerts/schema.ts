import * as z from 'zod';
import { operatorFlag, operatorPage } from '../../shared/query';
import { webhookUrl } from '../../shared/standard-webhooks';

/** `GET /operator/v1/alerts/` */
export const alertsQuery = operatorPage.extend({
  firing: operatorFlag,
});

/** `POST /operator/v1/alert-addresses/` */
export const alertAddressBody = z.object({ url: webhookUrl });

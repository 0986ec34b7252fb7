import * as z from 'zod';
import { webhookUrl } from '../../shared/standard-webhooks';

/** `POST /operator/v1/alert-addresses/` */
export const alertAddressBody = z.object({ url: webhookUrl });

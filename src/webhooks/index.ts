/** Webhooks (§13): events pushed to importers. */
export { deliverEvents } from './deliver';
export { wakeWebhooks } from './wake';

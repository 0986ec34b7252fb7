import { verifiesWebhooks } from './verify-webhook';

verifiesWebhooks('in Node');

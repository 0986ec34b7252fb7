import { verifiesWebhooks } from './verify-webhook';

verifiesWebhooks('in a Worker');

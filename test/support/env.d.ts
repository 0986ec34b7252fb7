import type { D1Migration } from 'cloudflare:test';
import type { Bindings } from '../../src/deps';

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      readonly MIGRATIONS: D1Migration[];
      readonly SMALL_RATE: RateLimit;
    }
    interface GlobalProps {
      mainModule: typeof import('../../src/worker');
    }
  }
}

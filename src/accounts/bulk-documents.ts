/**
 * The documents that the lines of one bulk request name. The platform ends an invocation that asks its bindings too often, so what a
 * request may ask of the bucket is bounded: lines beyond are FAILED, and a request that sends them again begins anew.
 */
import type { Deps } from '../deps';
import { missingDocuments } from '../documents';

/** Of the 1,000 calls that an invocation has; the rest is for the database and the queue. */
const MAX_CALLS = 700;

export class DocumentLookUps {
  readonly #deps: Pick<Deps, 'documents' | 'log'>;
  #calls = 0;

  constructor(deps: Pick<Deps, 'documents' | 'log'>) {
    this.#deps = deps;
  }

  /** The keys that name no object; `unknown` where the store failed, or these keys could take more calls than are left. */
  async missing(keys: readonly string[]): Promise<ReadonlySet<string> | 'unknown'> {
    if (keys.length === 0) return new Set();
    if (this.#calls + keys.length > MAX_CALLS) return 'unknown';
    const { documents, log } = this.#deps;
    const counted: Pick<R2Bucket, 'head' | 'list'> = {
      head: (key) => {
        this.#calls += 1;
        return documents.head(key);
      },
      list: (options) => {
        this.#calls += 1;
        return documents.list(options);
      },
    };
    try {
      return await missingDocuments({ documents: counted }, keys);
    } catch (error) {
      log.error('documents_not_looked_up', error, { documents: keys.length });
      return 'unknown';
    }
  }
}

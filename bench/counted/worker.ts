/**
 * The product with counting bindings: trips to D1 and rows as its own meta says them, calls of R2, messages of the queue.
 * `GET /bench/counts` answers what was counted since the last time.
 */
import type { Bindings } from '../../src/deps';
import worker from '../../src/worker';
import { countingBucket, countingDatabase } from '../../test/support/counting';

let counted: { database: ReturnType<typeof countingDatabase>; bucket: ReturnType<typeof countingBucket>; queue: Queued } | undefined;

interface Queued {
  sent: number;
  delivered: number;
  batches: number;
}

function of(env: Bindings) {
  counted ??= { database: countingDatabase(env.DB), bucket: countingBucket(env.DOCUMENTS), queue: { sent: 0, delivered: 0, batches: 0 } };
  return counted;
}

function withCounts(env: Bindings): Bindings {
  const { database, bucket, queue } = of(env);
  const imports = new Proxy(env.ACCOUNT_IMPORTS, {
    get(target, name) {
      if (name !== 'sendBatch') throw new Error(`not counted: ${String(name)}`);
      return (messages: Parameters<typeof target.sendBatch>[0]) => {
        queue.sent += [...messages].length;
        return target.sendBatch(messages);
      };
    },
  });
  return { ...env, DB: database.db, DOCUMENTS: bucket.bucket, ACCOUNT_IMPORTS: imports };
}

export default {
  fetch(request, env, context) {
    if (new URL(request.url).pathname !== '/bench/counts') return worker.fetch(request, withCounts(env), context);
    const { database, bucket, queue } = of(env);
    counted = undefined;
    const { trips, rowsRead, rowsWritten } = database;
    return Response.json({ trips, rowsRead, rowsWritten, bucketCalls: bucket.calls, ...queue });
  },
  queue(batch, env, context) {
    const { queue } = of(env);
    queue.batches += 1;
    queue.delivered += batch.messages.length;
    return worker.queue(batch, withCounts(env), context);
  },
} satisfies ExportedHandler<Bindings>;

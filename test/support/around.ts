/**
 * Bindings that ask before they do anything. Every call of the database, the queue and the bucket is handed to an {@link Around},
 * which may run it, refuse it, run it and lose the answer, or never come back: what a test does to them is decided in one place.
 */
export interface BindingCall {
  readonly binding: 'db' | 'queue' | 'documents';
  /** What is called, in a few words: the first words of each statement, the key of an object. Never a value that was bound. */
  readonly what: string;
}

/** Decides the fate of one call. `run` does the real thing. */
export type Around = <T>(call: BindingCall, run: () => Promise<T>) => Promise<T>;

/** What D1 says when the connection broke: the statement may or may not have been committed. */
export const lostConnection = (): Error => new Error('D1_ERROR: Network connection lost.');

/** A promise that is never settled: the call of an isolate that was killed. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

export function databaseAround(real: D1Database, around: Around): D1Database {
  const originals = new WeakMap<object, { readonly query: D1PreparedStatement; readonly what: string }>();
  const wrapped = (query: D1PreparedStatement, what: string): D1PreparedStatement => {
    const proxy = new Proxy(query, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => wrapped(target.bind(...values), what);
        if (name === 'all' || name === 'run') return () => around({ binding: 'db', what }, () => target[name]());
        if (name === 'first') return () => around({ binding: 'db', what }, () => target.first());
        throw new Error(`not wrapped: ${String(name)}`);
      },
    });
    originals.set(proxy, { query, what });
    return proxy;
  };
  return new Proxy(real, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => wrapped(target.prepare(sql), firstWords(sql));
      if (name === 'batch') {
        return (queries: D1PreparedStatement[]) => {
          const known = queries.map((query) => originals.get(query) ?? { query, what: '?' });
          const what = known.map((one) => one.what).join(' + ');
          return around({ binding: 'db', what }, () => target.batch(known.map((one) => one.query)));
        };
      }
      throw new Error(`not wrapped: ${String(name)}`);
    },
  });
}

export function queueAround<T>(real: Queue<T>, around: Around): Queue<T> {
  return {
    send: (message, options) => around({ binding: 'queue', what: 'send' }, () => real.send(message, options)),
    sendBatch: (messages, options) => {
      const list = [...messages];
      return around({ binding: 'queue', what: `send ${list.length}` }, () => real.sendBatch(list, options));
    },
    metrics: () => real.metrics(),
  };
}

export function bucketAround(real: R2Bucket, around: Around): R2Bucket {
  return new Proxy(real, {
    get(target, name) {
      if (name === 'head') return (key: string) => around({ binding: 'documents', what: `head ${key}` }, () => target.head(key));
      if (name === 'list') {
        return (options: R2ListOptions) =>
          around({ binding: 'documents', what: `list ${options.prefix ?? ''}` }, () => target.list(options));
      }
      throw new Error(`not wrapped: ${String(name)}`);
    },
  });
}

const firstWords = (sql: string): string => {
  const words = sql.trim().split(/\s+/);
  const table = words.findIndex((word) => /^(?:into|from|update)$/i.test(word));
  return `${words[0] ?? ''} ${table < 0 ? '' : (words[table + 1] ?? '').replace(/[^a-z0-9_]/gi, '')}`.trim().toLowerCase();
};

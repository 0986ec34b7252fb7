interface Made {
  readonly sql: string;
}
type Builder = (...given: never[]) => (...values: never[]) => Made | readonly Made[];

/** Every query that was made since the file of tests began: its name, by its text. */
export const made = new Map<string, string>();

/**
 * The same builder; what its queries say is taken down under this name. `query-names.ts` puts it around every builder.
 *
 * @public
 */
export function noted(name: string, builder: Builder): Builder {
  return (...given) => {
    const query = builder(...given);
    return (...values) => {
      const one = query(...values);
      for (const { sql } of [one].flat()) made.set(sql, name);
      return one;
    };
  };
}

/** A JSON value out of cells: each has a path, and each knows afterwards which path it has come to. */

/** JSON text and where it is from. */
export interface Leaf<Origin> {
  readonly json: string;
  readonly origin: Origin;
}

/** An object or a list under construction. Names are data of others: they are keys of maps, never of objects. */
export class Branch<Origin> {
  readonly #isList: boolean;
  readonly #parts = new Map<string, Branch<Origin> | Leaf<Origin>>();

  constructor(isList = false) {
    this.#isList = isList;
  }

  /** Positions of a list need not be without holes: its items close up in their order. */
  set([step = '', ...rest]: readonly string[], leaf: Leaf<Origin>): void {
    if (rest.length === 0) {
      this.#parts.set(step, leaf);
      return;
    }
    const part = this.#parts.get(step);
    const branch = part instanceof Branch ? part : new Branch<Origin>(/^\d+$/.test(rest[0] ?? ''));
    this.#parts.set(step, branch);
    branch.set(rest, leaf);
  }

  /** Its JSON text; `onLeaf` hears of each cell the path that it has there, as an error's `attr` says it. */
  json(onLeaf: (path: string, origin: Origin) => void = () => undefined, at = ''): string {
    const parts = [...this.#parts];
    if (this.#isList) parts.sort(([one], [other]) => Number(one) - Number(other));
    const texts = parts.map(([name, part], position) => {
      const path = `${at === '' ? '' : `${at}.`}${this.#isList ? position : name}`;
      if (!(part instanceof Branch)) onLeaf(path, part.origin);
      const text = part instanceof Branch ? part.json(onLeaf, path) : part.json;
      return this.#isList ? text : `${JSON.stringify(name)}:${text}`;
    });
    return this.#isList ? `[${texts.join(',')}]` : `{${texts.join(',')}}`;
  }
}

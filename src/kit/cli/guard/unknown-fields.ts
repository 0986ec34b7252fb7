/** Fields of the records that no schema knows, with the ones they may have meant. */
import type { Field, ObjectField } from '../fields';
import { number } from '../progress';
import type { Finding } from './finding';
import { meant } from './likeness';

/** Beyond this many names they are data, not mistakes. */
const MAX_NAMES = 200;
const MAX_SHOWN = 6;

interface Unknown {
  readonly first: number;
  /** The field that it may have meant. */
  readonly meant: string | undefined;
  records: number;
  last: number;
}

export class UnknownFields {
  readonly #root: ObjectField;
  readonly #found = new Map<string, Unknown>();

  constructor(root: ObjectField) {
    this.#root = root;
  }

  take(fields: Readonly<Record<string, unknown>>, line: number): void {
    this.#walk(fields, this.#root, '', line);
  }

  findings(unit: string, total: number): Finding[] {
    const found = [...this.#found].sort(([, a], [, b]) => b.records - a.records);
    const [alike, others] = [found.filter(([, one]) => one.meant !== undefined), found.filter(([, one]) => one.meant === undefined)];
    const findings: Finding[] = alike.map(([path, one]) => ({
      text: `"${path}" in ${number(one.records)} of ${number(total)} ${unit}s (the first is ${unit} ${number(one.first)}) is not a field: did you mean "${one.meant}"?`,
      stop: 'unknown-fields',
    }));
    if (others.length > 0) {
      const names = others.slice(0, MAX_SHOWN).map(([path, { records }]) => `${path} (${number(records)})`);
      const more = others.length > MAX_SHOWN ? ', …' : '';
      findings.push({ text: `Not fields of the service; they are stored as they are sent: ${names.join(', ')}${more}` });
    }
    return findings;
  }

  #walk(value: unknown, field: Field, path: string, line: number): void {
    if (typeof value !== 'object' || value === null) return;
    if (field.shape === 'list') {
      if (Array.isArray(value)) for (const item of value) this.#walk(item, field.item, `${path}.*`, line);
      return;
    }
    if (field.shape !== 'object' || Array.isArray(value)) return;
    for (const [name, part] of Object.entries(value)) {
      const known = field.fields.get(name);
      const at = path === '' ? name : `${path}.${name}`;
      if (known) this.#walk(part, known, at, line);
      else if (!field.isOpen) this.#note(at, meant(name, field.fields.keys()), line);
    }
  }

  #note(path: string, name: string | undefined, line: number): void {
    const known = this.#found.get(path);
    if (known) {
      if (known.last !== line) known.records++;
      known.last = line;
    } else if (this.#found.size < MAX_NAMES) this.#found.set(path, { first: line, meant: name, records: 1, last: line });
  }
}

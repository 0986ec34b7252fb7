/** What an importer hands over, whatever its form: records that can be read again and again, and given back with their errors. */
import type { ErrorItem } from '../../client';
import { UsageError } from '../exit';
import { withErrors, withoutErrors } from './errors-beside';
import { type OpenedFile, openFile } from './open';
import { recordsIn } from './records';

export interface SourceRecord {
  /** JSON text as it is to be sent, without what an earlier run put beside it. */
  readonly text: string;
  /** Where a person finds it: the number of its line, item or row. */
  readonly line: number;
}

export interface Source {
  readonly name: string;
  readonly beside: string;
  /** What a record's number counts. */
  readonly unit: 'line' | 'item' | 'row';
  /** Its form in words, for example `CSV (;), UTF-16`. */
  readonly form: string;
  /** Options of the command that its failed records need as well. */
  readonly again: readonly string[];
  records(): AsyncGenerator<SourceRecord>;
  /** The files that give the failed records back, each with its ending; `failures` is by position in `records()`, from 0. */
  failed(failures: Failures): readonly FailedPart[];
}

export type Failures = ReadonlyMap<number, readonly ErrorItem[]>;

export interface FailedPart {
  /** The file whose failed records these are. */
  readonly of: string;
  readonly ending: 'ndjson' | 'csv';
  /** How a command takes this file beside the first. */
  readonly option?: string;
  lines(): AsyncIterable<string>;
}

export async function jsonSource(file: string, encoding?: string): Promise<Source> {
  return jsonSourceOf(await openFile(file, encoding));
}

export async function jsonSourceOf(opened: OpenedFile): Promise<Source> {
  const isArray = (await firstCharacter(opened)) === '[';
  const source = {
    name: opened.name,
    beside: opened.beside,
    unit: isArray ? 'item' : 'line',
    again: [],
    form: [isArray ? 'JSON array' : 'JSON lines', ...opened.traits].join(', '),
    async *records() {
      for await (const { text, line } of recordsIn(opened.name, opened.text())) yield { text: withoutErrors(text), line };
    },
    failed: (failures: Failures): readonly FailedPart[] => [
      { of: opened.beside, ending: 'ndjson', lines: () => failedLines(source, failures) },
    ],
  } as const;
  return source;
}

async function* failedLines(source: Pick<Source, 'records'>, failures: Failures): AsyncGenerator<string> {
  let index = 0;
  for await (const { text } of source.records()) {
    const errors = failures.get(index++);
    if (errors) yield withErrors(text, errors);
  }
}

/** The first character that is no white space; empty where there is none. */
export async function firstCharacter(opened: OpenedFile): Promise<string> {
  for await (const part of opened.text(4_096)) {
    const text = part.trimStart();
    if (text !== '') return text.charAt(0);
  }
  return '';
}

/** How many records there are. Throws {@link UsageError} where there is none: an empty file is a mistake, not a success. */
export async function countRecords(source: Source): Promise<number> {
  let count = 0;
  for await (const _ of source.records()) count++;
  if (count === 0) throw noRecord(source.name);
  return count;
}

export const noRecord = (name: string): UsageError => new UsageError(`${name} holds no record: nothing was sent.`);

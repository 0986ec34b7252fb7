/**
 * What the commands of `npm run operator` are made of.
 */
import { type ArgsDef, defineCommand, type ParsedArgs, type SubCommandsDef } from 'citty';
import { csvOf } from './csv.ts';
import { type Call, operatorInterface, Refused } from './interface.ts';
import { type Row, table } from './table.ts';

const COMMON = {
  json: { type: 'boolean', description: 'Print what the service answers' },
  url: { type: 'string', description: 'The service; else OPERATOR_URL, else the one that npm start runs here' },
  token: { type: 'string', description: 'The operator token; better OPERATOR_TOKEN, which no list of processes shows' },
} as const;

export const needed = (description: string) => ({ type: 'positional', description, required: true }) as const;
export const optional = (description: string) => ({ type: 'positional', description, required: false }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;

export function text(description: string, required: true): { readonly type: 'string'; description: string; required: true };
export function text(description: string): { readonly type: 'string'; description: string; required: false };
export function text(description: string, required = false) {
  return { type: 'string', description, required };
}

/** What was given as a number; says so if it is none. */
export function wholeNumber(given: string): number {
  if (!/^\d+$/.test(given)) throw new Refused(`${given} is no whole number.`);
  return Number(given);
}

/** The option of lists. */
export const csv = flag('Print CSV for a spreadsheet');

/** A list: a table for a person, CSV with `--csv`. */
export interface Listing {
  readonly rows: readonly Row[];
  /** What is printed in place of a table without rows. */
  readonly empty: string;
  /** What the CSV holds, where that is not the rows. */
  readonly file?: { readonly columns: readonly string[]; readonly rows: readonly Row[] };
}

function textOf(printed: string | Listing, isCsv: boolean): string {
  if (typeof printed === 'string') return `${printed}\n`;
  if (!isCsv) return `${table(printed.rows, printed.empty)}\n`;
  return csvOf(printed.file?.rows ?? printed.rows, printed.file?.columns);
}

/** A command: `run` calls the service and answers `[what it said, how a person reads it]`. A list takes {@link csv}. */
export const command = <const Args extends ArgsDef>(
  description: string,
  args: Args,
  run: (call: Call, given: ParsedArgs<Args & typeof COMMON>) => Promise<readonly [answer: unknown, printed: string | Listing]>,
) =>
  defineCommand<Args & typeof COMMON>({
    meta: { description },
    args: { ...args, ...COMMON },
    async run({ args: given }) {
      try {
        const [answer, printed] = await run(operatorInterface({ url: wordOf(given.url), token: wordOf(given.token) }), given);
        process.stdout.write(given.json ? `${JSON.stringify(answer, null, 2)}\n` : textOf(printed, Reflect.get(given, 'csv') === true));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        console.error(error.message);
        process.exitCode = 1;
      }
    },
  });

const wordOf = (given: unknown) => (typeof given === 'string' ? given : undefined);

export const group = (description: string, subCommands: SubCommandsDef) =>
  defineCommand({ meta: { description }, subCommands: named(subCommands) });

/** Usage calls a command by its name. */
export function named(subCommands: SubCommandsDef): SubCommandsDef {
  for (const [name, sub] of Object.entries(subCommands)) if ('meta' in sub && sub.meta) Reflect.set(sub.meta, 'name', name);
  return subCommands;
}

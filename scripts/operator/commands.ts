/**
 * What the commands of `npm run operator` are made of.
 */
import { type ArgsDef, defineCommand, type ParsedArgs, type SubCommandsDef } from 'citty';
import { type Call, operatorInterface, Refused } from './interface.ts';

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

/** A command: `run` calls the service and answers `[what it said, how a person reads it]`. */
export const command = <const Args extends ArgsDef>(
  description: string,
  args: Args,
  run: (call: Call, given: ParsedArgs<Args & typeof COMMON>) => Promise<readonly [answer: unknown, printed: string]>,
) =>
  defineCommand<Args & typeof COMMON>({
    meta: { description },
    args: { ...args, ...COMMON },
    async run({ args: given }) {
      try {
        const [answer, printed] = await run(operatorInterface({ url: wordOf(given.url), token: wordOf(given.token) }), given);
        console.log(given.json ? JSON.stringify(answer, null, 2) : printed);
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

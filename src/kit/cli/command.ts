/** What every command is made of: its arguments, read strictly. */
import { type ArgsDef, type CommandDef, defineCommand } from 'citty';
import { UsageError } from './exit';

export type Args = Readonly<Record<string, unknown>>;

/** A command that refuses what it does not know, instead of passing over it. */
export function command(name: string, description: string, args: ArgsDef, run: (args: Args) => Promise<void>): CommandDef {
  const places = Object.values(args).filter(({ type }) => type === 'positional').length;
  return defineCommand({
    meta: { name, description },
    args,
    run: async ({ args: given, rawArgs }) => {
      for (const option of rawArgs.filter((arg) => /^--?[a-z]/i.test(arg))) {
        const asked = option.replace(/^-+/, '').replace(/=.*$/s, '');
        const known = args[asked] ?? args[asked.replace(/^no-/, '')];
        if (!known || known.type === 'positional') throw new UsageError(`${option} is no option of "${name}".`);
      }
      if (given._.length > places) throw new UsageError(`"${name}" does not take "${given._[places]}".`);
      return run(given);
    },
  });
}

/** Commands under one name. */
export const group = (name: string, description: string, subCommands: Record<string, CommandDef>): CommandDef =>
  defineCommand({ meta: { name, description }, subCommands });

/** The command that the first words name: in a group the one that the second word names, if it names one. */
export async function commandNamed(
  commands: Readonly<Record<string, CommandDef>>,
  [first = '', second = '']: readonly string[],
): Promise<CommandDef | undefined> {
  const chosen = Object.hasOwn(commands, first) ? commands[first] : undefined;
  const grouped = chosen?.subCommands;
  const inner = await (typeof grouped === 'function' ? grouped() : grouped);
  const one = inner && Object.hasOwn(inner, second) ? inner[second] : undefined;
  return (await (typeof one === 'function' ? one() : one)) ?? chosen;
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export function wholeOf(name: string, value: unknown, max: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > max) throw new UsageError(`--${name} takes a whole number from 1 to ${max}.`);
  return number;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `90s`, `10m` or `2h` as milliseconds; `0` is no time at all. */
export function millisecondsOf(name: string, value: unknown): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [, count, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(`--${name} takes a time such as 90s, 10m or 2h, not "${text}".`);
  return Number(count) * (UNITS[unit] ?? 1_000);
}

export const listOf = (value: unknown): string[] =>
  textOf(value)
    ?.split(',')
    .map((item) => item.trim()) ?? [];

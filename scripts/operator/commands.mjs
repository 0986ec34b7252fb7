/**
 * What the commands of `npm run operator` are made of.
 */
import { defineCommand } from 'citty';
import { operatorInterface, Refused } from './interface.mjs';

const COMMON = {
  json: { type: 'boolean', description: 'Print what the service answers' },
  url: { type: 'string', description: 'The service; else OPERATOR_URL, else the one that npm start runs here' },
  token: { type: 'string', description: 'The operator token; better OPERATOR_TOKEN, which no list of processes shows' },
};

export const needed = (description) => ({ type: 'positional', description, required: true });
export const optional = (description) => ({ type: 'positional', description, required: false });
export const text = (description, required = false) => ({ type: 'string', description, required });
export const flag = (description) => ({ type: 'boolean', description });

/** What was given as a number; says so if it is none. */
export function wholeNumber(given) {
  if (!/^\d+$/.test(given)) throw new Refused(`${given} is no whole number.`);
  return Number(given);
}

/** A command: `run` calls the service and answers `[what it said, how a person reads it]`. */
export const command = (description, args, run) =>
  defineCommand({
    meta: { description },
    args: { ...args, ...COMMON },
    async run({ args: given }) {
      try {
        const [answer, told] = await run(operatorInterface(given), given);
        console.log(given.json ? JSON.stringify(answer, null, 2) : told);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        console.error(error.message);
        process.exitCode = 1;
      }
    },
  });

export const group = (description, subCommands) => defineCommand({ meta: { description }, subCommands: named(subCommands) });

/** Usage tells a command by its name. */
export function named(subCommands) {
  for (const [name, sub] of Object.entries(subCommands)) sub.meta.name = name;
  return subCommands;
}

/** `data-import`: the importer's command line. */
import { stripVTControlCharacters } from 'node:util';
import { type CommandDef, defineCommand, renderUsage, runCommand } from 'citty';
import { ApiError, NoAnswerError } from '../client';
import { commandNamed } from './command';
import { commandsOf } from './commands';
import { EXIT, type ExitCode, Stopped, UsageError } from './exit';
import { reasonOf } from './outage';

/** Of the package; put in by the build. */
declare const VERSION: string;

const commands = commandsOf((code) => {
  process.exitCode = code;
});
const program = defineCommand({
  meta: { name: 'data-import', description: 'Imports customer accounts through the Account Data-Import Service' },
  subCommands: commands,
});

async function main(rawArgs: string[]): Promise<ExitCode | undefined> {
  const chosen = await commandNamed(commands, rawArgs);
  if (rawArgs[0] === '--version' || rawArgs[0] === '-V') {
    process.stdout.write(`${VERSION}\n`);
    return EXIT.allDone;
  }
  if (rawArgs.length === 0 || rawArgs[0] === 'help' || rawArgs.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${await usageOf(chosen)}\n`);
    return rawArgs.length === 0 ? EXIT.usageOrAccess : EXIT.allDone;
  }
  try {
    await runCommand(program, { rawArgs });
    return exitCodeSoFar();
  } catch (error) {
    return printFailure(error, chosen, rawArgs);
  }
}

const exitCodeSoFar = (): ExitCode | undefined => Object.values(EXIT).find((code) => code === process.exitCode);

const usageOf = async (chosen: CommandDef | undefined): Promise<string> => {
  const text = await (chosen ? renderUsage(chosen, program) : renderUsage(program));
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
};

/** Says what went wrong in words, and answers with which code to end. */
async function printFailure(error: unknown, chosen: CommandDef | undefined, rawArgs: readonly string[]): Promise<ExitCode> {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (error instanceof Stopped) {
    say(error.message);
    return EXIT.stopped;
  }
  if (error instanceof UsageError) {
    say(error.message);
    return EXIT.usageOrAccess;
  }
  if (error instanceof Error && error.name === 'CLIError') {
    say(`${stripVTControlCharacters(error.message)}\n\n${stripVTControlCharacters(await usageOf(chosen))}`);
    return EXIT.usageOrAccess;
  }
  if (error instanceof NoAnswerError) {
    const reason = error.cause === undefined ? '' : ` (${reasonOf(error.cause)})`;
    say(`${error.message.replace(/\.$/, '')}${reason}. Nothing is lost: run the same command again. (request ${error.requestId})`);
    return EXIT.usageOrAccess;
  }
  if (error instanceof ApiError) {
    const words = error.isAccessRefused ? 'The service does not accept this API key: run "data-import login".' : error.message;
    say(`${words} (${objectOf(rawArgs)}${error.code}, request ${error.requestId})`);
    return error.isAccessRefused || error.status === 429 || error.status >= 500 ? EXIT.usageOrAccess : EXIT.someFailed;
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.someFailed;
}

/** What the command was about, without its options. */
const objectOf = (rawArgs: readonly string[]): string =>
  rawArgs
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => `${arg} `)
    .join('');

// Whoever reads the results may have read enough (`| head`): no failure of ours.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));

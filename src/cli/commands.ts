/** The commands: their arguments, and what each of them runs. */
import { type ArgsDef, type CommandDef, defineCommand } from 'citty';
import type { DataImportClient } from '../client';
import { clientFromAccess } from './access';
import { type Add, addRecords } from './add';
import { type ExitCode, stoppable, UsageError } from './exit';
import { Import } from './import';
import { login } from './login';
import { LISTS, lists, status, watch } from './look';
import { validate } from './validate';

/** Runs a command's work and keeps its exit code. */
export type Ending = (code: ExitCode) => void;

const file = { type: 'positional', description: 'One JSON value a line, or one JSON array', required: true } as const;
const json = { type: 'boolean', description: 'Results as JSON on stdout' } as const;
const failed = { type: 'string', description: 'Where the failed ones go', valueHint: 'FILE.failed.ndjson' } as const;
const supplier = { type: 'positional', description: 'Import supplier code', required: true } as const;
const account = { type: 'positional', description: 'External account number', required: false } as const;

export function commandsOf(end: Ending): Record<string, CommandDef> {
  return {
    login: command(
      'login',
      'Checks an API key and keeps it; asks for what is not given',
      {
        url: { type: 'string', description: 'Address of the service' },
        'api-key': { type: 'string', description: 'API key; better typed or piped in, so that it stands in no history' },
      },
      async (args) => end(await login({ url: textOf(args['url']), apiKey: textOf(args['api-key']) })),
    ),
    validate: command(
      'validate',
      'Tells all errors of all accounts; stores nothing',
      {
        file,
        offline: { type: 'boolean', description: 'Without the service: the same rules, but for supplier and documents' },
        country: { type: 'string', description: "Offline: the supplier's country; phone numbers are judged by it", valueHint: 'GB' },
        'extra-charge-reasons': { type: 'string', description: "Offline: the supplier's own, comma-separated" },
        'extra-credit-reasons': { type: 'string', description: "Offline: the supplier's own, comma-separated" },
        json,
      },
      async (args) => {
        const known = {
          country: textOf(args['country']),
          extraChargeReasons: listOf(args['extra-charge-reasons']),
          extraCreditReasons: listOf(args['extra-credit-reasons']),
        };
        const by = args['offline'] === true ? known : clientFromAccess();
        end(await validate({ file: String(args['file']), isJson: args['json'] === true, by, signal: stoppable() }));
      },
    ),
    import: command(
      'import',
      'Imports accounts and waits until each is finished; run it again after a stop, nothing is doubled',
      {
        file,
        wait: { type: 'boolean', default: true, negativeDescription: 'Leave as soon as all is scheduled' },
        'lines-per-request': { type: 'string', default: '1000', description: 'Accounts sent at once, 1 to 10,000' },
        failed,
        json,
      },
      async (args) => {
        const options = { file: String(args['file']), isJson: args['json'] === true, isToWait: args['wait'] !== false };
        const more = {
          failedFile: textOf(args['failed']),
          linesPerRequest: wholeOf('lines-per-request', args['lines-per-request'], 10_000),
        };
        end(await new Import(clientFromAccess(), { ...options, ...more, signal: stoppable() }).run());
      },
    ),
    status: look('status', 'Tells the import of one account, or the counts of a supplier', { supplier, account, json }, (args, options) =>
      status(textOf(args['account']), options),
    ),
    watch: look(
      'watch',
      'Follows one account to its end, or a supplier until nothing is pending',
      { supplier, account, json },
      (args, options) => watch(textOf(args['account']), options),
    ),
    lists: look(
      'lists',
      'Lists the accounts of a supplier',
      { list: { type: 'positional', description: LISTS.join(', '), required: true }, supplier, json },
      (args, options) => lists(String(args['list']), options),
    ),
    notes: addition(
      'notes',
      'Adds notes: one request body of the notes endpoint a record',
      {},
      (client) => async (body, signal) => statusesOf(await client.addNotes(body, { signal })),
    ),
    transactions: addition(
      'transactions',
      'Adds transactions: one request body a record',
      {
        'check-previously-added': {
          type: 'boolean',
          default: true,
          negativeDescription: 'Add even what has been added before: a second run doubles',
        },
        'force-add-to-current-statement': {
          type: 'boolean',
          default: true,
          negativeDescription: 'Fail instead of moving a date into the open period',
        },
      },
      (client, args) => async (body, signal) => {
        const options = {
          checkPreviouslyAdded: isLookedUp(args),
          forceAddToCurrentStatement: args['force-add-to-current-statement'] !== false,
        };
        return statusesOf((await client.addTransactions(body, { ...options, signal })).results);
      },
    ),
    statements: addition('statements', 'Adds historical statements: one request body a record', {}, (client) => async (body, signal) => {
      await client.addHistoricalStatements(body, { signal });
      return [];
    }),
    'payment-instructions': addition(
      'payment-instructions',
      'Adds payment instructions: one request body a record',
      {},
      (client) => async (body, signal) => {
        await client.addPaymentInstruction(body, { signal });
        return [];
      },
    ),
  };

  function look(
    name: string,
    description: string,
    args: ArgsDef,
    run: (args: Args, options: { client: DataImportClient; supplier: string; isJson: boolean; signal: AbortSignal }) => Promise<ExitCode>,
  ): CommandDef {
    return command(name, description, args, async (given) => {
      const options = {
        client: clientFromAccess(),
        supplier: String(given['supplier']),
        isJson: given['json'] === true,
        signal: stoppable(),
      };
      end(await run(given, options));
    });
  }

  function addition(name: string, description: string, args: ArgsDef, add: (client: DataImportClient, args: Args) => Add): CommandDef {
    return command(name, description, { file, ...args, failed, json }, async (given) => {
      const client = clientFromAccess();
      const options = { name, file: String(given['file']), isJson: given['json'] === true, failedFile: textOf(given['failed']) };
      end(await addRecords({ ...options, client, add: add(client, given), isOnce: !isLookedUp(given), signal: stoppable() }));
    });
  }
}

type Args = Readonly<Record<string, unknown>>;

/** A transaction that the account has with other content counts apart: what was sent is not stored. */
const statusesOf = (items: readonly { readonly status: string; readonly differs?: boolean }[]): string[] =>
  items.map(({ status, differs }) => (differs ? `${status}, differs` : status));

const isLookedUp = (args: Args): boolean => args['check-previously-added'] !== false;

/** A command that refuses what it does not know, instead of passing over it. */
function command(name: string, description: string, args: ArgsDef, run: (args: Args) => Promise<void>): CommandDef {
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function wholeOf(name: string, value: unknown, max: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > max) throw new UsageError(`--${name} takes a whole number from 1 to ${max}.`);
  return number;
}

const listOf = (value: unknown): string[] =>
  textOf(value)
    ?.split(',')
    .map((item) => item.trim()) ?? [];

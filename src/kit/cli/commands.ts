/** The commands: their arguments, and what each of them runs. */
import type { ArgsDef, CommandDef } from 'citty';
import { connect } from './access';
import { addRecords } from './add';
import { instructionsIn, type KindOf, notesIn, statementsIn, transactionsIn } from './adding';
import { account, accountsFile, allow, encoding, failed, file, json, patience, supplier } from './arguments';
import { type Args, command, group, listOf, millisecondsOf, textOf, wholeOf } from './command';
import { csvArgs, csvOptionsOf } from './csv/options';
import { convert, template } from './csv/run';
import { checkDocuments } from './documents/check';
import { uploadDocuments } from './documents/upload';
import { events } from './events';
import { type ExitCode, stoppable } from './exit';
import { jsonSource } from './files/source';
import { allowedOf } from './guard/guard';
import { LISTEN, listen } from './listen';
import { login } from './login';
import { cancel, LISTS, type LookOptions, lists, status, watch } from './look';
import { openAccounts } from './open-source';
import { repair } from './repair';
import { paramsOf, planOf, RUN_ARGS, runCommand } from './run/commands';
import { importAccounts } from './run/import-run';
import { withSource } from './run/params';
import { validate } from './validate';

/** Runs a command's work and keeps its exit code. */
export type Ending = (code: ExitCode) => void;

const LOOK_MILLISECONDS = 5_000;

export function commandsOf(end: Ending): Record<string, CommandDef> {
  return {
    login: command(
      'login',
      'Checks an API key and keeps it; asks for what is not given',
      {
        url: { type: 'string', description: 'Address of the service' },
        'api-key': { type: 'string', description: 'API key; better typed or piped in, so that no history holds it' },
      },
      async (args) => end(await login({ url: textOf(args['url']), apiKey: textOf(args['api-key']) })),
    ),
    validate: command(
      'validate',
      'Reports all errors of all accounts; stores nothing',
      {
        file: accountsFile,
        ...csvArgs(),
        allow,
        patience,
        offline: { type: 'boolean', description: 'Without the service: the same rules, but for supplier and documents' },
        country: { type: 'string', description: "Offline: the supplier's country, which phone numbers are read by", valueHint: 'GB' },
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
        const by = args['offline'] === true ? known : connect(millisecondsOf('patience', args['patience']));
        const options = { ...(await accountsOf(args)), allowed: allowedOf(textOf(args['allow'])), isJson: args['json'] === true, by };
        end(await validate({ ...options, signal: 'client' in by ? by.signal : stoppable() }));
      },
    ),
    import: command(
      'import',
      'Imports accounts and waits until each is finished; run it again after a stop, nothing is doubled',
      {
        file: accountsFile,
        ...csvArgs(),
        allow,
        patience,
        wait: { type: 'boolean', default: true, negativeDescription: 'Leave as soon as all is scheduled' },
        'lines-per-request': { type: 'string', default: '1000', description: 'Accounts sent at once, 1 to 10,000' },
        ...RUN_ARGS,
        failed,
        receipt: { type: 'string', description: 'Where the platform numbers go', valueHint: 'FILE.receipt.csv' },
        json,
      },
      async (args) => {
        const connection = connect(millisecondsOf('patience', args['patience']));
        const options = {
          ...withSource(await accountsOf(args), paramsOf(args)),
          connection,
          allowed: allowedOf(textOf(args['allow'])),
          isJson: args['json'] === true,
          isToWait: args['wait'] !== false,
          failedFile: textOf(args['failed']),
          receiptFile: textOf(args['receipt']),
          linesPerRequest: wholeOf('lines-per-request', args['lines-per-request'], 10_000),
        };
        end(await importAccounts(options, planOf(args)));
      },
    ),
    convert: command(
      'convert',
      'Prints the accounts of a CSV file as JSON, one a line; sends nothing',
      { file: accountsFile, ...csvArgs(), allow },
      async (args) => end(await convert({ ...(await accountsOf(args)), allowed: allowedOf(textOf(args['allow'])) })),
    ),
    template: command(
      'template',
      'Prints the header of a CSV file that can be imported as it is',
      { sheet: { type: 'positional', description: 'accounts, or a list of it such as customers', required: true } },
      async (args) => end(template(String(args['sheet']))),
    ),
    documents: group('documents', 'Checks that documents are there, and uploads them', {
      check: command(
        'documents check',
        'Looks up every document that a file of accounts, notes or statements names; sends none of it',
        { file: accountsFile, ...csvArgs(), patience, json },
        async (args) => {
          const connection = connect(millisecondsOf('patience', args['patience']));
          const { source } = await accountsOf(args);
          end(await checkDocuments({ source, connection, isJson: args['json'] === true }));
        },
      ),
      upload: command(
        'documents upload',
        'Uploads the files of a folder; run it again after a stop: what is there already is left as it is',
        { folder: { type: 'positional', description: 'A file in it is at its path below it', required: true }, supplier, patience, json },
        async (args) => {
          const connection = connect(millisecondsOf('patience', args['patience']));
          const options = { folder: String(args['folder']), supplier: String(args['supplier']), isJson: args['json'] === true };
          end(await uploadDocuments({ ...options, connection }));
        },
      ),
    }),
    run: runCommand(end),
    status: look('status', 'Shows the import of one account, or the counts of a supplier', { supplier, account, json }, (args, options) =>
      status(textOf(args['account']), options),
    ),
    watch: look(
      'watch',
      'Follows one account to its end, or a supplier until nothing is pending or in progress',
      { supplier, account, json },
      (args, options) => watch(textOf(args['account']), options),
    ),
    lists: look(
      'lists',
      'Lists the accounts of a supplier',
      { list: { type: 'positional', description: LISTS.join(', '), required: true }, supplier, json },
      (args, options) => lists(String(args['list']), options),
    ),
    events: look(
      'events',
      'Prints what happened under a supplier, in order; one line for each event',
      {
        supplier,
        follow: { type: 'boolean', description: 'Goes on with what happens next, until it is stopped' },
        cursor: { type: 'string', description: 'Where an earlier run ended; from the oldest event without' },
        json,
      },
      (args, options) => events({ follow: args['follow'] === true, cursor: textOf(args['cursor']) }, options),
    ),
    listen: look('listen', LISTEN.about, { supplier, ...LISTEN.args, json }, listen),
    repair: command(
      'repair',
      'Writes the failed file of an import from what the service knows: the records of the file whose imports failed, with their errors',
      { 'import-supplier': supplier, file: { ...accountsFile, description: 'The file that was sent' }, ...csvArgs(), failed, json },
      async (args) => {
        const { client, signal } = connect(LOOK_MILLISECONDS);
        const { source } = await accountsOf(args);
        const options = { supplier: String(args['import-supplier']), failedFile: textOf(args['failed']), isJson: args['json'] === true };
        end(await repair({ ...options, client, source, signal }));
      },
    ),
    cancel: look(
      'cancel',
      'Cancels the import of one account that is still waiting',
      { supplier, account: { ...account, required: true }, json },
      (args, options) => cancel(String(args['account']), options),
    ),
    notes: addition('notes', 'Adds notes: one request body of the notes endpoint a record', {}, notesIn),
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
      transactionsIn,
    ),
    statements: addition('statements', 'Adds historical statements: one request body a record', {}, statementsIn),
    'payment-instructions': addition('payment-instructions', 'Adds payment instructions: one request body a record', {}, instructionsIn),
  };

  function look(
    name: string,
    description: string,
    args: ArgsDef,
    run: (args: Args, options: LookOptions) => Promise<ExitCode>,
  ): CommandDef {
    return command(name, description, args, async (given) => {
      // Who asks for a look wants it now; who watches has time.
      const { client, signal, outage } = connect(/watch|listen/.test(name) || given['follow'] === true ? undefined : LOOK_MILLISECONDS);
      end(await run(given, { client, signal, outage, supplier: String(given['supplier']), isJson: given['json'] === true }));
    });
  }

  function addition<Result>(name: string, description: string, args: ArgsDef, kindOf: KindOf<Result>): CommandDef {
    return command(name, description, { file, encoding, ...args, patience, failed, json }, async (given) => {
      const connection = connect(millisecondsOf('patience', given['patience']));
      const source = await jsonSource(String(given['file']), textOf(given['encoding']));
      const options = { name, source, connection, isJson: given['json'] === true, failedFile: textOf(given['failed']) };
      end(await addRecords({ ...options, ...kindOf(connection.client, given) }));
    });
  }
}

/** The file of accounts that is named, and what was found while it was opened. */
const accountsOf = (args: Args) => openAccounts(String(args['file']), csvOptionsOf(args));

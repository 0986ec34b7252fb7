/**
 * `npm run operator -- …`: the operator interface from the terminal, as a table or with `--json` as the service answers.
 *
 *   npm run operator -- suppliers list
 *   npm run operator -- suppliers change NORTH --time-zone Australia/Sydney
 *   npm run operator -- pause NORTH --reason "vendor down"
 *   npm run operator -- find A-60BF1893
 *   npm run operator -- retry NORTH --code import_process_failed_validation
 *   npm run operator -- keys create org_… --label "migration team"
 *   npm run operator -- account NORTH E-1
 *   npm run operator -- documents list A-60BF1893
 *   npm run operator -- accounts NORTH --status ERRORED --csv
 *   npm run operator -- tokens create "Ada Lovelace" --role operate
 *   npm run operator -- alerts list
 *   npm run operator -- runs undo NORTH wave-1 --reason "balances were in pounds"
 */
import { defineCommand, runMain } from 'citty';
import { account, endInstruction, erase, rates } from './operator/account.ts';
import { named } from './operator/commands.ts';
import { documents } from './operator/documents.ts';
import { keys, organisations } from './operator/organisations.ts';
import { alerts, tokens } from './operator/people.ts';
import { accounts, errors, find, refusals } from './operator/processes.ts';
import { audit, letters, queue, restored } from './operator/queue.ts';
import { runs } from './operator/runs.ts';
import { complete, pause, resume, suppliers } from './operator/suppliers.ts';
import { cancel, retry } from './operator/transitions.ts';

await runMain(
  defineCommand({
    meta: { name: 'npm run operator --', description: 'Operate the account data-import service' },
    subCommands: named({
      suppliers,
      pause,
      resume,
      complete,
      accounts,
      find,
      account,
      documents,
      'end-instruction': endInstruction,
      erase,
      errors,
      refusals,
      rates,
      retry,
      cancel,
      runs,
      organisations,
      keys,
      queue,
      restored,
      'dead-letters': letters,
      audit,
      tokens,
      alerts,
    }),
  }),
);

/** Import processes that are retried or cancelled: one, several by name, or all with an error code. */
import { command, needed, optional, text } from './commands.ts';
import { type Call, Refused } from './interface.ts';
import { table } from './table.ts';

export interface Retried {
  readonly retried: number;
  readonly left_out?: { readonly window_over: number; readonly payload_emptied: number };
}

/** What a retry did, and what it left out. */
export function retriedInWords({ retried, left_out: leftOut }: Retried): string {
  const printed = `${retried} accounts are scheduled again.`;
  if (!leftOut) return printed;
  const { window_over: over, payload_emptied: emptied } = leftOut;
  return `${printed} Not retried: ${over} whose schedule window is over, ${emptied} whose payload retention has emptied. They have to be created again.`;
}

interface Changed {
  readonly changed: readonly string[];
  readonly refused: readonly { readonly external_account_number: string; readonly detail: string }[];
}

/** Of an account that is not there, or is not in the status that it must be in. */
const isOfOne = (error: unknown): error is Refused => error instanceof Refused && (error.status === 404 || error.status === 409);

/** Retries or cancels accounts one after the other: what has changed meanwhile is left as it is, and the others go on. */
async function changeEach(call: Call, supplier: string, verb: 'retry' | 'cancel', accounts: readonly string[], done: string) {
  const changed: string[] = [];
  const refused: { external_account_number: string; detail: string }[] = [];
  const answer: Changed = { changed, refused };
  for (const account of new Set(accounts)) {
    try {
      await call('POST', ['suppliers', supplier, 'import-processes', account, verb]);
      changed.push(account);
    } catch (error) {
      if (isOfOne(error)) refused.push({ external_account_number: account, detail: error.message });
      else if (error instanceof Refused) throw new Refused(`${error.message}\nIt ended at ${account}. Before it ${sum(answer, done)}`);
      else throw error;
    }
  }
  if (refused.length > 0) process.exitCode = 1;
  const rows = refused.map(({ external_account_number: number, detail }) => ({ 'external account number': number, why: detail }));
  return [answer, [sum(answer, done), ...(rows.length > 0 ? [table(rows)] : [])].join('\n\n')] as const;
}

const sum = ({ changed, refused }: Changed, done: string) => `${changed.length} of ${changed.length + refused.length} are ${done}.`;

export const retry = command(
  'Schedule errored accounts again: those that are named, or all with an error code',
  { supplier: needed('Supplier code'), account: optional('External account numbers, one or several'), code: text('Error code') },
  async (call, { supplier, account, code, _: [, ...accounts] }) => {
    if ((account === undefined) === (code === undefined))
      throw new Refused('Say which: an external account number, or --code with an error code.');
    if (accounts.length > 1) return changeEach(call, supplier, 'retry', accounts, 'scheduled again');
    if (account !== undefined) {
      const answer = await call('POST', ['suppliers', supplier, 'import-processes', account, 'retry']);
      return [answer, `${account} is scheduled again.`];
    }
    const answer = await call<Retried & { left: number }>('POST', ['suppliers', supplier, 'retry-errored'], { error_code: code });
    const left = answer.left > 0 ? ` ${answer.left} are left: run it again.` : '';
    return [answer, `${retriedInWords(answer)}${left}`];
  },
);

export const cancel = command(
  'Cancel pending imports: those that are named',
  { supplier: needed('Supplier code'), account: needed('External account numbers, one or several') },
  async (call, { supplier, account, _: [, ...accounts] }) => {
    if (accounts.length > 1) return changeEach(call, supplier, 'cancel', accounts, 'cancelled');
    const answer = await call('POST', ['suppliers', supplier, 'import-processes', account, 'cancel']);
    return [answer, `${account} is cancelled.`];
  },
);

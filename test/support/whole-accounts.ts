/**
 * Accounts that came in through the queue, with something of everything: what is read of them later.
 */

import { aDeps, type GivenDeps } from './deps';
import { aDocument, call, type GivenSupplier } from './given';
import { deliver, stage } from './importing';
import { aFullAccount } from './payloads';

export interface Imported {
  readonly supplier: GivenSupplier;
  readonly external: string;
  readonly number: string;
  readonly identifier: string;
  readonly body: Omit<ReturnType<typeof aFullAccount>, 'notes'> & { readonly notes: readonly object[] };
}

/** Creates the accounts and lets the consumer have them, in one slice. */
export async function importAll(supplier: GivenSupplier, bodies: readonly unknown[], deps: GivenDeps = aDeps()): Promise<void> {
  const { messages } = await stage(supplier, bodies, deps);
  await deliver(deps, messages);
}

export async function numbersOf(supplier: GivenSupplier, external: string): Promise<{ number: string; identifier: string }> {
  const [transfer, status] = [
    await call('GET', `/v1/data-import/account-transfer-status/${supplier.code}/${external}/`, { token: supplier.token }),
    await call('GET', `/v2/data-import/accounts/${supplier.code}/${external}/`, { token: supplier.token }),
  ];
  const { platform_account_number: number = '' } = transfer.body as Record<string, string>;
  return { number, identifier: (status.body as Record<string, string>)['platform_identifier'] ?? '' };
}

/** The keys of the documents that {@link aWholeAccount} names: of a note of its payload, of a note and a statement that were posted. */
export const keysUnder = ({ code }: GivenSupplier) => ({
  note: `${code}/letters/Zoë's letter.pdf`,
  posted: `${code}/letters/photo.png`,
  statement: `${code}/statements/2026-02.html`,
});

/** An account with everything: imported in full, then notes, transactions, a statement and a payment instruction posted to it. */
export async function aWholeAccount(supplier: GivenSupplier): Promise<Imported> {
  const external = `W/${crypto.randomUUID().slice(0, 8)}`;
  const full = aFullAccount(supplier.code, external);
  const keys = keysUnder(supplier);
  await Promise.all(Object.values(keys).map(aDocument));
  const pathOf = (key: string) => key.slice(supplier.code.length + 1);
  const body = {
    ...full,
    notes: [
      ...full.notes,
      { body: 'With a letter.', document_paths: [{ document_path: pathOf(keys.note), scanned_by: 'Eve' }], asked_by: 'Bob' },
    ],
  };
  await importAll(supplier, [body]);
  const pair = { import_supplier: supplier.code, external_account_number: external };
  const post = (path: string, more: object) =>
    call('POST', `/v1/data-import/${path}/create/`, { token: supplier.token, body: { ...pair, ...more } });
  const answers = [
    await post('notes', { notes: [{ body: 'Posted later.', is_pinned: true, document_paths: [{ document_path: pathOf(keys.posted) }] }] }),
    await post('transactions', {
      transactions: [{ transaction_id: 'LATER-1', transaction_date: '2020-01-01', amount: 12.5, type: 'PAYMENT', desk: 'North' }],
    }),
    await post('historical-statements', {
      statements: [
        {
          statement_id: 'LATER-S',
          number: '2026/02',
          bill_period_from_date: '2026-02-01',
          bill_period_to_date: '2026-02-28',
          issued_date: '2026-03-01',
          gross_amount: 1,
          statement_path: pathOf(keys.statement),
        },
      ],
    }),
    await post('payment-instruction', { vendor: 'SANDBOX', reference: 'sandbox-card', type: 'CARD' }),
  ];
  const refused = answers.find(({ status }) => status >= 300);
  if (refused) throw new Error(`not added: ${JSON.stringify(refused.body)}`);
  return { supplier, external, body, ...(await numbersOf(supplier, encodeURIComponent(external))) };
}

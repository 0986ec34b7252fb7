/** §4.9 to §4.11: what a supplier has staged and imported. */
import * as z from 'zod';
import * as answer from './answers';
import { invalidQuery, NOT_FOUND, type Operation, ok, type Parameter, READ } from './operation';

const STAGED = { external_account_number: 'ACC-2', platform_account_number: null, account_created_at: null };
const CREATED = { platform_account_number: 'A-6EFD7231', account_created_at: '2026-11-20T10:16:22.240Z' };
const IMPORTED = { external_account_number: 'ACC-1', ...CREATED };

const PAGE: readonly Parameter[] = [
  {
    name: 'limit',
    description: 'At most so many items; the `Link` header then leads on. Without it the whole array is streamed.',
    schema: z.int().min(1).max(10_000),
    example: 100,
  },
  {
    name: 'cursor',
    description: 'Where to go on: taken from the `Link` header of the page before.',
    schema: z.string().meta({ pattern: '^[A-Za-z0-9_-]+$' }),
  },
];

const list = (name: string, id: string, section: string, summary: string, description: string, items: readonly unknown[]): Operation => ({
  method: 'get',
  path: `/v1/data-import/${name}/{import_supplier_code}/`,
  id,
  tag: 'Lists',
  section,
  summary,
  description: `${description} In the order of the first create. The closing bracket is written after the last page came back: a cut answer does not parse.`,
  access: 'importer',
  query: PAGE,
  answers: {
    200: ok('Account import summaries.', answer.summaries, items, ['Link']),
    400: invalidQuery('limit'),
    404: NOT_FOUND('The supplier is not known.'),
    ...READ,
  },
});

export const LIST_OPERATIONS: readonly Operation[] = [
  list('all-account-import-processes', 'listAccountImports', '4.9', 'List all account imports', 'Staged and imported accounts.', [
    IMPORTED,
    STAGED,
  ]),
  list('pending-account-import-processes', 'listPendingImports', '4.10', 'List pending imports', 'Without a platform account.', [STAGED]),
  list('imported-account-import-processes', 'listImportedAccounts', '4.11', 'List imported accounts', 'With a platform account.', [
    IMPORTED,
  ]),
];

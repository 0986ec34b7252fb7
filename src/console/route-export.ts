/**
 * A list as a file for a spreadsheet: one line for each failed field, and one for each process without such.
 */
import type { Deps } from '../deps';
import type { AppHandler } from '../http/app';
import { textStream } from '../http/stream';
import { statusOf } from '../import-processes';
import { errorOf, type ListedRow, listProcesses, type ProcessFilter, readSupplier } from '../operator';
import { csvLine } from '../shared/csv';
import { isoInstant } from '../shared/dates';
import { nothingHere, page } from './route-frame';
import { filterOf } from './route-processes';

/** Processes of one look, and looks of one file: a request may ask the database about a thousand times. */
const [SLICE, MAX_SLICES] = [2_000, 250];

const HEAD = 'external_account_number,status,account_number,dry_run,created_at,modified_at,error_code,attr,field_code,detail';

export const getExport: AppHandler = page(async (c) => {
  const { deps } = c.var;
  const code = c.req.param('code') ?? '';
  if (!(await readSupplier(deps, code))) return nothingHere(c);
  const lines = linesOf(deps, code, { ...filterOf(c), cursor: undefined });
  return c.body(textStream(deps, lines), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="accounts.csv"; filename*=UTF-8''${encodeURIComponent(code)}.csv`,
  });
});

/** The file, slice by slice. One that is too long says so in its last line. */
async function* linesOf(deps: Deps, code: string, filter: ProcessFilter): AsyncGenerator<string> {
  yield `${HEAD}\r\n`;
  let cursor: string | undefined;
  for (let slice = 0; slice < MAX_SLICES; slice++) {
    const list = await listProcesses(deps, code, { ...filter, cursor }, SLICE);
    if (list.kind !== 'page') return;
    yield list.rows.map(textOfRow).join('');
    cursor = list.cursor;
    if (cursor === undefined) return;
  }
  yield 'There are more: export them status by status or by what their numbers begin with.\r\n';
}

function textOfRow(row: ListedRow): string {
  const error = errorOf(row.error);
  const process = [
    row.externalAccountNumber,
    statusOf(row.status),
    row.accountNumber ?? '',
    row.isDryRun === 1 ? 'true' : 'false',
    isoInstant(row.createdAt),
    isoInstant(row.modifiedAt),
    error?.code ?? '',
  ];
  const fields = error?.errors?.length ? error.errors : [{ attr: '', code: '', detail: error?.detail ?? '' }];
  return fields.map(({ attr, code, detail }) => csvLine([...process, attr, code, detail])).join('');
}

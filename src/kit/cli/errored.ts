/** Imports that failed, as the service knows them. */
import type { DataImportClient, ErrorItem, ImportProcess, ListedImportProcess } from '../client';

const PAGE = 1_000;

/** What failed while it was created, and dry runs that did. */
export async function* erroredOf(client: DataImportClient, supplier: string, signal: AbortSignal): AsyncGenerator<ListedImportProcess> {
  for (const status of ['ERRORED', 'DRY_RUN_ERRORED'] as const) {
    yield* client.listImportProcesses(supplier, { status, pageSize: PAGE, signal });
  }
}

/** All its errors, or the one it ended with. */
export function errorsOf({ latest_error, errors }: Pick<ImportProcess, 'latest_error' | 'errors'>): readonly ErrorItem[] {
  const { code, detail } = latest_error ?? { code: 'unknown', detail: 'The import failed.' };
  return errors?.length ? errors : [{ code, attr: '', detail }];
}

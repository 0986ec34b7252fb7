/** Task parameters that a command gives every account of a file. */
import { accountOf } from '../account';
import { UsageError } from '../exit';
import type { Source } from '../files/source';

export interface TaskParams {
  readonly is_dry_run?: true;
  readonly schedule_window_start?: string;
}

/** The same source, each record with these parameters: its text stays as it is, so no number is rounded. */
function withParams(source: Source, params: TaskParams): Source {
  if (Object.keys(params).length === 0) return source;
  const given = `"task_params":${JSON.stringify(params)},`;
  return {
    ...source,
    async *records() {
      for await (const record of source.records()) yield { ...record, text: withText(record.text, given, record.line) };
    },
  };
}

/** What was opened, with its source so. */
export const withSource = <Opened extends { readonly source: Source }>(opened: Opened, params: TaskParams): Opened => ({
  ...opened,
  source: withParams(opened.source, params),
});

function withText(text: string, given: string, line: number): string {
  const account = accountOf(text);
  if (!account) return text;
  if (account.fields['task_params'] != null) {
    throw new UsageError(`The account at ${line} has task_params of its own: leave --dry-run and --start-at out, or take them away.`);
  }
  return text.replace('{', `{${given}`);
}

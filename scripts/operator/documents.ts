/** Documents of an account: listed, downloaded. */
import { createWriteStream, existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { command, csv, group, needed, text } from './commands.ts';
import { Refused } from './interface.ts';

interface Account {
  readonly notes: readonly { readonly documents?: readonly { readonly key: string }[] }[];
  readonly statements: readonly { readonly statement: { readonly statement_id: string }; readonly document_key?: string }[];
}

const keysOf = ({ notes, statements }: Account) => [
  ...notes.flatMap(({ documents = [] }) => documents.map(({ key }) => ({ key, of: 'a note' }))),
  ...statements.flatMap(({ statement: { statement_id: id }, document_key: key }) =>
    key === undefined ? [] : [{ key, of: `statement ${id}` }],
  ),
];

/** The last part of the key as the name of a file, for any system. */
function nameOf(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1).replace(/[\p{Cc}\\:*?"<>|]/gu, '_');
  return /^\.*$/.test(name) ? 'document' : name;
}

const exists = (file: string) => new Refused(`${file} exists: name another file with --out.`);

/** Never writes over a file, and leaves no half one behind. */
async function save(answer: Response, file: string): Promise<number> {
  const to = createWriteStream(file, { flags: 'wx' });
  try {
    await pipeline(Readable.from(answer.body ?? []), to);
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw exists(file);
    await rm(file, { force: true });
    throw new Refused(`The document could not be saved as ${file} (${error instanceof Error ? error.message : String(error)}).`);
  }
}

export const documents = group('Documents that an account names', {
  list: command(
    'Their keys; names may be personal data, so it is audited that they were seen',
    { number: needed('Platform account number or identifier'), csv },
    async (call, { number }) => {
      const answer = keysOf(await call<Account>('POST', ['accounts', number, 'reveal']));
      return [answer, { rows: answer, empty: 'It names no document.' }];
    },
  ),
  download: command(
    'Save one; that it was opened is audited',
    {
      number: needed('Platform account number or identifier'),
      key: needed('Its key, as documents list prints it'),
      out: text('The file; its own name in this folder unless given'),
    },
    async (call, { number, key, out }) => {
      const file = out ?? nameOf(key);
      if (existsSync(file)) throw exists(file);
      const bytes = await save(await call.open(['accounts', number, 'documents'], { key }), file);
      return [{ key, file, bytes }, `${file}: ${bytes.toLocaleString('en-GB')} bytes.`];
    },
  ),
});

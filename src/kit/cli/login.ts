/** `login`: checks an API key and keeps it, with the address of the service, for the other commands. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DataImportClient } from '../client';
import { checkedUrl, writeAccess } from './access';
import { EXIT, type ExitCode, UsageError } from './exit';
import { Outage } from './outage';

export async function login(given: { readonly url: string | undefined; readonly apiKey: string | undefined }): Promise<ExitCode> {
  const url = checkedUrl(given.url || process.env['DATA_IMPORT_URL'] || (await asked('Address of the service: ')));
  const apiKey = given.apiKey || process.env['DATA_IMPORT_API_KEY'] || (await asked('API key: ', true));
  const outage = new Outage(url, undefined);
  const client = new DataImportClient({ baseUrl: url, apiKey, fetch: outage.fetch, retries: outage.retries });
  await client.checkAccess({ signal: outage.signal });
  process.stdout.write(`The key opens ${url}. Kept in ${writeAccess({ url, apiKey })}, for you alone.\n`);
  return EXIT.allDone;
}

let input: AsyncIterator<string> | undefined;

/** A line of stdin: typed by a person, or piped in so that no history holds the key. */
async function asked(question: string, isSecret = false): Promise<string> {
  if (process.stdin.isTTY) {
    // What is typed as a secret is shown to nobody.
    const output = isSecret ? new Writable({ write: (_, __, done) => done() }) : process.stderr;
    if (isSecret) process.stderr.write(question);
    const lines = createInterface({ input: process.stdin, output, terminal: true });
    const line = await lines.question(question);
    lines.close();
    if (isSecret) process.stderr.write('\n');
    return checkedAnswer(line, question);
  }
  input ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const { value } = await input.next();
  return checkedAnswer(typeof value === 'string' ? value : '', question);
}

function checkedAnswer(line: string, question: string): string {
  if (line.trim() === '') throw new UsageError(`${question.replace(/: $/, '')} is missing.`);
  return line.trim();
}

import { exports } from 'cloudflare:workers';
import type { GivenSupplier } from './given';
import { checkAnswer } from './openapi';
import { textOf } from './text';

const PATH = '/v2/data-import/accounts/bulk/';

/** Posts lines as they are; answers the results without the last line, which says that they are whole. */
export async function bulkResults(
  given: Pick<GivenSupplier, 'token'>,
  lines: readonly string[],
  mode: 'create' | 'validate',
): Promise<unknown[]> {
  const response = await exports.default.fetch(`https://import.test${PATH}?mode=${mode}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Token ${given.token}` },
    body: lines.join('\n'),
  });
  const text = await textOf(response);
  checkAnswer('POST', PATH, { status: response.status, headers: response.headers, text });
  const results = text.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
  if (JSON.stringify(results.pop()) !== JSON.stringify({ done: true, lines: lines.length })) throw new Error('the answer is not whole');
  return results;
}

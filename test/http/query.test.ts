/**
 * Query parameters that are refused: in the words of the document, at every endpoint that is declared with one.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CALLER, type Who } from '../../src/http/endpoint';
import { OPERATIONS } from '../../src/openapi/operations';
import { aSupplier, call } from '../support/given';
import { OPERATOR } from '../support/operator';

/** A value that each of these parameters may not have. */
const WRONG: Readonly<Record<string, string>> = { limit: '0', minutes: '1441', number: 'nobody', key: '' };

async function headersOf(access: Who): Promise<Record<string, string>> {
  const caller = CALLER[access];
  if (caller === 'operator') return OPERATOR;
  return { Authorization: caller === 'platform' ? `Bearer ${env.PLATFORM_TOKEN}` : `Token ${(await aSupplier()).token}` };
}

/** Of each endpoint with a query that is answered by itself: the example of a 400, and the parameter it is about. */
const refused = OPERATIONS.filter(({ endpoint }) => endpoint.query && endpoint.body === undefined).map(({ id, endpoint, answers }) => {
  const body = Object.values(answers[400]?.examples ?? {})[0]?.value;
  return { id, endpoint, body, name: /"attr":"(\w+)"/.exec(JSON.stringify(body) ?? '')?.[1] ?? '' };
});

describe('400: a query parameter that is refused', () => {
  it('is asked of every endpoint that reads a query', () => {
    expect(refused.map(({ name }) => name).filter((name) => !(name in WRONG))).toEqual([]);
    expect(refused.length).toBeGreaterThan(10);
  });

  it.each(refused)('$id: as the document shows it', async ({ endpoint, body, name }) => {
    const path = endpoint.path.replace(/:\w+/g, 'A-0BADCAFE');
    const headers = await headersOf(endpoint.access);
    expect(await call(endpoint.method, `${path}?${name}=${WRONG[name]}`, { headers })).toMatchObject({ status: 400, body });
  });
});

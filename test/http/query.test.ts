/**
 * Query parameters that are refused: in the words of the document, at every endpoint that is declared with one.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { CALLER, type Who } from '../../src/http/endpoint';
import { OPERATIONS } from '../../src/openapi/operations';
import { aSupplier, call } from '../support/given';
import { OPERATOR } from '../support/operator';

/** A value that each of these parameters may not have. `max`: the bound that the document says, where it says one. */
const WRONG: Readonly<Record<string, (max: number) => string>> = {
  limit: () => '0',
  minutes: (max) => String(max + 1),
  number: () => 'nobody',
  key: () => '',
  status: () => 'LOST',
};

async function headersOf(access: Who): Promise<Record<string, string>> {
  const caller = CALLER[access];
  if (caller === 'operator') return OPERATOR;
  return { Authorization: caller === 'platform' ? `Bearer ${env.PLATFORM_TOKEN}` : `Token ${(await aSupplier()).token}` };
}

/** Of each endpoint with a query that is answered by itself: the example of a 400, and the parameter it is about. */
const refused = OPERATIONS.filter(({ endpoint }) => endpoint.query && endpoint.body === undefined).map(({ id, endpoint, answers }) => {
  const body = Object.values(answers[400]?.examples ?? {})[0]?.value;
  const text = JSON.stringify(body) ?? '';
  const name = /"attr":"(\w+)"/.exec(text)?.[1] ?? '';
  return { id, endpoint, body, name, wrong: WRONG[name]?.(Number(/from 1 to (\d+)\./.exec(text)?.[1])) };
});

describe('400: a query parameter that is refused', () => {
  it('is asked of every endpoint that reads a query', () => {
    expect(refused.filter(({ wrong }) => wrong === undefined).map(({ id, name }) => `${id} ${name}`)).toEqual([]);
    expect(refused.length).toBeGreaterThan(10);
  });

  it.each(refused)('$id: as the document shows it', async ({ endpoint, body, name, wrong }) => {
    const path = endpoint.path.replace(/:\w+/g, 'A-0BADCAFE');
    const headers = await headersOf(endpoint.access);
    expect(await call(endpoint.method, `${path}?${name}=${wrong}`, { headers })).toMatchObject({ status: 400, body });
  });
});

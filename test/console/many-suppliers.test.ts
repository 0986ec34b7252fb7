/** §10: what the console finds and shows where there are hundreds of suppliers. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyMinute } from '../../src/scheduled';
import worker from '../../src/worker';
import { signedIn, visit } from '../support/console';
import { type Counts, countingDatabase } from '../support/counting';
import { aDeps } from '../support/deps';
import { aSupplier } from '../support/given';
import { fieldsOf, operate } from '../support/operator';

const SUPPLIERS = 500;
/** In which some of each were imported. */
const MINUTES = 60;
const MINUTE = 60_000;

/** As many suppliers of one organisation, each with an hour of imports, and four accounts that wait for their window. */
beforeAll(async () => {
  const { organisationId } = await aSupplier();
  const now = Date.now();
  const numbered = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)';
  await env.DB.batch([
    env.DB.prepare(
      `${numbered} INSERT INTO suppliers (organisation_id, code, name, status, version, configuration, created_at, modified_at, resumed_at)
       SELECT ?2, printf('MANY-%03d', i), 'Northern power ' || i, 'Ongoing', 1, '{"default_country":"GB"}', ?3, ?3, 0 FROM n`,
    ).bind(SUPPLIERS, organisationId, now),
    env.DB.prepare(
      `${numbered} INSERT INTO imports_per_minute (supplier_id, minute, processed, errored)
       SELECT s.id, ?2 - i, 100, 0 FROM suppliers AS s, n WHERE s.code LIKE 'MANY-%'`,
    ).bind(MINUTES, Math.floor(now / MINUTE)),
    env.DB.prepare(
      `${numbered} INSERT INTO import_processes (supplier_id, id, external_account_number, status, payload_hash, payload_bytes, is_dry_run,
         window_start, created_at, scheduled_at, sent_at, modified_at, attempts)
       SELECT s.id, 10000000 + s.id * 10 + i, 'W-' || i, 0, 'h', 1, 0, ?2, ?3, ?3, 0, ?3, 0 FROM suppliers AS s, n WHERE s.code LIKE 'MANY-%'`,
    ).bind(4, now + 86_400_000, now),
  ]);
});

/** The overview as a browser that looks again asks for it. */
async function poll(Cookie: string): Promise<{ text: string; counts: Counts }> {
  const counts = countingDatabase(env.DB);
  const context = createExecutionContext();
  const headers = { Cookie, 'HX-Request': 'true' };
  const request = new Request<unknown, IncomingRequestCfProperties>('https://import.test/operator/', { headers });
  const text = await (await worker.fetch(request, { ...env, DB: counts.db }, context)).text();
  await waitOnExecutionContext(context);
  return { text, counts };
}

/** Every row of the table, by what it says in words. */
const rowsOf = (text: string) => text.match(/<tr id="supplier-MANY-[\s\S]*?<\/tr>/g) ?? [];

describe(`the overview of ${SUPPLIERS} suppliers`, () => {
  it('comes whole with one request in seven trips: tiles, bars, pace and what stands still read a few rows of each supplier', async () => {
    const { Cookie } = await signedIn();
    const { text, counts } = await poll(Cookie);
    const rows = rowsOf(text);
    expect(rows).toHaveLength(SUPPLIERS);
    for (const row of rows) expect(row).toContain('6,000');
    expect(text).toMatch(/hx-trigger="every 10s, again"/);
    expect(counts.trips).toBeLessThanOrEqual(7);
    // Of each: its minutes, its open processes three times, and what names it.
    expect(counts.rowsRead).toBeLessThanOrEqual(SUPPLIERS * (MINUTES + 24));
  });

  it('says first what fires, and leads to the alerts', async () => {
    const { Cookie } = await signedIn();
    const shown = async () => /<p class="note bad" id="firing">[\s\S]*?<\/p>/.exec((await poll(Cookie)).text)?.[0];
    await everyMinute(aDeps());
    expect(await shown()).toBeUndefined();
    await env.DB.prepare("INSERT INTO dead_letters (message_id, queue, message, failed_at) VALUES ('many', 'q', '{}', ?)")
      .bind(Date.now())
      .run();
    await everyMinute(aDeps());
    expect(await shown()).toMatch(/1 messages ran out of tries\. <a href="\/operator\/alerts\/">An alert fires<\/a>/);
    await env.DB.prepare('DELETE FROM dead_letters').run();
    await everyMinute(aDeps());
    expect(await shown()).toBeUndefined();
  });
});

describe('the search of every page', () => {
  const search = async (text: string) => {
    const { Cookie } = await signedIn();
    return visit(`/operator/accounts/?search=${encodeURIComponent(text)}`, Cookie);
  };

  it('leads to a supplier by its code or a part of its name, in any case', async () => {
    expect((await search(' many-042 ')).headers.get('Location')).toBe('/operator/suppliers/MANY-042/');
    expect((await search('POWER 500')).headers.get('Location')).toBe('/operator/suppliers/MANY-500/');
    const several = await search('power 49');
    expect([several.status, several.text.match(/href="\/operator\/suppliers\/MANY-\d+\//g)?.length]).toEqual([200, 11]);
  });

  it('leads to the organisation of a key by its last four characters, and names neither by three', async () => {
    const { id = '' } = fieldsOf(await operate('POST', 'organisations/', { name: 'Keyed' }));
    const { api_key = '' } = fieldsOf(await operate('POST', `organisations/${id}/api-keys/`, { label: 'nightly' }));
    expect((await search(api_key.slice(-4))).headers.get('Location')).toBe(`/operator/organisations/${id}/`);
    expect((await search(api_key.slice(-3))).text).not.toContain('nightly');
    expect((await search(api_key)).status).toBe(404);
  });

  it('lists what it finds of all of them', async () => {
    await env.DB.prepare("UPDATE api_keys SET last_four = 'MANY' WHERE label = 'nightly'").run();
    const { status, text } = await search('MANY');
    expect(status).toBe(200);
    expect(text).toContain('…MANY');
    expect(text.match(/href="\/operator\/suppliers\/MANY-/g)).toHaveLength(20);
  });

  it('says so where nothing is found', async () => {
    expect(await search('%')).toMatchObject({ status: 404, text: expect.stringContaining('No account has this number') });
  });
});

import { env } from 'cloudflare:workers';
import { and, eq, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '../../src/db/drizzle';
import { insertSelect } from '../../src/db/operators';
import { field, prepared, preparedForms, type Query, rowsOf, type Values } from '../../src/db/queries';
import { readRows } from '../support/tables';

const owners = sqliteTable('drizzle_owners', { id: integer('id').primaryKey(), name: text('owner_name').notNull() });
const things = sqliteTable('drizzle_things', {
  id: integer('id').primaryKey(),
  ownerId: integer('owner_id'),
  name: text('thing_name'),
  isBig: integer('is_big', { mode: 'boolean' }).notNull(),
  content: text('content', { mode: 'json' }).$type<{ readonly a: number }>(),
});

async function rowsOfQuery<Row>(query: Query<Row>): Promise<Row[]> {
  const results = await readRows(query.sql, ...query.params);
  return results.map((row) => (query.read ? query.read(row) : row)) as Row[];
}

beforeAll(async () => {
  await env.DB.batch([
    env.DB.prepare('CREATE TABLE drizzle_owners (id INTEGER PRIMARY KEY, owner_name TEXT NOT NULL) STRICT'),
    env.DB.prepare(
      'CREATE TABLE drizzle_things (id INTEGER PRIMARY KEY, owner_id INTEGER, thing_name TEXT, is_big INTEGER NOT NULL, content TEXT) STRICT',
    ),
    env.DB.prepare("INSERT INTO drizzle_owners VALUES (1, 'Ada')"),
    env.DB.prepare(`INSERT INTO drizzle_things VALUES (1, 1, 'a', 1, '{"a":1}'), (2, NULL, 'b', 0, NULL)`),
  ]);
});

describe('what leans on the insides of Drizzle', () => {
  it('a selected column bears the name of its field, so two columns of one name are both answered', async () => {
    const read = prepared(($: Values<{ id: number }>) =>
      db
        .select({ thing: things.name, owner: owners.name, id: things.id, ownerId: owners.id })
        .from(things)
        .innerJoin(owners, eq(owners.id, things.ownerId))
        .where(eq(things.id, $.id)),
    );
    expect(await rowsOfQuery(read({ id: 1 }))).toEqual([{ thing: 'a', owner: 'Ada', id: 1, ownerId: 1 }]);
  });

  it('a group that its join did not find is null, and columns are decoded by their mode', async () => {
    const read = prepared(() =>
      db
        .select({ id: things.id, isBig: things.isBig, content: things.content, owner: { id: owners.id, name: owners.name } })
        .from(things)
        .leftJoin(owners, eq(owners.id, things.ownerId))
        .orderBy(things.id),
    );
    expect(await rowsOfQuery(read({}))).toEqual([
      { id: 1, isBig: true, content: { a: 1 }, owner: { id: 1, name: 'Ada' } },
      { id: 2, isBig: false, content: null, owner: null },
    ]);
  });

  it('a write answers the fields it returns', async () => {
    const write = prepared(($: Values<{ name: string }>) =>
      db.update(things).set({ name: $.name }).where(eq(things.isBig, true)).returning({ thingId: things.id, isBig: things.isBig }),
    );
    expect(await rowsOfQuery(write({ name: 'c' }))).toEqual([{ thingId: 1, isBig: true }]);
  });

  it('an expression bears its name, and one of a subquery, too', async () => {
    const read = prepared(() => {
      const named = db
        .select({ upper: sql<string>`upper(${things.name})`.as('upper_name'), id: things.id })
        .from(things)
        .as('named');
      return db
        .select({ upper: named.upper, again: sql<number>`${named.id} + 1` })
        .from(named)
        .where(eq(named.id, 2));
    });
    expect(await rowsOfQuery(read({}))).toEqual([{ upper: 'B', again: 3 }]);
  });
});

describe('values', () => {
  it('a value that is named twice is bound once', () => {
    const read = prepared(($: Values<{ a: number; b: string }>) =>
      db
        .select({ id: things.id })
        .from(things)
        .where(and(eq(things.id, $.a), eq(things.name, $.b), eq(things.ownerId, $.a))),
    );
    const { sql: text, params } = read({ b: 'x', a: 7 });
    expect(params).toEqual([7, 'x']);
    expect(text.match(/\?\d/g)).toEqual(['?1', '?2', '?1']);
  });

  it('a constant stands in the text, whatever is in it', async () => {
    const read = prepared(() => db.select({ id: things.id }).from(things).where(eq(things.name, `O'Brien ?1 "x"`)));
    expect(read({}).params).toEqual([]);
    expect(read({}).sql).toContain(`'O''Brien ?1 "x"'`);
    expect(await rowsOfQuery(read({}))).toEqual([]);
  });

  it('a value that is missing is a bug, and is told', () => {
    const read = prepared(($: Values<{ id: number }>) => db.select({ id: things.id }).from(things).where(eq(things.id, $.id)));
    expect(() => read({} as { id: number })).toThrow('id');
  });
});

describe('an insert of what a query finds', () => {
  const copies = sqliteTable('drizzle_copies', {
    id: integer('id').primaryKey(),
    name: text('copy_name').notNull(),
    isBig: integer('is_big', { mode: 'boolean' }).notNull(),
    level: integer('level').notNull().default(7),
    note: text('note'),
  });
  const copy = prepared(($: Values<{ ownerId: number; suffix: string }>) =>
    insertSelect(
      copies,
      { id: sql`${owners.id}`, name: sql`${owners.name} || ${$.suffix}`, isBig: true },
      sql`FROM ${owners} WHERE ${eq(owners.id, $.ownerId)}`,
    ).onConflictDoNothing({ target: copies.id }),
  );

  it('writes each field into its column and the others by their default, and a row that is there stays', async () => {
    await env.DB.prepare(
      'CREATE TABLE drizzle_copies (level INTEGER NOT NULL, is_big INTEGER NOT NULL, copy_name TEXT NOT NULL, note TEXT, id INTEGER PRIMARY KEY) STRICT',
    ).run();
    for (const values of [
      { ownerId: 1, suffix: '!' },
      { ownerId: 1, suffix: '?' },
      { ownerId: 2, suffix: '!' },
    ])
      await rowsOfQuery(copy(values));
    const results = await readRows('SELECT id, copy_name, is_big, level, note FROM drizzle_copies');
    expect(results).toEqual([{ id: 1, copy_name: 'Ada!', is_big: 1, level: 7, note: null }]);
  });
});

describe('a statement that comes in forms', () => {
  it('builds each form once, with the values that it names', () => {
    const built: object[] = [];
    const read = preparedForms(($: Values<{ id: number; name: string }>, form: { readonly byName: boolean }) => {
      built.push(form);
      return db
        .select({ id: things.id })
        .from(things)
        .where(form.byName ? eq(things.name, $.name) : eq(things.id, $.id));
    });
    const values = { id: 1, name: 'a' };
    const sent = [read({ byName: true }, values), read({ byName: false }, values), read({ byName: true }, { ...values, name: 'b' })];
    expect(sent.map(({ params }) => params)).toEqual([['a'], [1], ['b']]);
    expect(sent[0]?.sql).toBe(sent[2]?.sql);
    expect(built).toEqual([{ byName: true }, { byName: false }]);
  });
});

describe('many rows as one value', () => {
  const given = rowsOf('given', { id: things.id, isBig: things.isBig, content: things.content, extra: field<string | null>() });
  const read = prepared(($: Values<{ rows: string }>) =>
    db
      .select({ position: given.position, id: given.row.id, isBig: given.row.isBig, content: given.row.content, extra: given.row.extra })
      .from(given.from($.rows)),
  );

  it('fields are written and read in step, JSON as JSON', async () => {
    const [rows = ''] = given.values([
      { id: 5, isBig: true, content: { a: 1 }, extra: 'x' },
      { id: 6, isBig: false, content: null, extra: null },
    ]);
    expect(await rowsOfQuery(read({ rows }))).toEqual([
      { position: 0, id: 5, isBig: true, content: { a: 1 }, extra: 'x' },
      { position: 1, id: 6, isBig: false, content: null, extra: null },
    ]);
  });

  it('a field is one value within a larger expression', async () => {
    const joined = prepared(($: Values<{ rows: string }>) =>
      db.select({ text: sql<string>`'<' || ${given.row.extra} || '>'` }).from(given.from($.rows)),
    );
    const rows = given.value([{ id: 7, isBig: false, content: null, extra: 'x' }]);
    expect(await rowsOfQuery(joined({ rows }))).toEqual([{ text: '<x>' }]);
  });

  it('no rows are no value; more than 1.5 MB are several, in order', () => {
    expect(given.values([])).toEqual([]);
    const many = Array.from({ length: 4 }, (_, id) => ({ id, isBig: false, content: null, extra: 'x'.repeat(700_000) }));
    const values = given.values(many);
    expect(values.map((value) => (JSON.parse(value) as unknown[][]).map(([id]) => id))).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });
});

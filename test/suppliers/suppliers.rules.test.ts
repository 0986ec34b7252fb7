/** §3.1: the settings of a supplier are what is stored over the defaults, and a row that cannot be read is a value. */
import { describe, expect, it } from 'vitest';
import { isTimeZone } from '../../src/shared/time-zones';
import {
  configurationOf,
  DEFAULT_SETTINGS,
  readableSettings,
  SETTINGS,
  type SupplierFields,
  storedSupplierOf,
  storedWith,
  supplierIn,
  supplierOf,
  UNREADABLE,
  unreadableSettings,
} from '../../src/suppliers';

const read = (stored: unknown) => configurationOf('SUP', JSON.stringify(stored));
const DEFAULTS = { ...DEFAULT_SETTINGS, default_country: 'GB', documents_root: 'SUP' };

describe('a configuration', () => {
  it('of a row that says as little as it may is the defaults, with the code as the root of documents', () => {
    expect(read({ default_country: 'GB' })).toEqual(DEFAULTS);
  });

  it('of a row that an older release wrote has the settings of this one', () => {
    const older = {
      default_country: 'AU',
      documents_root: 'north',
      send_customer_emails: true,
      extra_charge_reasons: ['FEE'],
      extra_credit_reasons: [],
      vendors: ['STRIPE'],
      payload_retention_days: 30,
    };
    expect(read(older)).toEqual({ ...older, time_zone: 'UTC', event_retention_days: 30, undo_hours: 0 });
    for (const setting of SETTINGS.filter((name) => name !== 'default_country')) {
      const { [setting]: _, ...without } = DEFAULTS;
      expect(read(without), setting).toEqual(DEFAULTS);
    }
  });

  it('of a row that a newer release wrote is read without the settings of that one, which stay when others are changed', () => {
    const newer = { default_country: 'GB', colour: { of: 'the future' } };
    expect(read(newer)).toEqual(DEFAULTS);
    const changed = storedWith('SUP', JSON.stringify(newer), { payload_retention_days: 7 });
    expect(JSON.parse(changed)).toEqual({ ...DEFAULTS, colour: { of: 'the future' }, payload_retention_days: 7 });
  });

  it.each(['', '/', '///', null])('never has the whole bucket as its root: %j', (documents_root) => {
    expect(read({ default_country: 'GB', documents_root })?.documents_root).toBe('SUP');
  });

  it('has a root in NFC without slashes at its ends', () => {
    expect(read({ default_country: 'GB', documents_root: '/a\u0308/b/' })?.documents_root).toBe('ä/b');
  });

  it.each([
    ['{', SETTINGS],
    ['', SETTINGS],
    ['[]', SETTINGS],
    ['null', SETTINGS],
    ['5', SETTINGS],
    ['{}', ['default_country']],
    [
      '{"default_country":5,"vendors":"STRIPE","time_zone":"Mars/Olympus","documents_root":7}',
      ['default_country', 'documents_root', 'time_zone', 'vendors'],
    ],
    ['{"default_country":"GB","payload_retention_days":"90"}', ['payload_retention_days']],
  ])('that says %s is unreadable, and what keeps it from being read is known', (stored, wrong) => {
    expect(configurationOf('SUP', stored)).toBeUndefined();
    expect(unreadableSettings('SUP', stored)).toEqual(wrong);
    const readable = Object.keys(readableSettings('SUP', stored)).toSorted();
    expect(readable).toEqual(wrong === SETTINGS ? [] : SETTINGS.filter((setting) => !wrong.includes(setting)).toSorted());
    const mended = storedWith('SUP', stored, DEFAULTS);
    expect([configurationOf('SUP', mended), unreadableSettings('SUP', mended)]).toEqual([DEFAULTS, []]);
  });
});

describe('a supplier of a row', () => {
  const fields: SupplierFields = {
    id: 7,
    organisationId: 'org',
    code: 'SUP',
    name: 'Supplier',
    status: 'Paused',
    version: 3,
    configuration: '{"default_country":"GB"}',
  };
  const whole = { id: 7, organisationId: 'org', code: 'SUP', name: 'Supplier', status: 'Paused', version: 3, configuration: DEFAULTS };

  it('is there, is not there, or is unreadable: a value that takes no other along', () => {
    const rows = [fields, { ...fields, configuration: '{' }, { ...fields, status: 'Archived' }, null];
    expect(rows.map(supplierIn)).toEqual([whole, UNREADABLE, UNREADABLE, undefined]);
    expect(rows.map((one) => storedSupplierOf(one))).toEqual([
      whole,
      { ...whole, configuration: undefined },
      { ...whole, status: undefined },
      undefined,
    ]);
  });

  it('that is unreadable fails a request about it as our own failure, and never as one that does not exist', () => {
    expect(() => supplierOf({ ...fields, status: 'toString' })).toThrow('supplier 7 cannot be read');
    expect(supplierOf(null)).toBeUndefined();
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Australia/Sydney', 'Europe/London', 'America/Argentina/ComodRivadavia', 'Etc/GMT+10', 'America/Port-au-Prince'])(
    '%s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['', '+10:00', '-0330', 'Mars/Olympus', 'Australia/Sydney ', 'Australia\u0000/Sydney', 'constructor', 'x'.repeat(10_000)])(
    'not %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

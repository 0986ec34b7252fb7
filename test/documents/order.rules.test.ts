/** The order of the bucket, as look-ups of many documents rely on it. */
import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mismatches, sentDigests } from '../../src/documents/rules-digests';
import { compareKeys, keyBefore } from '../../src/documents/rules-order';

const key = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'b',
      '/',
      '~',
      ' ',
      '!',
      '\u007f',
      'é',
      '\uD7FF',
      '\uE000',
      '\uFFFD',
      '\u{10000}',
      '\u{1F600}',
      '\u{10FFFF}',
    ),
    minLength: 1,
  }),
);

describe('the order of keys', () => {
  it('is that of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('a list that starts after what comes before a key shows the key', () => {
    fc.assert(
      fc.property(key, (one) => {
        expect(compareKeys(keyBefore(one), one)).toBeLessThan(0);
        expect(keyBefore(one).isWellFormed()).toBe(true);
      }),
    );
  });

  it('between the two lie no neighbours of the key', () => {
    expect(keyBefore('letters/0042.pdf')).toBe('letters/0042.pde~');
    for (const other of ['letters/0042', 'letters/0041.pdf', 'letters/0042.pd', 'letters/0042.pde']) {
      expect(compareKeys(other, keyBefore('letters/0042.pdf'))).toBeLessThan(0);
    }
  });
});

const MD5 = 'nhB9nTcrtoJr2B01QqQZ1g==';
const SHA = 'LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564=';

describe('digests of a document', () => {
  it.each([
    [undefined, undefined, []],
    [MD5, undefined, ['Content-MD5']],
    [` ${MD5} `, `sha-256=:${SHA}:`, ['Content-MD5', 'Repr-Digest']],
    [undefined, `md5=:x:,\tsha-256=:${SHA}: ;a=b, unixsum=:y:`, ['Repr-Digest']],
    [undefined, `sha-256=:none:, sha-256=:${SHA}:`, ['Repr-Digest']],
    [undefined, 'sha-512=:x:', []],
    [undefined, '', []],
  ])('%j and %j are read as %j', (md5, repr, headers) => {
    const { digests, errors } = sentDigests(md5, repr);
    expect([digests.map(({ header }) => header), errors]).toEqual([headers, []]);
  });

  it.each([
    ['', undefined, 'Content-MD5'],
    ['9e107d9d372bb6826bd81d3542a419d6', undefined, 'Content-MD5'],
    [undefined, `sha-256=${SHA}`, 'Repr-Digest'],
    [undefined, 'sha-256=:AAAA:', 'Repr-Digest'],
    [undefined, `sha-256=:${SHA}:, sha-256=:`, 'Repr-Digest'],
  ])('%j and %j are `invalid` at %s', (md5, repr, attr) => {
    expect(sentDigests(md5, repr)).toMatchObject({ digests: [], errors: [{ path: [attr], code: 'invalid' }] });
  });

  it('are compared each with its own', () => {
    const { digests } = sentDigests(MD5, `sha-256=:${SHA}:`);
    const found = { md5: MD5, sha256: SHA };
    expect(mismatches(digests, found)).toEqual([]);
    expect(mismatches(digests, { ...found, md5: SHA }).map(({ path }) => path)).toEqual([['Content-MD5']]);
    expect(mismatches(digests, { md5: '', sha256: '' }).map(({ path }) => path)).toEqual([['Content-MD5'], ['Repr-Digest']]);
  });
});

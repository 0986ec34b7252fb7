import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesSeemingly } from '../../src/accounts/bulk/line';
import { linesOf } from '../../src/bulk/lines';
import type { BodySource, Part } from '../../src/bulk/source';
import { Bytes } from '../../src/shared/bytes';
import { MAX_BODY_BYTES, MAX_BULK_BYTES } from '../../src/shared/sizes';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

function sourceOf(parts: readonly Part[]): BodySource {
  const left = [...parts];
  return { read: () => Promise.resolve(left.shift() ?? 'end'), drain: () => Promise.resolve() };
}

async function read(parts: readonly Part[]) {
  const lines: (readonly [number, string | undefined])[] = [];
  let end: unknown;
  for await (const arrival of linesOf(sourceOf(parts))) {
    if (arrival.kind === 'lines') for (const { number, bytes } of arrival.lines) lines.push([number, decode(bytes)]);
    else if (arrival.kind !== 'pause') end = arrival;
  }
  return { lines, end };
}

/** The same lines, found the plain way. */
function plainly(text: string) {
  const all = text.split('\n');
  const count = all.at(-1) === '' ? all.length - 1 : all.length;
  return {
    lines: all.map((line, i) => [i + 1, line] as const).filter(([, line]) => !/^[ \t\r]*$/.test(line)),
    end: { kind: 'end', lines: count },
  };
}

describe('lines', () => {
  it('are the same however the body is cut, blank ones counted and left out', async () => {
    const text = fc
      .array(fc.constantFrom('\n', '\n\n', ' ', '\r\n', '\t', '{"a":1}', 'é', '  x '), { maxLength: 40 })
      .map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 30 }), async (body, cuts) => {
        const bytes = encode(body);
        const parts: Uint8Array[] = [];
        let from = 0;
        for (const cut of cuts) {
          parts.push(bytes.slice(from, from + cut));
          from += cut;
        }
        expect(await read([...parts, bytes.slice(from)])).toEqual(plainly(body));
      }),
      { numRuns: 500 },
    );
  });

  it('longer than a mebibyte have no bytes, and the next one is read as ever', async () => {
    const long = 'x'.repeat(MAX_BODY_BYTES);
    expect((await read([encode(`${long}\n${long}`), encode('y\nz')])).lines.map(([number, text]) => [number, text?.length])).toEqual([
      [1, MAX_BODY_BYTES],
      [2, undefined],
      [3, 1],
    ]);
    expect((await read([encode(' '.repeat(MAX_BODY_BYTES + 1))])).lines).toEqual([[1, undefined]]);
  });

  it('end where the body breaks, or is too large', async () => {
    expect(await read([encode('a\nb'), 'broken'])).toEqual({ lines: [[1, 'a']], end: { kind: 'broken' } });
    const part = encode('\n'.repeat(1_048_576));
    const { end } = await read([...Array<Uint8Array>(MAX_BULK_BYTES / part.length).fill(part), encode('a\n')]);
    expect(end).toEqual({ kind: 'too_large' });
  });
});

describe('the code that a line seems to name', () => {
  it.each([
    ['{"import_supplier":"SUP"}', 'SUP'],
    ['{"payload":{"import_supplier" \n: "Süß 😀"},"x":1}', 'Süß 😀'],
    [`{"import_supplier":"${'😀'.repeat(16)}"}`, '😀'.repeat(16)],
    ['{"import_supplier":"a\\"b"}', undefined],
    ['{"import_supplier":5}', undefined],
    ['{"import_supplier":""}', undefined],
    [`{"import_supplier":"${'x'.repeat(200)}"}`, undefined],
    ['{}', undefined],
    ['"import_supplier"', undefined],
  ])('in %s is %s', (text, code) => {
    const padded = encode(`xx${text}`);
    expect(namesSeemingly({ number: 1, bytes: padded.subarray(2) }).map(({ supplierCode }) => supplierCode)).toEqual(
      code === undefined ? [] : [code],
    );
  });

  it('is none where the line is too long', () => expect(namesSeemingly({ number: 1, bytes: undefined })).toEqual([]));
});

it('bytes come together whatever their parts are', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9 })), (parts) => {
      const bytes = new Bytes();
      for (const part of parts) bytes.append(part);
      const whole = parts.flatMap((part) => [...part]);
      expect(bytes.length).toBe(whole.length);
      expect([...bytes.take()]).toEqual(whole);
      expect([bytes.length, bytes.take().length]).toEqual([0, 0]);
    }),
  );
});

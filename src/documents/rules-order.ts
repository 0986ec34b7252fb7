/**
 * The order in which the bucket lists its objects: that of the UTF-8 bytes of their keys, which is that of code points. Pure.
 */

/** Negative where `a` comes before `b`, 0 where they are equal. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [one, other] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return a.length - b.length;
}

/** UTF-16 puts what lies beyond U+FFFF (surrogates) before U+E000, UTF-8 puts it last. */
const rankOf = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** A text that comes before `key`, and of real keys nearly none lies between the two: a list that starts after it shows `key` among its first. */
export function keyBefore(key: string): string {
  const last = [...key.slice(-2)].at(-1) ?? '';
  const rest = key.slice(0, key.length - last.length);
  const point = (last.codePointAt(0) ?? 0) - 1;
  const isPlain = point > 0x20 && point < 0x7f;
  return isPlain ? `${rest}${String.fromCodePoint(point)}~` : rest;
}

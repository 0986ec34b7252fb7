/** Card numbers and IBANs as importers might send them: right by their check digits, spelled in every way. */
import fc from 'fast-check';

const luhnSum = (digits: string): number =>
  [...digits].reverse().reduce((sum, digit, i) => {
    const weighed = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return sum + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);

/** 13 to 19 digits with the check digit of a card. */
export const cardNumber = fc
  .tuple(fc.constantFrom('1', '2', '3', '4', '5', '6', '9'), fc.stringMatching(/^\d{11,17}$/))
  .map(([first, rest]) => {
    const digits = first + rest;
    return digits + String((10 - (luhnSum(`${digits}0`) % 10)) % 10);
  });

/** `0` to `9` in several scripts, by their zero. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce, 0x1d7d8];
const SEPARATORS = [' ', '-', '.', '/', '_', '\u00a0', '\u2009', '\u2011', '\u2013', '\u3000', '\u200b', ' - ', '\u2060'];

/** The same digits in groups, with separators, in another script, in the middle of words. */
export const spelled = (digits: string): fc.Arbitrary<string> =>
  fc
    .record({
      zero: fc.constantFrom(...ZEROS),
      separator: fc.constantFrom('', ...SEPARATORS),
      group: fc.integer({ min: 1, max: 6 }),
      // Not `no. `: so begin Norway's IBANs, and what is left could be one.
      before: fc.constantFrom('', 'Visa ', 'acct. ', 'card:', '#', 'x', '+', '12 ', '\u202a', '12/29, '),
      after: fc.constantFrom('', ' 12/29', ' exp. 2029', '\u202c', 'x', ';1'),
    })
    .map(({ zero, separator, group, before, after }) => {
      const groups = digits.match(new RegExp(`.{1,${group}}`, 'g')) ?? [];
      const written = groups.join(separator).replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
      const isPhone = before === '+' && digits.length <= 15;
      // In the middle of a word only what begins as cards do is one.
      const isFree = /^[3-6]/.test(digits);
      return `${isPhone || (before === 'x' && !isFree) ? '' : before}${written}${after === 'x' && !isFree ? '' : after}`;
    });

/** Every digit of a text in plain form, without what separates them. */
export const digitsOf = (text: string): string =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? '' : String(code - zero);
    })
    .join('');

const COUNTRIES = ['GB', 'DE', 'FR', 'NL', 'AE', 'XK'];

/** An IBAN with right check digits. */
export const iban = fc.tuple(fc.constantFrom(...COUNTRIES), fc.stringMatching(/^[A-Z\d]{11,30}$/)).map(([country, account]) => {
  const rest = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join('');
  return `${country}${String(98n - (BigInt(rest) % 97n)).padStart(2, '0')}${account}`;
});

/**
 * The numbering plans in the source are the library's, but for how numbers are laid out, which nothing here asks for.
 * `npm run phone-metadata` writes them anew.
 */
import metadata from 'libphonenumber-js/metadata.max.json';
import { expect, it } from 'vitest';

/** Where a country's ways to lay out its numbers stand. */
const FORMATS = 4;

const withoutFormats = (plans: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(plans).map(([name, plan]: [string, unknown[]]) => [name, plan.with(FORMATS, 0)]));

it('are those of the installed library', async () => {
  const { countries, nonGeographic, ...rest } = metadata;
  const kept = JSON.stringify({ ...rest, countries: withoutFormats(countries), nonGeographic: withoutFormats(nonGeographic ?? {}) });
  const text = kept.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  await expect(
    [
      '/** The numbering plans of libphonenumber-js without its formats, as JSON text: written by `npm run phone-metadata`. */',
      `export const PHONE_METADATA = '${text}';`,
      '',
    ].join('\n'),
  ).toMatchFileSnapshot('../../../src/accounts/validation/phone-metadata.ts');
});

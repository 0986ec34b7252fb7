import { isoInstant } from '../shared/dates';
import type { RefusalSummary } from './read';
import type { Example } from './rules';

const exampleView = ([externalAccountNumber, attr, refusedAt]: Example) => ({
  external_account_number: externalAccountNumber,
  attr,
  refused_at: isoInstant(refusedAt),
});

/** What creates were refused for, with examples; no value that was sent is in it. */
export const refusalsView = ({ refused, counts }: RefusalSummary) => ({
  refused,
  refusals: counts.map(({ code, attr, accounts, examples }) => ({ code, attr, accounts, examples: examples.map(exampleView) })),
});

/** The examples as lines of JSON, one for each account and error. */
export const refusalLines = ({ counts }: RefusalSummary): string =>
  counts
    .flatMap(({ code, examples }) =>
      examples.map((example) => {
        const { external_account_number, attr, refused_at } = exampleView(example);
        return `${JSON.stringify({ external_account_number, code, attr, refused_at })}\n`;
      }),
    )
    .join('');

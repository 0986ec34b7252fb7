/**
 * The first thing that `npm start` says. Pure.
 */

export interface Greeting {
  readonly url: string;
  readonly apiKey: string;
  /** Opens the console once. */
  readonly signInCode: string;
  /** Where the output of wrangler is, from the folder of the project. */
  readonly log: string;
}

/** Ten lines of at most 80 characters: where the service is, what opens it, and what to try next. */
export const greeting = ({ url, apiKey, signInCode, log }: Greeting): string => `\
The service answers at ${url} until you press Ctrl-C.

  console    ${url}/operator/sign-in/?code=${signInCode}
  reference  ${url}/docs/
  API key    ${apiKey}
  log        ${log}

Open the console (its link signs you in, once), and in another terminal:
  npm run try     the first six requests, each explained
  npm run demo    200 varied accounts with a progress bar`;

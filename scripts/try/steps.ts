/**
 * The first six requests of an importer, and what each is for. Pure.
 */

export interface Step {
  readonly title: string;
  /** What it is for, and what its answer means. */
  readonly why: readonly string[];
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Lines of a JSON body. */
  readonly body?: readonly string[];
  /** What the command line does with the answer. */
  readonly use?: 'token';
  /** The status that is right. */
  readonly expected: number;
  /** True if this answer is not the last: the request is sent again in a moment. */
  readonly isUnfinished?: (answer: unknown) => boolean;
}

export interface Importer {
  readonly apiKey: string;
  readonly supplier: string;
  /** The external account number: one that no account has yet. */
  readonly number: string;
}

const VALIDATE = '/v2/data-import/accounts/validate/';
const ACCOUNTS = '/v2/data-import/accounts/';

export function stepsOf({ apiKey, supplier, number }: Importer): readonly Step[] {
  const account = (landline: string): readonly string[] => [
    '{',
    `  "import_supplier": "${supplier}",`,
    `  "external_account_number": "${number}",`,
    `  "customers": [{"given_name": "Ada", "landline": "${landline}"}]`,
    '}',
  ];
  const post = (path: string, body: readonly string[], expected: number) => ({ method: 'POST', path, body, expected }) as const;
  return [
    {
      title: 'A token',
      why: ['Your API key obtains a token that is good for 60 minutes.', 'All other requests carry it.'],
      ...post('/v1/graphql/', tokenQuery(apiKey), 200),
      use: 'token',
    },
    {
      title: 'Validate an account',
      why: ['Checks an account and stores nothing. 200 {} means that it would be accepted.'],
      ...post(VALIDATE, account('020 7946 0018'), 200),
    },
    {
      title: 'Validate one that is wrong',
      why: ['Every error of an account comes at once: `attr` is the field to change,', '`code` is what programs compare.'],
      ...post(VALIDATE, account('12'), 400),
    },
    {
      title: 'Create it',
      why: ['201: the account is accepted, and nothing loses it from now on.', 'It is created in a moment, by an import process.'],
      ...post(ACCOUNTS, account('020 7946 0018'), 201),
    },
    {
      title: 'Watch its import',
      why: ['PENDING, then IN_PROGRESS, then PROCESSED: the account is there.', '`platform_identifier` is what the platform calls it.'],
      method: 'GET',
      path: `${ACCOUNTS}${supplier}/${number}/`,
      expected: 200,
      isUnfinished: (answer) => ['PENDING', 'IN_PROGRESS'].includes(String(fieldOf(answer, 'status'))),
    },
    {
      title: 'Create it again',
      why: ['400, because it is there: an account is never made twice.', 'So whatever was cut off may be sent again.'],
      ...post(ACCOUNTS, account('020 7946 0018'), 400),
    },
  ];
}

const tokenQuery = (apiKey: string): readonly string[] => [
  '{',
  '  "query": "mutation($k: String) { obtainPlatformToken(input: {APIKey: $k}) { token } }",',
  `  "variables": {"k": "${apiKey}"}`,
  '}',
];

/** The token of an answer to the first step. */
export function tokenOf(answer: unknown): string | undefined {
  const token = fieldOf(fieldOf(fieldOf(answer, 'data'), 'obtainPlatformToken'), 'token');
  return typeof token === 'string' ? token : undefined;
}

export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The same request for a shell. It pastes into bash, zsh and sh. */
export function curlOf(step: Step, url: string): string {
  const options = [
    ...(step.use === 'token' ? [] : ['-H "Authorization: Token $TOKEN"']),
    ...(step.body ? ["-H 'Content-Type: application/json'", `-d '${step.body.join('\n  ')}'`] : []),
  ];
  const curl = [`curl -s ${url}${step.path}`, ...options].join(' \\\n  ');
  return step.use === 'token' ? `TOKEN=$(${curl} \\\n  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')` : curl;
}

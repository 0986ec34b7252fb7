/**
 * What must hold before an environment is deployed, but for what a deploy makes itself. Pure.
 */

/** A binding as the deployed Worker has it. */
export interface Binding {
  /** `plain_text`, `secret_text` and others. */
  readonly type: string;
  readonly name: string;
  /** The value of a variable. */
  readonly text?: string;
}

/** What was asked of Cloudflare and of the deployed Worker; undefined where nobody answered. */
export interface Asked {
  /** Names of the secrets that are set. */
  readonly secrets: readonly string[] | undefined;
  readonly deployed: readonly Binding[] | undefined;
  /** Secrets that the deployed Worker does not use, because they are too short. */
  readonly tooShort: readonly string[] | undefined;
}

export interface Findings {
  /** What has to change first. */
  readonly refused: readonly string[];
  /** What nobody answered. */
  readonly notAsked: readonly string[];
}

/** The part of wrangler's configuration of an environment that is looked at. */
export interface Config {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name?: string | undefined;
    readonly database_id?: string | undefined;
  }[];
  readonly r2_buckets: readonly { readonly bucket_name?: string | undefined; readonly jurisdiction?: string | undefined }[];
  readonly queues: {
    readonly producers?: readonly { readonly queue: string }[] | undefined;
    readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string | undefined }[] | undefined;
  };
  readonly workers_dev: boolean | undefined;
  readonly routes: readonly (string | { readonly pattern: string })[] | undefined;
  readonly route: string | { readonly pattern: string } | undefined;
  readonly keep_vars?: boolean | undefined;
  readonly observability?:
    | { readonly enabled?: boolean | undefined; readonly logs?: { readonly invocation_logs?: boolean | undefined } | undefined }
    | undefined;
  readonly triggers: { readonly crons: readonly string[] | undefined };
}

const ACCESS = ['ACCESS_TEAM_DOMAIN', 'ACCESS_AUDIENCE'];
/** What npm start gives the local service. */
const LOCAL = 'LOCAL_SIGN_IN_SHA256';
const SECRETS = [
  'TOKEN_SIGNING_KEY',
  'TOKEN_SIGNING_KEY_PREVIOUS',
  'OPERATOR_TOKEN',
  'PLATFORM_TOKEN',
  'PLATFORM_TOKEN_PREVIOUS',
  'WEBHOOK_SIGNING_KEY',
  'STRIPE_API_KEY',
  'GOCARDLESS_ACCESS_TOKEN',
];

/** What nobody was asked. */
const NOTHING: Asked = { secrets: undefined, deployed: undefined, tooShort: undefined };

/** What wrangler.toml alone says, whoever is logged in. */
export const checkFile = (config: Config, environment: string): readonly string[] => check(config, environment, NOTHING).refused;

export function check(config: Config, environment: string, asked: Asked): Findings {
  const refused = [...ofRoutes(config, environment), ...ofSecrets(config, environment, asked)];
  refused.push(...ofAccess(config, asked), ...ofEpoch(config, asked), ...ofLogs(config), ...ofCron(config));
  return { refused, notAsked: ofSilence(asked) };
}

function ofRoutes(config: Config, environment: string): string[] {
  const patterns = patternsOf(config);
  if (patterns.length === 0 && !config.workers_dev)
    return [`routes of ${environment} are missing: nobody could reach it. Add routes = [{ pattern = "…", custom_domain = true }].`];
  return patterns.filter((pattern) => /\bexample\./.test(pattern)).map((pattern) => `routes name a placeholder: ${pattern}.`);
}

/** Addresses of an environment, without their schemes. */
export const patternsOf = ({ routes, route }: Pick<Config, 'routes' | 'route'>): string[] =>
  [...(routes ?? []), ...(route ? [route] : [])].map((one) => (typeof one === 'string' ? one : one.pattern));

function ofSecrets({ vars }: Config, environment: string, { secrets, tooShort }: Asked): string[] {
  const refused = [
    ...SECRETS.filter((name) => name in vars).map((name) => `${name} is in [vars], in plain sight: wrangler secret put ${name}.`),
    ...(tooShort ?? []).map((name) => `${name} is shorter than 32 bytes, so it is not used: openssl rand -base64 32.`),
  ];
  if (environment === 'production' && ('SANDBOX_VENDOR' in vars || secrets?.includes('SANDBOX_VENDOR')))
    refused.push('SANDBOX_VENDOR is set: it accepts made-up payment instructions.');
  if ('WEBHOOK_ALLOW_LOCAL' in vars || secrets?.includes('WEBHOOK_ALLOW_LOCAL'))
    refused.push('WEBHOOK_ALLOW_LOCAL is set: alerts could be sent to addresses of the machine itself.');
  if (LOCAL in vars || secrets?.includes(LOCAL)) refused.push(`${LOCAL} is set: it is for npm start alone. Delete it.`);
  return refused;
}

/** Secrets that the service cannot do without and that are not set: a deploy makes them. With Cloudflare Access no operator token is needed. */
export function missingSecrets({ vars }: Config, secrets: readonly string[]): ('TOKEN_SIGNING_KEY' | 'OPERATOR_TOKEN')[] {
  const isClosed = !ACCESS.every((name) => secrets.includes(name) || Boolean(vars[name]));
  const needed = ['TOKEN_SIGNING_KEY', ...(isClosed ? ['OPERATOR_TOKEN' as const] : [])] as const;
  return needed.filter((name) => !secrets.includes(name));
}

function ofAccess({ vars, keep_vars: keepsVariables }: Config, { secrets, deployed }: Asked): string[] {
  const inFile = ACCESS.filter((name) => name in vars);
  const refused = inFile
    .filter((name) => vars[name] === '')
    .map(
      (name) =>
        `${name} is empty in wrangler.toml: a deploy overwrites what the dashboard has with nothing. Fill it in or delete the line.`,
    );
  if (refused.length > 0) return refused;
  for (const name of ACCESS) {
    const was = deployed?.find((binding) => binding.type === 'plain_text' && binding.name === name)?.text;
    if (was && !(name in vars) && !keepsVariables)
      refused.push(
        `${name} is a variable of the deployed Worker and not in wrangler.toml: a deploy deletes it. Write it there, or make it a secret.`,
      );
    else if (was && name in vars && vars[name] !== was)
      refused.push(`${name} is another in the deployed Worker than in wrangler.toml: a deploy overwrites it. Make them the same first.`);
  }
  // One refusal says both.
  if (refused.length > 0) return refused.slice(0, 1);
  if (!secrets) return [];
  const isSet = (name: string): boolean => name in vars || secrets.includes(name);
  const [missing, ...others] = ACCESS.filter((name) => !isSet(name));
  if (missing && others.length === 0) return [`${missing} is missing beside ${ACCESS.find(isSet)}: Cloudflare Access lets nobody in.`];
  return [];
}

function ofEpoch({ vars }: Config, { deployed }: Asked): string[] {
  const was = Number(deployed?.find(({ name }) => name === 'DATABASE_EPOCH')?.text ?? 0);
  return Number(vars['DATABASE_EPOCH'] ?? 0) < was
    ? [`DATABASE_EPOCH is lower than the ${was} of the deployed Worker: it only ever rises.`]
    : [];
}

const ofLogs = ({ observability }: Config): string[] =>
  observability?.enabled && observability.logs?.invocation_logs !== false
    ? ['invocation_logs are on: they hold addresses, and addresses hold account numbers. [observability.logs] invocation_logs = false.']
    : [];

const ofCron = ({ triggers }: Config): string[] =>
  triggers?.crons?.includes('* * * * *') ? [] : ['The cron "* * * * *" is missing: what a queue loses would stay lost without the sweep.'];

function ofSilence({ secrets, deployed, tooShort }: Asked): string[] {
  const notAsked: string[] = [];
  if (!secrets)
    notAsked.push('whether the secrets are set: wrangler secret list did not answer. Log in (wrangler login) or set CLOUDFLARE_API_TOKEN.');
  if (!tooShort)
    notAsked.push('whether secrets are long enough: wrangler lists their names only, and no deployed Worker answered /readyz. Give --url.');
  if (!deployed) notAsked.push('which variables the deployed Worker has: it was never deployed, or wrangler is not logged in.');
  return notAsked;
}

/**
 * The settings of an import supplier: what is stored for it over the defaults. So a release that adds a setting reads the rows of
 * older ones, and passes over a setting that only a newer release knows. Pure.
 */
import * as z from 'zod';
import { documentsRoot } from '../shared/document-paths';
import { isTimeZone, UTC } from '../shared/time-zones';

const settings = z.object({
  /** ISO 3166-1 alpha-2: phone numbers without a country code are read as of this country. */
  default_country: z.string(),
  /** The folder that document paths start in, in the form of {@link documentsRoot}: never the bucket itself. */
  documents_root: z.string().refine((root) => root !== ''),
  /** IANA name: "today" of the open statement period is the date there. */
  time_zone: z.string().refine(isTimeZone),
  /** For other services: this one sends nothing. */
  send_customer_emails: z.boolean(),
  extra_charge_reasons: z.array(z.string()),
  extra_credit_reasons: z.array(z.string()),
  /** None: all are allowed. */
  vendors: z.array(z.string()),
  payload_retention_days: z.number(),
  /** Hours after PROCESSED in which an operator may take an account of a run back; 0: never. */
  undo_hours: z.number(),
  event_retention_days: z.number(),
});
export type SupplierConfiguration = Readonly<z.output<typeof settings>>;
export type Setting = keyof SupplierConfiguration;

/** Settings of which some may be missing. */
export type SomeSettings = { readonly [Key in Setting]?: SupplierConfiguration[Key] | undefined };

const isSetting = (name: string): name is Setting => Object.hasOwn(settings.shape, name);

// By its shape: `keyof()` makes another schema when the Worker starts.
export const SETTINGS: readonly Setting[] = Object.keys(settings.shape).filter(isSetting);

/** The longest that `event_retention_days` may be. */
export const MAX_EVENT_RETENTION_DAYS = 3_650;

/** In force where nothing is stored. The country has no default, and the root of documents is the supplier's code. */
export const DEFAULT_SETTINGS: Omit<SupplierConfiguration, 'default_country' | 'documents_root'> = {
  time_zone: UTC,
  send_customer_emails: false,
  extra_charge_reasons: [],
  extra_credit_reasons: [],
  vendors: [],
  payload_retention_days: 90,
  undo_hours: 0,
  event_retention_days: 30,
};

/** The configuration of a supplier from what is stored for it; undefined if this release cannot read a setting of it. */
export function configurationOf(code: string, stored: string): SupplierConfiguration | undefined {
  const given = storedSettings(stored);
  return given && settings.safeParse(withDefaults(code, given)).data;
}

/** The settings that keep {@link configurationOf} from reading what is stored. */
export function unreadableSettings(code: string, stored: string): readonly Setting[] {
  const given = storedSettings(stored);
  if (!given) return SETTINGS;
  const refused = new Set(settings.safeParse(withDefaults(code, given)).error?.issues.map(({ path }) => path[0]));
  return SETTINGS.filter((setting) => refused.has(setting));
}

/** The settings that can be read of what is stored, be it too little for a configuration. */
export function readableSettings(code: string, stored: string): SomeSettings {
  const given = storedSettings(stored);
  if (!given) return {};
  const refused: ReadonlySet<string> = new Set(unreadableSettings(code, stored));
  const readable = Object.entries(withDefaults(code, given)).filter(([setting]) => !refused.has(setting));
  return settings.partial().parse(Object.fromEntries(readable));
}

/** What is to be stored once these settings were given: over what is stored now, settings of a newer release included. */
export const storedWith = (code: string, stored: string, given: object): string =>
  JSON.stringify(withDefaults(code, { ...storedSettings(stored), ...given }));

/** `''` takes a folder or a time zone back to its default. */
function withDefaults(code: string, stored: object): object {
  const given: Record<string, unknown> = { ...DEFAULT_SETTINGS, ...stored };
  const root = given['documents_root'] ?? '';
  return {
    ...given,
    documents_root: typeof root === 'string' ? documentsRoot(root) || documentsRoot(code) : root,
    time_zone: given['time_zone'] === '' ? UTC : given['time_zone'],
  };
}

/** The JSON object that is stored; undefined if it is none. */
function storedSettings(text: string): object | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : undefined;
  } catch {
    // Not JSON: no release wrote this.
    return undefined;
  }
}

/**
 * Every setting of a supplier as an option of the command line.
 */
import { wholeNumber } from './commands.ts';

type Given = string | number | boolean | string[];

const words = (given: Given): string[] =>
  String(given)
    .split(/[\s,]+/)
    .filter((word) => word !== '');

/** Option -> setting, how it is typed, and what a person has to know. */
const SETTINGS: Readonly<Record<string, readonly [setting: string, read: (given: Given) => unknown, description: string]>> = {
  country: ['default_country', String, 'Default country, for example GB'],
  'documents-root': ['documents_root', String, "Folder of its documents; '' is the supplier's code"],
  'time-zone': ['time_zone', String, "For example Australia/Sydney; '' is UTC"],
  'send-customer-emails': ['send_customer_emails', Boolean, 'Customers may be sent e-mail; --no-send-customer-emails: they may not'],
  'extra-charge-reasons': ['extra_charge_reasons', words, "Beside the standard ones, separated by commas; '' is none"],
  'extra-credit-reasons': ['extra_credit_reasons', words, "Beside the standard ones, separated by commas; '' is none"],
  vendors: ['vendors', words, "STRIPE, GOCARDLESS, SANDBOX, separated by commas; '' allows all"],
  'payload-retention-days': ['payload_retention_days', (given) => wholeNumber(String(given)), 'Days payloads are kept'],
  'undo-hours': ['undo_hours', (given) => wholeNumber(String(given)), 'Hours in which an imported run can be undone; 0: never'],
  'event-retention-days': ['event_retention_days', (given) => wholeNumber(String(given)), 'Days events are kept'],
};

export const settingOptions: Readonly<Record<string, { type: 'boolean' | 'string'; description: string }>> = Object.fromEntries(
  Object.entries(SETTINGS).map(([option, [, type, description]]) => [
    option,
    { type: type === Boolean ? 'boolean' : 'string', description },
  ]),
);

/** The settings that were given, as the operator interface takes them. */
export const settingsIn = (given: Readonly<Record<string, Given | undefined>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([option, [setting, read]]) => {
      const value = given[option];
      return value === undefined ? [] : [[setting, read(value)]];
    }),
  );

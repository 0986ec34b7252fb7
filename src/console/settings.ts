/**
 * The settings of a supplier between its forms and the body that the operator interface takes. Pure.
 */
import type { SomeSettings } from '../suppliers';

/** Settings as a form holds them. */
export interface SettingsValues {
  readonly default_country: string;
  readonly documents_root: string;
  readonly time_zone: string;
  readonly send_customer_emails: boolean;
  readonly extra_charge_reasons: string;
  readonly extra_credit_reasons: string;
  readonly vendors: readonly string[];
  readonly payload_retention_days: string;
  readonly undo_hours: string;
  readonly event_retention_days: string;
}

/** What a form shows of a configuration, be it of no setting yet. */
export const valuesOf = (configuration: SomeSettings): SettingsValues => ({
  default_country: configuration.default_country ?? '',
  documents_root: configuration.documents_root ?? '',
  time_zone: configuration.time_zone ?? '',
  send_customer_emails: configuration.send_customer_emails ?? false,
  extra_charge_reasons: (configuration.extra_charge_reasons ?? []).join(' '),
  extra_credit_reasons: (configuration.extra_credit_reasons ?? []).join(' '),
  vendors: configuration.vendors ?? [],
  payload_retention_days: shown(configuration.payload_retention_days),
  undo_hours: shown(configuration.undo_hours),
  event_retention_days: shown(configuration.event_retention_days),
});

const shown = (days: number | undefined): string => (days === undefined ? '' : String(days));

/** What was typed. */
export function valuesIn(form: FormData): SettingsValues {
  const text = (name: keyof SettingsValues): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    default_country: text('default_country').toUpperCase(),
    documents_root: text('documents_root'),
    time_zone: text('time_zone'),
    send_customer_emails: form.has('send_customer_emails'),
    extra_charge_reasons: text('extra_charge_reasons'),
    extra_credit_reasons: text('extra_credit_reasons'),
    vendors: form.getAll('vendors').filter((vendor) => typeof vendor === 'string'),
    payload_retention_days: text('payload_retention_days'),
    undo_hours: text('undo_hours'),
    event_retention_days: text('event_retention_days'),
  };
}

/** The `configuration` of a body. What is no number goes as it was typed, so that it is refused at its place. */
export function configurationIn(values: SettingsValues): Record<string, unknown> {
  return {
    ...values,
    extra_charge_reasons: words(values.extra_charge_reasons),
    extra_credit_reasons: words(values.extra_credit_reasons),
    payload_retention_days: numberIn(values.payload_retention_days),
    // Forms of an earlier release do not have them.
    undo_hours: values.undo_hours === '' ? null : numberIn(values.undo_hours),
    event_retention_days: values.event_retention_days === '' ? null : numberIn(values.event_retention_days),
  };
}

const numberIn = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

const words = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

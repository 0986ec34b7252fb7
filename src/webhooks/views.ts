import { isoInstant } from '../shared/dates';
import { previousSecretUntil } from './rules';
import type { WebhookRow } from './store';

/** A webhook as it is answered. `now` in Unix milliseconds. */
export function webhookView(row: WebhookRow, now: number) {
  const previousUntil = previousSecretUntil(row.rotatedAt, now);
  return {
    id: row.id,
    url: row.url,
    import_suppliers: listOf(row.supplierCodes),
    types: listOf(row.types),
    state: row.isEnabled === 0 ? 'DISABLED' : row.failedAt === null ? 'ENABLED' : 'FAILING',
    is_enabled: row.isEnabled === 1,
    ...(row.disabledReason === null ? {} : { disabled_reason: row.disabledReason }),
    created_at: isoInstant(row.createdAt),
    lag_seconds: row.waitingSince === null ? 0 : Math.max(0, Math.floor((now - row.waitingSince) / 1_000)),
    ...(row.deliveredAt === null ? {} : { delivered_at: isoInstant(row.deliveredAt) }),
    ...(row.failedAt === null ? {} : { latest_failure: { at: isoInstant(row.failedAt), reason: row.failure ?? '' } }),
    ...(previousUntil === undefined ? {} : { previous_secret_until: isoInstant(previousUntil) }),
  };
}

function listOf(text: string | null): unknown {
  return text === null ? [] : JSON.parse(text);
}

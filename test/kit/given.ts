/** What a test of the kit stands on: an organisation, key and supplier of its own, made as an operator makes them. */
import { inject } from 'vitest';

export interface KitSupplier {
  readonly url: string;
  readonly apiKey: string;
  readonly code: string;
}

let made = 0;

export async function aKitSupplier(configuration: Record<string, unknown> = {}): Promise<KitSupplier> {
  const name = `kit-${process.pid}-${made++}`;
  const { id } = await operator<{ id: string }>('POST', 'organisations/', { name });
  const { api_key } = await operator<{ api_key: string }>('POST', `organisations/${id}/api-keys/`, { label: name });
  const code = name.toUpperCase();
  await operator('POST', 'suppliers/', { organisation_id: id, code, name, configuration: { default_country: 'GB', ...configuration } });
  return { url: inject('service').url, apiKey: api_key, code };
}

export async function operator<T = unknown>(method: string, path: string, body: unknown): Promise<T> {
  const { url, operatorToken } = inject('service');
  const answer = await fetch(`${url}/operator/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json<T>();
}

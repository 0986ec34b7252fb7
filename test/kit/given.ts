/** What a test of the whole service stands on: an organisation, key and supplier of its own, made as an operator makes them. */
import { inject } from 'vitest';

export interface KitSupplier {
  readonly url: string;
  readonly apiKey: string;
  readonly code: string;
}

let made = 0;

/** What opens the operator interface, and where it is. */
interface Service {
  readonly url: string;
  readonly operatorToken: string;
}

/** Of the service that all files share unless another is given. */
export async function aKitSupplier(
  configuration: Record<string, unknown> = {},
  service: Service = inject('service'),
): Promise<KitSupplier> {
  const name = `kit-${process.pid}-${made++}`;
  const { id } = await operator<{ id: string }>('POST', 'organisations/', { name }, service);
  const { api_key } = await operator<{ api_key: string }>('POST', `organisations/${id}/api-keys/`, { label: name }, service);
  const code = name.toUpperCase();
  const supplier = { organisation_id: id, code, name, configuration: { default_country: 'GB', ...configuration } };
  await operator('POST', 'suppliers/', supplier, service);
  return { url: service.url, apiKey: api_key, code };
}

export async function operator<T = unknown>(
  method: string,
  path: string,
  body: unknown,
  { url, operatorToken }: Service = inject('service'),
): Promise<T> {
  const answer = await fetch(`${url}/operator/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json<T>();
}

/** A webhook on this machine for as long as the demo runs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { verifyWebhook } from '../../dist/client/index.js';

/** Sweeps run every ten seconds at `npm start`. */
const GIVE_UP_MILLISECONDS = 60_000;

interface Wanted {
  request(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object): Promise<{ readonly status: number; readonly body: unknown }>;
  readonly supplier: string;
  /** A service elsewhere reaches no webhook here. */
  readonly isLocal: boolean;
}

export interface Receiver {
  /** Waits until each of these imports was reported, removes the webhook, and says how many events came and which accounts were not reported. */
  end(accounts: readonly string[]): Promise<{ readonly events: number; readonly missing: number }>;
}

/** Registers a webhook that takes what it can verify, and nothing else. Undefined where the service cannot reach it. */
export async function receive({ request, supplier, isLocal }: Wanted): Promise<Receiver | undefined> {
  if (!isLocal) return undefined;
  let secret = '';
  const seen = new Set<string>();
  const announced = new Set<string>();
  const take = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const event = await verifyWebhook(await textOf(incoming), incoming.headers, secret).catch(() => undefined);
    if (event?.type === 'account_imports.finished') for (const one of event.data.imports) announced.add(one.external_account_number);
    if (event) seen.add(event.id);
    answer.writeHead(event ? 204 : 400).end();
  };
  const server = createServer((incoming, answer) => void take(incoming, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { status, body } = await request('POST', '/v2/data-import/webhooks/', {
    url: `http://127.0.0.1:${port}/`,
    import_suppliers: [supplier],
  });
  const made = body as { readonly id?: string; readonly secret?: string } | undefined;
  if (status !== 201 || !made?.id || !made.secret) {
    server.close();
    console.log(`No webhook: the service answered ${status}.`);
    return undefined;
  }
  const { id } = made;
  secret = made.secret;
  return {
    async end(accounts) {
      const missing = (): number => accounts.filter((account) => !announced.has(account)).length;
      const deadline = Date.now() + GIVE_UP_MILLISECONDS;
      while (missing() > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 200));
      await request('DELETE', `/v2/data-import/webhooks/${id}/`);
      server.close();
      server.closeAllConnections();
      return { events: seen.size, missing: missing() };
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

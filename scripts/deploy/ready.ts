/**
 * The end of a deploy: the deployed service says itself whether it is ready.
 */
import * as z from 'zod';
import type { Fetch } from './ask.ts';
import type { Outcome } from './deploy.ts';

const SECOND = 1_000;
const TIMEOUT_MILLISECONDS = 10 * SECOND;
const PAUSE_MILLISECONDS = 5 * SECOND;
/** A new address and a new version are everywhere by then. */
const PATIENCE_MILLISECONDS = 120 * SECOND;
/** The first run of a new cron comes within a quarter of an hour. */
const SWEEP_PATIENCE_MILLISECONDS = 1_200 * SECOND;

const answers = z.object({ reasons: z.array(z.object({ name: z.string(), detail: z.string() })) });

export interface Asking {
  readonly get: Fetch;
  say(line: string): void;
  pause(milliseconds: number): Promise<void>;
  now(): number;
}

/** Asks `/readyz` until it is 200; longer where only the first sweep is awaited. Each new answer is said. */
export async function untilReady(url: string | undefined, { get, say, pause, now }: Asking): Promise<Outcome> {
  if (url === undefined) return { kind: 'not_ready', url, reasons: ['wrangler named no address. Say where it answers: --url https://…'] };
  const address = `${url.replace(/\/+$/, '')}/readyz`;
  say(`GET ${address}`);
  const started = now();
  for (let shown = ''; ; await pause(PAUSE_MILLISECONDS)) {
    const reasons = await askOnce(address, get);
    if (reasons.length === 0) return { kind: 'ready', url };
    const words = reasons.map(({ name, detail }) => `${name}: ${detail}`);
    if (words.join() !== shown) for (const one of words) say(`not ready  ${one}`);
    shown = words.join();
    const isSweepAlone = reasons.every(({ name }) => name === 'sweep');
    if (now() - started >= (isSweepAlone ? SWEEP_PATIENCE_MILLISECONDS : PATIENCE_MILLISECONDS))
      return { kind: 'not_ready', url, reasons: words };
  }
}

/** Why it is not ready; nothing if it is. */
async function askOnce(address: string, get: Fetch): Promise<{ name: string; detail: string }[]> {
  try {
    const answer = await get(address, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (answer.status === 200) return [];
    const said = answers.safeParse(await answer.json().catch(() => undefined));
    return said.success && said.data.reasons.length > 0
      ? said.data.reasons
      : [{ name: 'answer', detail: `${address} answered ${answer.status}.` }];
  } catch (error) {
    return [{ name: 'answer', detail: `${address} did not answer (${error instanceof Error ? error.name : 'unknown'}).` }];
  }
}

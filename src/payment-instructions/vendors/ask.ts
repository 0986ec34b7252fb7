/**
 * One question to a vendor over HTTP: bounded in time and size, no redirect followed (it would carry our credentials to
 * wherever it points), one quick retry of what may pass.
 */
import type { Reader, VendorAnswer } from './answer';

const MAX_ANSWER_BYTES = 262_144;
const RETRY_DELAY_MILLISECONDS = 150;

export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly read: Reader;
}

/** Asks once, and once more if the vendor was unavailable. `signal` bounds both tries together. */
export async function ask(question: Question, signal: AbortSignal): Promise<VendorAnswer> {
  const first = await askOnce(question, signal);
  if (first.kind !== 'unavailable' || signal.aborted) return first;
  await scheduler.wait(RETRY_DELAY_MILLISECONDS * (0.5 + Math.random()));
  return askOnce(question, signal);
}

async function askOnce({ url, headers, read }: Question, signal: AbortSignal): Promise<VendorAnswer> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', ...headers },
      redirect: 'manual',
      cache: 'no-store',
      signal,
    });
    if (response.ok) return await answerOf(response, read);
    await response.body?.cancel();
    return refusalOf(response.status);
  } catch {
    // Network and time-out errors alike; their texts may quote the address, and with it the reference.
    return { kind: 'unavailable', reason: signal.aborted ? 'time_out' : 'network_error' };
  }
}

function refusalOf(status: number): VendorAnswer {
  if (status === 401 || status === 403) return { kind: 'rejected_credentials' };
  if (status >= 400 && status < 500 && status !== 429) return { kind: 'not_found' };
  return { kind: 'unavailable', reason: `status_${status}` };
}

async function answerOf(response: Response, read: Reader): Promise<VendorAnswer> {
  const text = await textOf(response);
  if (text === undefined) return { kind: 'unavailable', reason: 'oversized_answer' };
  return read(decoded(text)) ?? { kind: 'unavailable', reason: 'unreadable_answer' };
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function textOf(response: Response): Promise<string | undefined> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the rest of the answer.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

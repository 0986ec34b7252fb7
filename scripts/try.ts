/**
 * `npm run try`: sends the first six requests of an importer to the running service, one after the other, and explains each. On a terminal
 * it waits for Enter between them.
 */
import { createInterface } from 'node:readline/promises';
import { DEMO, isAlive, readLocal, stop } from './local.ts';
import { curlOf, fieldOf, type Step, stepsOf, tokenOf } from './try/steps.ts';

const { url, apiKey, pid } = readLocal();
if (!isAlive(pid) || !url || !apiKey) stop('The service is not running here: npm start in another terminal.');

const number = `TRY-${Date.now().toString(36).toUpperCase()}`;
const steps = stepsOf({ apiKey, supplier: DEMO.supplier, number });
const terminal =
  process.stdin.isTTY && process.stdout.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
let token: string | undefined;

for (const [index, step] of steps.entries()) {
  console.log(`\n${index + 1} of ${steps.length}  ${step.title}\n\n${step.why.join('\n')}\n\n${indented(curlOf(step, url))}\n`);
  const { status, body } = await answerOf(step);
  if (step.use === 'token') token = tokenOf(body);
  console.log(indented(`${status} ${readable(body)}`));
  if (status !== step.expected || (step.use === 'token' && !token))
    stop(`\nThis was to be answered ${step.expected}. The output of npm start says more.`);
  if (index < steps.length - 1) await terminal?.question('\nPress Enter for the next one.');
}
terminal?.close();
console.log(`
That was one account. Next:
  npx data-import --help         whole files of accounts, from the command line
  npm run demo                   200 varied accounts with a progress bar
  ${`${url}/docs/`.padEnd(31)}every field, answer and error code`);

/** Sends the request, again while its answer is not the last; each answer that differs is shown. */
async function answerOf(step: Step) {
  for (let shown = ''; ; await pause()) {
    const { status, body } = await send(step);
    if (!step.isUnfinished?.(body)) return { status, body };
    const state = String(fieldOf(body, 'status'));
    if (state !== shown) console.log(indented(`${status} "status": "${state}"`));
    shown = state;
  }
}

async function send({ method, path, body }: Step) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...(token ? { Authorization: `Token ${token}` } : {}), ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: body.join('\n') } : {}),
  }).catch((error: Error & { cause?: NodeJS.ErrnoException }) =>
    stop(`No answer from ${url} (${error.cause?.code ?? error.message}). Is npm start still running?`),
  );
  return { status: answer.status, body: await answer.json() };
}

/** JSON on one line where it is short; a token is cut. */
function readable(body: unknown) {
  const text = JSON.stringify(body).replace(/("token":"[^"]{16})[^"]+/, '$1…');
  return text.length <= 70 ? text : JSON.stringify(JSON.parse(text), null, 2);
}

function indented(text: string) {
  return text.replace(/^/gm, '  ');
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}

/** `npm run reset`: wipes the local database, bucket and demo key. Secrets in .dev.vars stay. */
import { rmSync } from 'node:fs';
import { isAlive, readLocal, STATE, stop } from './local.ts';

const { pid, url } = readLocal();
if (isAlive(pid)) stop(`The service is running at ${url} (process ${pid}). Stop it first.`);
rmSync(STATE, { recursive: true, force: true });
console.log('The local state is gone; npm start makes it anew.');

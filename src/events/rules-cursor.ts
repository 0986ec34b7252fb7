/**
 * Cursors and ids of events on the wire. Rows of all suppliers share one order, and nobody may see by it how much others do, or that
 * they do anything: ids are encrypted, and a cursor looks new at each answer. Pure.
 */
import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv } from 'node:crypto';

/** One block: 6 bytes of the id, 1 of what it is, 5 of chance, 4 zeros that show that it was made here. */
const [BLOCK, ID_BYTES, CHANCE_AT, CHANCE_BYTES] = [16, 6, 7, 5];
const KIND = { event: 1, cursor: 2 } as const;
const PREFIX = 'evt_';

/** The id of an event as it is sent, the same each time. `key` is 32 hex digits. */
export const eventIdOf = (id: number, key: string): string => PREFIX + sealed(id, KIND.event, 0, key);

/** The place behind the event of that row, as a cursor; `chance` is any positive integer. */
export const cursorOf = (id: number, key: string, chance: number): string => sealed(id, KIND.cursor, chance, key);

/** The id of the row behind which a cursor goes on; undefined for text that is no cursor of this service. */
export function idInCursor(cursor: string, key: string): number | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== BLOCK || bytes.toString('base64url') !== cursor) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(key), NO_VECTOR).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(bytes), decipher.final()]);
  const isOurs = block[ID_BYTES] === KIND.cursor && block.subarray(CHANCE_AT + CHANCE_BYTES).every((byte: number) => byte === 0);
  return isOurs ? block.readUIntBE(0, ID_BYTES) : undefined;
}

// One block alone: what chaining would hide between blocks is not there.
const CIPHER = 'aes-128-ecb';
const NO_VECTOR = Buffer.alloc(0);
const keyOf = (key: string): Buffer => Buffer.from(key, 'hex');

function sealed(id: number, kind: number, chance: number, key: string): string {
  const block = Buffer.alloc(BLOCK);
  block.writeUIntBE(id, 0, ID_BYTES);
  block[ID_BYTES] = kind;
  block.writeUIntBE(chance % 2 ** (8 * CHANCE_BYTES), CHANCE_AT, CHANCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key), NO_VECTOR).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
}

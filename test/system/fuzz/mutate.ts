/**
 * Turns what is right into what may be wrong: somewhere in a JSON value, or anywhere in its bytes.
 */
import type { Random } from '../simulation/random';
import { anyText, anyValue, jsonOf, Raw } from './nasty';

type Holder = unknown[] | Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null && !(value instanceof Raw);

/** Every place of a value that holds another one. */
function placesOf(root: Holder): [holder: Holder, key: string][] {
  const places: [Holder, string][] = [];
  const walk = (holder: Holder): void => {
    for (const [key, child] of Object.entries(holder)) {
      places.push([holder, key]);
      if (isHolder(child)) walk(child);
    }
  };
  walk(root);
  return places;
}

const TRICKY_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'payload',
  'task_params',
  'non_field_errors',
  'length',
  '0',
  '\ud800',
  'é',
];

/** Changes one thing. The value is changed in place. */
export function mutate(root: Holder, random: Random): void {
  const places = placesOf(root);
  if (places.length === 0) return;
  const [holder, key] = random.pick(places);
  if (random.chance(0.1)) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
  } else if (random.chance(0.11)) {
    const name = random.chance(0.5) ? random.pick(TRICKY_KEYS) : anyText(random);
    if (!Array.isArray(holder))
      Object.defineProperty(holder, name, { value: anyValue(random), enumerable: true, configurable: true, writable: true });
  } else {
    Reflect.set(holder, key, replacement(key, Reflect.get(holder, key), random));
  }
}

function replacement(key: string, value: unknown, random: Random): unknown {
  switch (random.below(8)) {
    case 0:
      return [value];
    case 1:
      return { [key]: value };
    case 2:
      return Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : isHolder(value) ? Object.values(value) : jsonOf(value);
    case 3:
      // The same key twice, the second time with something else.
      return new Raw(`{${JSON.stringify(key)}:${jsonOf(value)},${JSON.stringify(key)}:${jsonOf(anyValue(random))}}`);
    case 4:
      if (!Array.isArray(value) || value.length === 0) return anyText(random);
      return Array.from({ length: random.pick([2, 13, 501, 1_001]) }, () => value[0]);
    case 5:
      if (typeof value === 'string') return random.chance(0.5) ? value + anyText(random) : value.repeat(random.pick([0, 2, 200]));
      if (typeof value === 'number') return random.pick([-value, value * 1e9, value / 3, String(value), value + 0.001]);
      return anyValue(random);
    default:
      return anyValue(random);
  }
}

/** Changes bytes: flipped, cut, repeated, put in, or all in another encoding. */
export function mangle(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1);
  switch (random.below(7)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return bytes.slice(at);
    case 2: {
      const flipped = bytes.slice();
      for (let i = 0; i <= random.below(4); i++) {
        const place = random.below(bytes.length);
        flipped[place] = (flipped[place] ?? 0) ^ (1 << random.below(8));
      }
      return flipped;
    }
    case 3: {
      const noise = Uint8Array.from({ length: 1 + random.below(6) }, () => random.below(256));
      return joined(bytes.slice(0, at), noise, bytes.slice(at));
    }
    case 4:
      // Bytes no UTF-8 has: overlong, surrogates, past the last code point, a cut sequence.
      return joined(
        bytes.slice(0, at),
        Uint8Array.from(random.pick([[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0xff]])),
        bytes.slice(at),
      );
    case 5:
      return joined(Uint8Array.from(random.pick([[0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0x00]])), bytes);
    default:
      return new Uint8Array(Uint16Array.from(bytes).buffer);
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

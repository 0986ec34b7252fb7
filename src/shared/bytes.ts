/** Bytes that come in parts of any size, in one buffer: a thousand parts of one byte are a thousand bytes, not a thousand objects. */
export class Bytes {
  #buffer = new Uint8Array();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(part: Uint8Array): void {
    const length = this.#length + part.byteLength;
    if (length > this.#buffer.byteLength) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.byteLength));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
  }

  /** All that was appended since the last take. */
  take(): Uint8Array {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = new Uint8Array();
    this.#length = 0;
    return bytes;
  }
}

/** How much is read at once. A stream that brings buffers of its own brings 4 KiB at a time on Workers. */
export const PART_BYTES = 65_536;

/** Reads a stream into one buffer of `partBytes` over and over: a part is good until the next one is asked for. */
export function partsOf(stream: ReadableStream<Uint8Array>, partBytes = PART_BYTES) {
  const reader = stream.getReader({ mode: 'byob' });
  let buffer = new ArrayBuffer(partBytes);
  return {
    async read(): Promise<ReadableStreamReadResult<Uint8Array>> {
      const result = await reader.read(new Uint8Array(buffer));
      if (result.value) buffer = result.value.buffer;
      return result;
    },
    /** Nothing is read any more. */
    cancel: () => reader.cancel(),
  };
}

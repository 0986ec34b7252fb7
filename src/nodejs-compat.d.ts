/**
 * What the Worker uses of Node, by the platform's `nodejs_compat`: these modules and nothing else. `@types/node` would bring Node's
 * globals with them, which a Worker has only in part.
 */
declare module 'node:buffer' {
  type Encoding = 'utf8' | 'hex' | 'base64' | 'base64url' | 'latin1';
  export class Buffer extends Uint8Array<ArrayBuffer> {
    static alloc(bytes: number): Buffer;
    static byteLength(text: string): number;
    static concat(parts: readonly Uint8Array[]): Buffer;
    static from(text: string, encoding?: Encoding): Buffer;
    static from(bytes: ArrayBuffer | Uint8Array): Buffer;
    static from(bytes: ArrayBufferLike, offset: number, length: number): Buffer;
    indexOf(value: number | Uint8Array, from?: number): number;
    readUIntBE(offset: number, bytes: number): number;
    toString(encoding?: Encoding, start?: number, end?: number): string;
    writeUIntBE(value: number, offset: number, bytes: number): number;
  }
}

declare module 'node:crypto' {
  type Digest = 'hex' | 'base64' | 'base64url';
  interface Hash {
    update(data: string | Uint8Array): this;
    digest(encoding: Digest): string;
  }
  interface Cipher {
    setAutoPadding(isPadded: boolean): this;
    update(data: Uint8Array): Uint8Array;
    final(): Uint8Array;
  }
  export function createCipheriv(algorithm: 'aes-128-ecb', key: Uint8Array, vector: Uint8Array): Cipher;
  export function createDecipheriv(algorithm: 'aes-128-ecb', key: Uint8Array, vector: Uint8Array): Cipher;
  export function createHash(algorithm: 'md5' | 'sha256'): Hash;
  export function createHmac(algorithm: 'sha256', key: string | Uint8Array): Hash;
  export function hash(algorithm: 'sha256', data: string, encoding: Digest): string;
  export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean;
}

declare module 'node:zlib' {
  interface Gunzip extends AsyncIterable<Uint8Array> {
    readonly destroyed: boolean;
    destroy(error?: Error): void;
    end(): void;
    on(event: string, listener: () => void): void;
    write(part: Uint8Array): boolean;
  }
  export function createGunzip(options: { readonly chunkSize: number }): Gunzip;
}

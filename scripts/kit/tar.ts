const BLOCK = 512;

/** A tar archive (ustar) of regular files, given as name and bytes. Names have at most 100 bytes. */
export function tarOf(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Buffer {
  const blocks = files.flatMap(([name, bytes]) => [headOf(name, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function headOf(name: string, size: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`the name is too long: ${name}`);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  head.write(name, 0);
  head.write(octal(0o644, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(size, 11), 124);
  // The same for every build, so that equal files give equal bytes; npm refuses what is older.
  head.write(octal(Date.UTC(2000, 0) / 1_000, 11), 136);
  head.write(' '.repeat(8), 148);
  head.write('0', 156);
  head.write('ustar\x0000', 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

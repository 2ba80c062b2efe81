import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes of one scenario file. */
export const scenarioBytesMax = 1_048_576;

/** Bytes of any other file of data that is held as a whole: a fixture, a policy, a list of clients. */
export const dataBytesMax = 8_388_608;

const chunkBytes = 65_536;

/**
 * The bytes of a file, or `null` where it has more than a number of them. No more than that is read, and not one byte of a file whose size
 * says so already: a device says 0 and never ends. Throws what the system says.
 */
export function bytesAtMost(path: string, bytesMax: number): Buffer | null {
  const file = openSync(path, 'r');
  try {
    if (fstatSync(file).size > bytesMax) return null;
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytesMax + 1 - size));
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks, size);
      size += read;
      if (size > bytesMax) return null;
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

/** The text of a file, or `null` where it has more than a number of bytes. Throws what the system says. */
export function textAtMost(path: string, bytesMax: number): string | null {
  return bytesAtMost(path, bytesMax)?.toString('utf8') ?? null;
}

/** What is wrong with a file that is too large. */
export function tooLarge(bytesMax: number): string {
  return `it has more than ${bytesMax} bytes`;
}

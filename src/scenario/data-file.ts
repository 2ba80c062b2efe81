import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Maximum size of a scenario file, in bytes. */
export const scenarioBytesMax = 1_048_576;

/**
 * Maximum size of any other data file that is read as a whole, in bytes: a fixture, a policy or a list of clients.
 */
export const dataBytesMax = 8_388_608;

const chunkBytes = 65_536;

/**
 * Reads the bytes of a file, or returns `null` if it has more than `bytesMax`. No more than that is read, and
 * nothing is read if the file size is already too large. The size alone is not sufficient, because a device reports
 * 0 and never ends. Throws system errors.
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

/** Reads the text of a file, or returns `null` if it has more than `bytesMax` bytes. Throws system errors. */
export function textAtMost(path: string, bytesMax: number): string | null {
  return bytesAtMost(path, bytesMax)?.toString('utf8') ?? null;
}

/** Returns the message for a file that is too large. */
export function tooLarge(bytesMax: number): string {
  return `it is larger than ${bytesMax} bytes`;
}

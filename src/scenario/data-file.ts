import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Maximum size of a scenario file, in bytes. */
export const scenarioBytesMax = 1_048_576;

/**
 * Maximum size of any other data file that is read as a whole, in bytes: a fixture, a policy or a list of clients.
 */
export const dataBytesMax = 8_388_608;

/**
 * Reads the bytes of a file, or returns `null` if it has more than `bytesMax`. No more than that is read, and
 * nothing is read if the file size is already too large. The size alone is not sufficient, because a device reports
 * 0 and never ends. Throws system errors.
 */
export function bytesAtMost(path: string, bytesMax: number): Buffer | null {
  const file = openSync(path, 'r');
  try {
    const expected = fstatSync(file).size;
    if (expected > bytesMax) return null;
    // One more byte shows that the file ends there. Some files of the system say that they are empty, and can be read only at once.
    let bytes = Buffer.allocUnsafe(Math.min(Math.max(expected + 1, firstBytesMin), bytesMax + 1));
    let size = 0;
    for (;;) {
      const read = readSync(file, bytes, size, bytes.length - size, null);
      size += read;
      if (read === 0) return bytes.subarray(0, size);
      if (size > bytesMax) return null;
      if (size === bytes.length) bytes = Buffer.concat([bytes], Math.min(size * growthFactor, bytesMax + 1));
    }
  } finally {
    closeSync(file);
  }
}

/** Smallest size of the buffer. */
const firstBytesMin = 4_096;

/** Factor by which the buffer grows if a file is larger than its reported size. */
const growthFactor = 2;

/** Reads the text of a file, or returns `null` if it has more than `bytesMax` bytes. Throws system errors. */
export function textAtMost(path: string, bytesMax: number): string | null {
  return bytesAtMost(path, bytesMax)?.toString('utf8') ?? null;
}

/** Returns the message for a file that is too large. */
export function tooLarge(bytesMax: number): string {
  return `it is larger than ${bytesMax} bytes`;
}

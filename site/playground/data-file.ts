/** Replaces `src/scenario/data-file.ts` in the browser, where there are no files. */
export function textAtMost(): never {
  throw new RangeError('The playground reads no files.');
}

/** Returns the message for a text that is too large. */
export function tooLarge(bytesMax: number): string {
  return `it is larger than ${bytesMax} bytes`;
}

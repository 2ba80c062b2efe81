import { z } from 'zod';

/** Length limits and pattern of a text. */
export interface BoundedText {
  /** Minimum number of characters. */
  readonly min?: number;
  /** Maximum number of characters. Longer texts are rejected before the pattern is matched. */
  readonly max: number;
  /** Pattern that matches in time linear in the length of the text, as a test verifies. */
  readonly pattern: RegExp;
  /** Description of the allowed texts for error messages. */
  readonly allowed: string;
}

/**
 * Creates a schema for text of bounded length that matches a pattern. All patterns in the contracts use this function,
 * so the server never matches a pattern against an oversized text. By default, zod continues with further checks after
 * a length check fails.
 */
export function boundedText({ min = 0, max, pattern, allowed }: BoundedText): z.ZodString {
  return lengthBounded({ min, max }).regex(pattern, allowed);
}

/** Creates a schema for text of bounded length. The checks that follow are skipped if the length is out of bounds. */
export function lengthBounded({ min = 0, max }: Pick<BoundedText, 'min' | 'max'>): z.ZodString {
  const text = z.string().max(max, { abort: true });
  return min === 0 ? text : text.min(min, { abort: true });
}

import { z } from 'zod';

/** A text of bounded length that a pattern decides on. */
export interface BoundedText {
  /** Characters that it has at least. */
  readonly min?: number;
  /** Characters that it has at most: a longer text is refused before anything looks at it. */
  readonly max: number;
  /** A pattern that is linear in the length of the text, which a test proves. */
  readonly pattern: RegExp;
  /** The words for what the pattern allows. */
  readonly allowed: string;
}

/**
 * Text of bounded length in a pattern: the only way in which the contracts state a pattern, so that no one makes the server search a
 * long text. Zod by itself goes on with the checks that follow a length that was exceeded.
 */
export function boundedText({ min = 0, max, pattern, allowed }: BoundedText): z.ZodString {
  return lengthBounded({ min, max }).regex(pattern, allowed);
}

/** Text of bounded length, with checks to follow that no one makes for a longer one. */
export function lengthBounded({ min = 0, max }: Pick<BoundedText, 'min' | 'max'>): z.ZodString {
  const text = z.string().max(max, { abort: true });
  return min === 0 ? text : text.min(min, { abort: true });
}

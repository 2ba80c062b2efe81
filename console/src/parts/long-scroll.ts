/**
 * How high the contents of a scrolling box may be, in pixels. Browsers cut off what is higher than some tens of millions, one of
 * them at 17: a longer list stands for more than it is high.
 */
const contentPixelsMax = 10_000_000;

/** Heights of the box on which further a movement is a jump: small ones are those of wheel, keys and fingers. */
const jumpHeights = 3;

/** A list in a scrolling box, in pixels: how high it is, and the box. */
export interface LongList {
  readonly fullPixels: number;
  readonly boxPixels: number;
}

/** Where a list stands: the top of the box in its contents, and in the list at full height. */
export interface LongPlace {
  readonly top: number;
  readonly fullTop: number;
}

/** The height of the contents of the box. */
export function getContentPixels({ fullPixels }: LongList): number {
  return Math.min(fullPixels, contentPixelsMax);
}

/**
 * Where a list stands after the box was scrolled. A small movement goes so many pixels on in the list; a jump goes to the same part of
 * it. Takes where it stood, and the new top of the box. The top that is returned differs from it where an end of the box was
 * reached before that of the list: the box is then to be set to it.
 */
export function scrolledTo(list: LongList, before: LongPlace, top: number): LongPlace {
  const content = Math.max(0, getContentPixels(list) - list.boxPixels);
  const full = Math.max(0, list.fullPixels - list.boxPixels);
  if (content === full || content === 0) return { top, fullTop: top };
  const moved = top - before.top;
  if (Math.abs(moved) > jumpHeights * list.boxPixels) return { top, fullTop: (top / content) * full };
  const fullTop = Math.min(full, Math.max(0, before.fullTop + moved));
  if (top > 0 && top < content) return { top, fullTop };
  const fair = Math.round((fullTop / full) * content);
  return fair === Math.round(top) ? { top, fullTop: top <= 0 ? 0 : full } : { top: fair, fullTop };
}

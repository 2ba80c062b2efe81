/**
 * Maximum height of the content of a scrolling box, in pixels. Browsers truncate content above some tens of
 * millions of pixels, in one case above 17 million. Longer lists are scaled down to this height.
 */
const contentPixelsMax = 10_000_000;

/** Scroll distance, in box heights, above which a movement counts as a jump. Wheel, keys and touch move less. */
const jumpHeights = 3;

/** Height of a list and of its scrolling box, in pixels. */
export interface LongList {
  readonly fullPixels: number;
  readonly boxPixels: number;
}

/** Scroll position: the top of the box in its content, and in the list at full height. */
export interface LongPlace {
  readonly top: number;
  readonly fullTop: number;
}

/** Returns the height of the content of the box, in pixels. */
export function getContentPixels({ fullPixels }: LongList): number {
  return Math.min(fullPixels, contentPixelsMax);
}

/**
 * Returns the position in a list after its box was scrolled to `top`. A small movement scrolls the list by the same
 * number of pixels, and a jump scrolls it to the same fraction. The returned top differs from `top` if the box
 * reached an end before the list did, and the caller must then apply it to the box.
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

import { type RefObject, useEffect, useRef, useState } from 'react';

/** Rows that are drawn beyond those that are seen, on either side. */
const overscanRows = 8;

/**
 * How high the contents of a scrolling box may be, in pixels. Browsers cut off what is higher than some tens of millions; a longer
 * list is scrolled through in larger steps.
 */
const contentPixelsMax = 8_000_000;

/** The rows of a long list that are seen, and where they are drawn. */
export interface RowWindow {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Height of the contents, in pixels. */
  readonly contentPixels: number;
  /** The first row that is drawn, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Where a row is drawn in the contents, in pixels. */
  readonly topOf: (row: number) => number;
  readonly onScroll: () => void;
}

/** The window on a list of so many rows, each of a height in pixels, that is scrolled in a box. */
export function useRowWindow(rows: number, rowPixels: number): RowWindow {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 0 });
  const measure = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = box.current ?? {};
    setSeen((before) => (before.top === top && before.height === height ? before : { top, height }));
  };
  useEffect(() => {
    if (box.current === null) return;
    const watcher = new ResizeObserver(measure);
    watcher.observe(box.current);
    return () => watcher.disconnect();
  });
  const fullPixels = rows * rowPixels;
  const contentPixels = Math.min(fullPixels, contentPixelsMax);
  const scrollable = Math.max(1, contentPixels - seen.height);
  // The top of the box in a list of full height: the end of the one is the end of the other.
  const fullTop = (Math.min(seen.top, scrollable) / scrollable) * Math.max(0, fullPixels - seen.height);
  const first = Math.max(0, Math.floor(fullTop / rowPixels) - overscanRows);
  const end = Math.min(rows, Math.ceil((fullTop + seen.height) / rowPixels) + overscanRows);
  return { box, contentPixels, first, end, topOf: (row) => seen.top + row * rowPixels - fullTop, onScroll: measure };
}

import { type RefObject, useEffect, useRef, useState } from 'react';
import { getContentPixels, type LongPlace, scrolledTo } from './long-scroll.ts';

/** Rows that are drawn beyond those that are seen, on either side. */
const overscanRows = 8;

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
  const [boxPixels, setBoxPixels] = useState(0);
  const [place, setPlace] = useState<LongPlace>({ top: 0, fullTop: 0 });
  const list = { fullPixels: rows * rowPixels, boxPixels };
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const watcher = new ResizeObserver(() => setBoxPixels(current.clientHeight));
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const onScroll = (): void => {
    const { current } = box;
    if (current === null || current.scrollTop === place.top) return;
    const next = scrolledTo(list, place, current.scrollTop);
    if (next.top !== current.scrollTop) current.scrollTop = next.top;
    setPlace(next);
  };
  const { top, fullTop } = place;
  const first = Math.max(0, Math.min(rows, Math.floor(fullTop / rowPixels)) - overscanRows);
  const end = Math.min(rows, Math.ceil((fullTop + boxPixels) / rowPixels) + overscanRows);
  const topOf = (row: number): number => top + row * rowPixels - fullTop;
  return { box, contentPixels: getContentPixels(list), first, end, topOf, onScroll };
}

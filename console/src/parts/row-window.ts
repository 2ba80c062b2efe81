import { type RefObject, useEffect, useRef, useState } from 'react';
import { getContentPixels, type LongPlace, scrolledTo } from './long-scroll.ts';

/** Number of rows rendered beyond the visible rows on each side. */
const overscanRows = 8;

/** Visible rows of a long list and their positions. */
export interface RowWindow {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Height of the content, in pixels. */
  readonly contentPixels: number;
  /** First rendered row, and the row after the last rendered one. */
  readonly first: number;
  readonly end: number;
  /** Returns the position of a row in the content, in pixels. */
  readonly computeTop: (row: number) => number;
  readonly onScroll: () => void;
}

/** Returns the visible window of a list in a scrolling box, with rows of a fixed height in pixels. */
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
  const computeTop = (row: number): number => top + row * rowPixels - fullTop;
  return { box, contentPixels: getContentPixels(list), first, end, computeTop: computeTop, onScroll };
}

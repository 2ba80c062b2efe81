/**
 * Processes items, some of them concurrently, and returns the results in the order of the items. `stop` prevents
 * further items from starting.
 */
export async function runSequentially<T, R>(
  items: readonly T[],
  workers: number,
  work: (item: T) => Promise<{ readonly value: R; readonly stop: boolean }>,
): Promise<readonly R[]> {
  const values = new Map<number, R>();
  let next = 0;
  let stopped = false;
  const worker = async (): Promise<void> => {
    while (!stopped && next < items.length) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item === undefined) return;
      const { value, stop } = await work(item);
      values.set(index, value);
      stopped ||= stop;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, worker));
  return [...values].sort(([a], [b]) => a - b).map(([, value]) => value);
}

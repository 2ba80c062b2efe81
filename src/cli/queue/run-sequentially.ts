/**
 * Creates a function that accepts numbered values in any order and passes them on in order, starting at 0. Each
 * value waits until all earlier values were passed on.
 * @param pass - callback for the values
 * @returns a function whose promise resolves when every available value was passed on, and rejects with the error
 *   of the callback
 */
export function runSequentially<T>(
  pass: (value: T) => void | Promise<void>,
): (number: number, value: T) => Promise<void> {
  const waiting = new Map<number, T>();
  let next = 0;
  let passing = Promise.resolve();
  const passAll = async (): Promise<void> => {
    while (waiting.has(next)) {
      const value = waiting.get(next) as T;
      waiting.delete(next);
      next += 1;
      await pass(value);
    }
  };
  return (number, value) => {
    waiting.set(number, value);
    passing = passing.then(passAll);
    return passing;
  };
}

/**
 * Passes values on in the order of their numbers, from 0, whatever came first; each waits until those before it have come and were
 * taken. Takes who is given them. Returns the function that takes them as they come; it resolves when all that could be passed on
 * was taken, and throws what taking threw.
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

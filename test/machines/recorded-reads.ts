/**
 * Wraps a value so that every path read from it is noted. Objects and arrays are wrapped as they are reached; a set or map
 * counts as one value and is handed out as it is. Takes the value and the list to write to.
 */
export function recording<T>(value: T, reads: Set<string>, path = ''): T {
  if (typeof value !== 'object' || value === null || value instanceof Set || value instanceof Map) return value;
  const note = (key: string | symbol): string => {
    const read = path === '' ? String(key) : `${path}.${String(key)}`;
    if (typeof key === 'string') reads.add(read);
    return read;
  };
  return new Proxy(value, {
    get: (target, key) => {
      const held: unknown = Reflect.get(target, key);
      return typeof held === 'function' ? held : recording(held, reads, note(key));
    },
    has: (target, key) => {
      note(key);
      return Reflect.has(target, key);
    },
    ownKeys: (target) => {
      note('*');
      return Reflect.ownKeys(target);
    },
  });
}

/** The reads that no declared path covers. A path covers what is below it; what is above it is only passed through. */
export function undeclared(reads: Iterable<string>, declared: readonly string[]): readonly string[] {
  return [...reads]
    .filter((read) => !declared.some((path) => isAtOrBelow(read, path) || isAtOrBelow(path, read)))
    .sort();
}

/** The declared paths that no read reached. */
export function unread(reads: ReadonlySet<string>, declared: readonly string[]): readonly string[] {
  return declared.filter((path) => ![...reads].some((read) => isAtOrBelow(read, path)));
}

function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`);
}

/**
 * Wraps a value and records every path that is read from it in `reads`. Objects and arrays are wrapped when they are
 * reached. A set or map counts as one value and is returned unwrapped.
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

/**
 * Lists the reads that no declared path covers. A path covers its descendants, and reads of its ancestors are
 * ignored.
 */
export function undeclared(reads: Iterable<string>, declared: readonly string[]): readonly string[] {
  return [...reads]
    .filter((read) => !declared.some((path) => isAtOrBelow(read, path) || isAtOrBelow(path, read)))
    .sort();
}

/** Lists the declared paths that were never read. */
export function unread(reads: ReadonlySet<string>, declared: readonly string[]): readonly string[] {
  return declared.filter((path) => ![...reads].some((read) => isAtOrBelow(read, path)));
}

function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`);
}

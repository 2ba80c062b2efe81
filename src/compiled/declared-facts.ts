/**
 * Restricts facts to their declared paths, so a table over these paths cannot depend on other facts. Reading
 * another path throws a `RangeError`, because an incorrect declaration is an error of the program.
 * @param facts - facts to restrict
 * @param declared - paths that may be read
 * @param whose - owner of the facts, for the error message
 */
export function declaredFacts<T extends object>(facts: T, declared: readonly string[], whose: string): T {
  return guarded(facts, '', declared, whose);
}

function guarded<T extends object>(value: T, path: string, declared: readonly string[], whose: string): T {
  const refuse = (key: string): never => {
    throw new RangeError(`${whose} reads ${key}, but does not declare it.`);
  };
  return new Proxy(value, {
    get: (target, key) => {
      const fact: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol') return fact;
      const read = path === '' ? key : `${path}.${key}`;
      if (declared.includes(read)) return fact;
      if (!declared.some((one) => one.startsWith(`${read}.`))) refuse(read);
      return typeof fact === 'object' && fact !== null ? guarded(fact, read, declared, whose) : fact;
    },
    has: (_target, key) => refuse(`${path}.${String(key)}`),
    ownKeys: () => refuse(`${path}.*`),
  });
}

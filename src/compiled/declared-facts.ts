/**
 * Facts of which only the declared paths can be read, so that a table over those paths is never built on anything else.
 * Takes the facts, the declared paths, and whose they are for the message. Reading another path throws a `RangeError`: the
 * declaration is wrong, which is a fault of the program.
 */
export function declaredFacts<T extends object>(facts: T, declared: readonly string[], whose: string): T {
  return guarded(facts, '', declared, whose);
}

function guarded<T extends object>(value: T, path: string, declared: readonly string[], whose: string): T {
  const refuse = (key: string): never => {
    throw new RangeError(`${whose} reads ${key}, which it does not declare.`);
  };
  return new Proxy(value, {
    get: (target, key) => {
      const held: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol') return held;
      const read = path === '' ? key : `${path}.${key}`;
      if (declared.includes(read)) return held;
      if (!declared.some((one) => one.startsWith(`${read}.`))) refuse(read);
      return typeof held === 'object' && held !== null ? guarded(held, read, declared, whose) : held;
    },
    has: (_target, key) => refuse(`${path}.${String(key)}`),
    ownKeys: () => refuse(`${path}.*`),
  });
}

/** Returns `true` for a fact or setting that a ruleset with the base `own` declares. */
export function isDeclared(path: string): boolean {
  return path.includes('.facts.') || path.includes('.settings.');
}

/** Writes the value of a fact into facts, at its path. */
export function writeFact(facts: Record<string, unknown>, path: string, value: unknown): void {
  writeAt(facts, path.split('.'), value);
}

function writeAt(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else {
    const inner = (Object.hasOwn(target, key) ? target[key] : {}) as Record<string, unknown>;
    target[key] = inner;
    writeAt(inner, rest, value);
  }
}

/** Location at which a value differs from the expected one. */
export interface Difference {
  /** Path inside the value, such as `error.code`. The path of the value itself is empty. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Maximum number of differences reported for one value. */
const differencesMax = 8;

/**
 * Returns the locations at which a value differs from the expected one. An object must have at least the expected
 * keys, and an array must have exactly the expected items. Returns the whole value if no finer difference is found.
 */
export function differencesBetween(expected: unknown, actual: unknown): readonly Difference[] {
  const found = [...walk(expected, actual, '')].slice(0, differencesMax);
  return found.length > 0 ? found : [{ path: '', expected, actual }];
}

function* walk(expected: unknown, actual: unknown, path: string): Generator<Difference> {
  if (isObject(expected) && isObject(actual)) {
    for (const [key, wanted] of Object.entries(expected)) yield* walk(wanted, actual[key], joined(path, key));
    return;
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, wanted] of expected.entries()) yield* walk(wanted, actual[index], joined(path, String(index)));
    return;
  }
  if (JSON.stringify(expected) !== JSON.stringify(actual)) yield { path, expected, actual };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

type Keyed = Readonly<Record<string, unknown>>;

/** Path in the context, with the number of its values. */
export interface Growth {
  /** Path in the context, such as `context.basket.items`. */
  readonly key: string;
  readonly values: number;
  /** Some of the latest values as truncated JSON. */
  readonly latest: string;
}

/**
 * Finds the context key that continues to take new values. `contexts` is in the order of discovery. Returns `null`
 * if no key took a new value in the last half, so the state space is large but may be finite.
 */
export function growingKey(contexts: readonly unknown[]): Growth | null {
  return growingBelow('context', contexts);
}

function growingBelow(path: string, values: readonly unknown[]): Growth | null {
  const found = values.filter(isKeyed);
  const keys = [...new Set(found.flatMap((value) => Object.keys(value)))];
  const growths = keys
    .map((key) => ({ key, ...newValues(found.map((value) => value[key])) }))
    .filter(({ fresh }) => fresh > 0)
    .toSorted((a, b) => b.fresh - a.fresh);
  const [most] = growths;
  if (most === undefined) return null;
  const below = found.map((value) => value[most.key]);
  const deeper = below.every(isKeyed) ? growingBelow(`${path}.${most.key}`, below) : null;
  if (deeper !== null) return deeper;
  const latest = JSON.stringify(below.at(-1)) ?? 'undefined';
  return {
    key: `${path}.${most.key}`,
    values: most.all,
    latest: latest.length > 60 ? `${latest.slice(0, 60)}…` : latest,
  };
}

/** Counts the distinct values, and those that occur only in the last half. */
function newValues(values: readonly unknown[]): { readonly all: number; readonly fresh: number } {
  const texts = values.map((value) => JSON.stringify(value) ?? 'undefined');
  const all = new Set(texts).size;
  return { all, fresh: all - new Set(texts.slice(0, texts.length >> 1)).size };
}

function isKeyed(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

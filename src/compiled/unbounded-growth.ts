type Keyed = Readonly<Record<string, unknown>>;

/** A path of the context, and how many values it took. */
export interface Growth {
  /** Such as `context.basket.items`. */
  readonly key: string;
  readonly values: number;
  /** Some of the latest values as JSON, cut short. */
  readonly latest: string;
}

/**
 * The key of the context that goes on taking new values. Takes the contexts in the order in which they were found. Returns
 * `null` when none took a new value among the last half, so that the space is merely large.
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

/** How many values there are, and how many of them came in the last half alone. */
function newValues(values: readonly unknown[]): { readonly all: number; readonly fresh: number } {
  const texts = values.map((value) => JSON.stringify(value) ?? 'undefined');
  const all = new Set(texts).size;
  return { all, fresh: all - new Set(texts.slice(0, texts.length >> 1)).size };
}

function isKeyed(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

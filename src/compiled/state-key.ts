import type { ValidationProblem } from '../core/errors.ts';

interface Remembering {
  readonly value: unknown;
  readonly context: unknown;
  /** Remembered states by the id of a history state. */
  readonly historyValue?: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

/**
 * Computes the default identity of a state: JSON of the value and the context. For history states it includes the
 * remembered states, because they affect later transitions.
 */
export function createStateKey(state: unknown): string {
  const { value, context, historyValue } = state as Remembering;
  const remembered = Object.entries(historyValue ?? {});
  if (remembered.length === 0) return JSON.stringify({ value, context });
  const history = remembered.map(([id, nodes]) => [id, ...nodes.map((node) => node.id).sort()]).sort();
  return JSON.stringify({ value, context, history });
}

/**
 * Finds the first value in a context that JSON does not preserve, because different states would then count as one.
 * Returns `null` if there is none. The parameters are the value, its path and its parent values.
 */
export function findUnserializableValue(
  value: unknown,
  place = 'context',
  within: readonly unknown[] = [],
): ValidationProblem | null {
  const kind = findUnserializableKind(value);
  if (kind !== null) {
    return {
      location: place,
      message: `contains ${kind}, which JSON cannot represent; use plain data, or set \`serialize\``,
    };
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value || within.includes(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = findUnserializableValue(part, `${place}.${key}`, [...within, value]);
    if (found !== null) return found;
  }
  return null;
}

function findUnserializableKind(value: unknown): string | null {
  switch (typeof value) {
    case 'function':
      return 'a function';
    case 'symbol':
      return 'a symbol';
    case 'bigint':
      return 'a bigint';
    case 'number':
      return Number.isFinite(value) ? null : String(value);
    case 'object':
      return value === null ? null : findUnserializableClass(value);
    default:
      return null;
  }
}

function findUnserializableClass(value: object): string | null {
  if ('getSnapshot' in value && 'send' in value) return 'an actor';
  const [name] = [Map, Set, WeakMap, WeakSet, RegExp, Promise].filter((one) => value instanceof one);
  return name === undefined ? null : `a ${name.name}`;
}

/**
 * Computes the maximum total length of all state keys in characters. A list that grows without limit would exhaust
 * memory long before the state limit is reached.
 */
export function keyCharactersMax(states: number): number {
  return Math.max(50_000_000, states * 200);
}

import type { ValidationProblem } from '../core/errors.ts';

interface Remembering {
  readonly value: unknown;
  readonly context: unknown;
  /** By the id of a history state, the states that it would lead back to. */
  readonly historyValue?: Readonly<Record<string, readonly { readonly id: string }[]>>;
}

/**
 * What tells states of a machine apart where nothing else is said: value and context as JSON and, for machines with history
 * states, what those remember, because the same events lead elsewhere by it. Takes a snapshot.
 */
export function createStateKey(state: unknown): string {
  const { value, context, historyValue } = state as Remembering;
  const remembered = Object.entries(historyValue ?? {});
  if (remembered.length === 0) return JSON.stringify({ value, context });
  const history = remembered.map(([id, nodes]) => [id, ...nodes.map((node) => node.id).sort()]).sort();
  return JSON.stringify({ value, context, history });
}

/**
 * The first place of a context whose value JSON does not tell from others, so that different states would count as one; `null`
 * when there is none. Takes the value, where it stands, and what it stands within.
 */
export function findUnserializableValue(
  value: unknown,
  place = 'context',
  within: readonly unknown[] = [],
): ValidationProblem | null {
  const kind = untoldKind(value);
  if (kind !== null) {
    return {
      location: place,
      message: `holds ${kind}, which JSON does not tell apart; keep plain data there, or give \`serialize\``,
    };
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value || within.includes(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = findUnserializableValue(part, `${place}.${key}`, [...within, value]);
    if (found !== null) return found;
  }
  return null;
}

function untoldKind(value: unknown): string | null {
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
      return value === null ? null : untoldObject(value);
    default:
      return null;
  }
}

function untoldObject(value: object): string | null {
  if ('getSnapshot' in value && 'send' in value) return 'an actor';
  const [name] = [Map, Set, WeakMap, WeakSet, RegExp, Promise].filter((one) => value instanceof one);
  return name === undefined ? null : `a ${name.name}`;
}

/**
 * The characters that the keys of all states may have together. A list that grows without end would take all memory long before
 * there are too many states. Takes how many states there may be.
 */
export function keyCharactersMax(states: number): number {
  return Math.max(50_000_000, states * 200);
}

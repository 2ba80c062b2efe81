import { fixedFacts } from '../../../../machines/own/own-facts.ts';
import type { FactValue } from '../../../../machines/own/own-ruleset.ts';

/** Groups of facts: every part of a path before its last one. */
const groups: ReadonlySet<string> = new Set([
  '',
  'tenant.facts',
  'tenant.settings',
  'user.facts',
  'attempt.facts',
  ...[...fixedFacts.keys()].flatMap((path) => {
    const parts = path.split('.');
    return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
  }),
]);

/** Names that every object has, and that code reads to convert a value. */
const ordinaryNames: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'toJSON', 'then']);

type Group = Record<string, unknown>;

/** Frozen copy of facts for one evaluation of a gate module, with the undeclared paths that were read (OC32). */
export class GateFacts {
  /** Paths that the module read without declaring them. */
  readonly undeclared: string[] = [];
  /** The facts, as the module receives them. */
  readonly facts: object;

  /**
   * Copies the declared facts.
   *
   * @param reads - paths that the module declares
   * @param read - returns the value of a fact by its path
   * @param fail - creates the error of an undeclared read
   */
  constructor(reads: readonly string[], read: (path: string) => FactValue, fail: (path: string) => Error) {
    const refuse = (path: string): never => {
      this.undeclared.push(path);
      throw fail(path);
    };
    const values = new Map(reads.map((path) => [path, freezeValue(read(path))]));
    this.facts = createGroup('', values, refuse);
  }
}

/** Returns a frozen copy, so that a module cannot change a list of the sandbox. */
function freezeValue(value: FactValue): FactValue {
  return Array.isArray(value) ? (Object.freeze([...(value as readonly string[])]) as readonly string[]) : value;
}

function createGroup(path: string, values: ReadonlyMap<string, FactValue>, refuse: (path: string) => never): object {
  const start = path === '' ? '' : `${path}.`;
  const names = new Set([...values.keys()].flatMap((one) => (one.startsWith(start) ? [one.slice(start.length)] : [])));
  const group: Group = {};
  for (const name of names) {
    const [first = name, ...rest] = name.split('.');
    const below = `${start}${first}`;
    group[first] = rest.length === 0 ? values.get(below) : (group[first] ?? createGroup(below, values, refuse));
  }
  const missing = (key: string): unknown => {
    const whole = `${start}${key}`;
    return groups.has(whole) ? createGroup(whole, new Map(), refuse) : refuse(whole);
  };
  const isOrdinary = (key: string | symbol): boolean => typeof key === 'symbol' || ordinaryNames.has(key);
  return new Proxy(Object.freeze(group), {
    get: (target, key) =>
      isOrdinary(key) || Object.hasOwn(target, key) ? (Reflect.get(target, key) as unknown) : missing(String(key)),
    has: (target, key) => isOrdinary(key) || Object.hasOwn(target, key) || refuse(`${start}${String(key)}`),
    getOwnPropertyDescriptor: (target, key) =>
      isOrdinary(key) || Object.hasOwn(target, key)
        ? Reflect.getOwnPropertyDescriptor(target, key)
        : refuse(`${start}${String(key)}`),
  });
}

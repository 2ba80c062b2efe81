import { fixedFacts, type OwnFacts } from '../../../../machines/own/own-facts.ts';
import type { FactValue } from '../../../../machines/own/own-ruleset.ts';
import { TrialFacts } from '../../../../machines/own/trial-facts.ts';

/** Thrown when a ruleset reads a fact that has no value yet. */
export class MissingFact extends Error {
  readonly path: string;

  /** Creates the error for a path. */
  constructor(path: string) {
    super(`The fact ${path} has no value yet.`);
    this.path = path;
  }
}

/** Facts that follow from earlier sign-ins, or that only tell one thing from another. */
const constantPaths: ReadonlySet<string> = new Set([
  'attempt.sessionId',
  'attempt.deviceId',
  'attempt.browserId',
  'user.id',
  'tenant.id',
  ...[...fixedFacts.keys()].filter((path) => path.startsWith('kept.') && path !== 'kept.createdAt'),
]);

/** Facts that get their values one by one, when a ruleset reads them. */
export class LazyFacts {
  readonly facts: OwnFacts;
  readonly #trial = new TrialFacts();
  readonly #known = new Set<string>();
  readonly #variables: ReadonlySet<string>;

  /** Creates facts without values. `variables` are paths that have none besides the usual ones. */
  constructor(variables: Iterable<string>) {
    this.#variables = new Set([...[...fixedFacts.keys()].filter((path) => !constantPaths.has(path)), ...variables]);
    this.facts = this.#watch(this.#trial.facts, '') as OwnFacts;
  }

  /** Sets a fact. */
  set(path: string, value: FactValue): void {
    this.#trial.set(path, value);
    this.#known.add(path);
  }

  /** Removes the value of a fact. */
  unset(path: string): void {
    this.#known.delete(path);
  }

  #watch(holder: object, group: string): object {
    const open = (key: string): void => {
      const path = toPath(group, key);
      if (this.#isVariable(path) && !this.#known.has(path)) throw new MissingFact(path);
    };
    return new Proxy(holder, {
      get: (target, key) => {
        if (typeof key === 'symbol') return Reflect.get(target, key) as unknown;
        open(key);
        const value: unknown = Reflect.get(target, key);
        const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
        return isGroup ? this.#watch(value, group === '' ? key : `${group}.${key}`) : value;
      },
      getOwnPropertyDescriptor: (target, key) => {
        if (typeof key === 'string') open(key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      // Copies of a group, such as that of a variant, read facts later.
      ownKeys: (target) => Reflect.ownKeys(target),
    });
  }

  #isVariable(path: string): boolean {
    const [, group, name] = path.split('.');
    return this.#variables.has(path) || ((group === 'facts' || group === 'settings') && name !== undefined);
  }
}

function toPath(group: string, key: string): string {
  const path = group === '' ? key : `${group}.${key}`;
  return path.startsWith('kept.') && path.endsWith('Ms') ? path.slice(0, -'Ms'.length) : path;
}

import { decideOwn, type OwnInput } from '../../../machines/own/evaluate-own.ts';
import type { FactValues } from '../../../machines/own/own-facts.ts';
import { type DeclaredFacts, type OwnRuleset, rulesAt } from '../../../machines/own/own-ruleset.ts';
import type { Facts } from '../../../machines/vocabulary.ts';
import type { OwnComparison } from '../../contract/comparison.schema.ts';
import { type Definitions, parseDefined } from '../../contract/declared-values.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';

const owners = ['tenant', 'user', 'attempt'] as const;

/** Facts of a verdict by owner, as they are written in the history. */
type WrittenFacts = Pick<Facts, (typeof owners)[number]>;

/** Facts that a history has of a sign-in, by owner. */
export type GivenFacts = Readonly<Record<(typeof owners)[number], { readonly facts?: FactValues | undefined }>>;

/**
 * Counts the verdicts of a variant that depend on the default of a fact that the history does not have: a decision depends
 * on a fact if it reads it before it is made (OC50).
 */
export class DefaultedFacts {
  readonly #ruleset: OwnRuleset;
  readonly #names: Readonly<Record<(typeof owners)[number], readonly string[]>>;
  readonly #counts = new Map<string, number>();
  readonly #lacksCreation: boolean;
  #verdicts = 0;

  /**
   * Creates the counts for a ruleset. `known` are the facts that the history can have, as its ruleset declares them.
   * `lacksCreation` is true for a history that does not say when its users were created.
   */
  constructor(ruleset: OwnRuleset, known: DeclaredFacts, lacksCreation = false) {
    this.#ruleset = ruleset;
    this.#lacksCreation = lacksCreation;
    const lacking = (owner: (typeof owners)[number]): readonly string[] =>
      Object.entries(ruleset.facts[owner]).flatMap(([name, definition]) => {
        const recorded = Object.hasOwn(known[owner], name) ? known[owner][name] : undefined;
        const isSame =
          recorded !== undefined && JSON.stringify(recorded.default) === JSON.stringify(definition.default);
        return isSame ? [] : [name];
      });
    this.#names = { tenant: lacking('tenant'), user: lacking('user'), attempt: lacking('attempt') };
  }

  /** Counts a verdict on an input, whose facts the history has as given. */
  add(input: OwnInput, written: GivenFacts): void {
    const read = new Set<string>();
    const watch = (owner: (typeof owners)[number], values: FactValues): FactValues => {
      const given = written[owner].facts ?? {};
      const lacking = this.#names[owner].filter((name) => !Object.hasOwn(given, name));
      return lacking.length === 0 ? values : watched(values, lacking, (name) => read.add(`${owner}.facts.${name}`));
    };
    const { tenant, user, attempt, kept } = input.facts;
    const facts = {
      ...input.facts,
      tenant: { ...tenant, facts: watch('tenant', tenant.facts) },
      user: { ...user, facts: watch('user', user.facts) },
      attempt: { ...attempt, facts: watch('attempt', attempt.facts) },
      kept: this.#lacksCreation ? watched(kept, ['createdAtMs'], () => read.add('kept.createdAt')) : kept,
    };
    decideOwn(rulesAt(this.#ruleset, attempt.nowMs), { ...input, facts });
    if (read.size > 0) this.#verdicts += 1;
    for (const path of read) this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
  }

  /** Returns the counts, with the facts of most verdicts first. */
  report(): OwnComparison['defaults'] {
    const facts = [...this.#counts].map(([fact, verdicts]) => ({ fact, verdicts }));
    return {
      verdicts: this.#verdicts,
      facts: facts.toSorted((a, b) => b.verdicts - a.verdicts || (a.fact < b.fact ? -1 : 1)),
    };
  }
}

function watched<Values extends object>(
  values: Values,
  names: readonly (keyof Values & string)[],
  see: (name: string) => void,
): Values {
  const copy = { ...values };
  for (const name of names) {
    const value = values[name];
    const get = (): typeof value => {
      see(name);
      return value;
    };
    Object.defineProperty(copy, name, { get, enumerable: true });
  }
  return copy;
}

/** Checks that the recorded values of facts and settings are values of another ruleset, too. */
export class RecordedFacts {
  readonly #ruleset: OwnRuleset;
  readonly #checked = new WeakSet<object>();

  /** Creates the check for a ruleset. */
  constructor(ruleset: OwnRuleset) {
    this.#ruleset = ruleset;
  }

  /**
   * Checks the facts of a sign-in.
   * @throws `usage-invalid` with every value that the ruleset does not allow
   */
  check({ tenant, user, attempt }: Partial<WrittenFacts>): void {
    const { facts, first, id } = this.#ruleset;
    const problems = [
      ...this.#list(tenant?.facts, facts.tenant, 'tenant.facts'),
      ...this.#list(tenant?.settings, first.settings, 'tenant.settings'),
      ...this.#list(user?.facts, facts.user, `user.facts of ${user?.id}`),
      ...this.#list(
        attempt?.facts,
        facts.attempt,
        user === undefined ? 'attempt.facts' : `attempt.facts of ${user.id}`,
      ),
    ];
    if (problems.length === 0) return;
    throw new NudgeLabError('usage-invalid', {
      message: `The history has values that the ruleset ${id} does not allow.`,
      problems,
    });
  }

  #list(written: FactValues | undefined, definitions: Definitions, location: string): readonly ValidationProblem[] {
    if (written === undefined || this.#checked.has(written)) return [];
    this.#checked.add(written);
    return Object.entries(written).flatMap(([name, value]) => {
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      const read = definition === undefined ? null : parseDefined(value, definition);
      return read !== null && 'message' in read ? [{ location: `${location}: ${name}`, message: read.message }] : [];
    });
  }
}

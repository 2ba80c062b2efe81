import type { FactValues, OwnTenant, OwnUser } from '../../../machines/own/own-facts.ts';
import type { FactType, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { type Definitions, readDeclaredValues } from '../../contract/declared-values.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { isDeclared, writeFact } from '../log/fact-paths.ts';
import type { UserEvent } from '../model/log-event.ts';
import type { AttemptVariant } from '../model/verdict-table.ts';
import type { LogFacts, OwnGiven } from './log-facts.ts';
import { ownLogUser } from './own-steps.ts';
import { listCompleted } from './unknown-facts.ts';

/** Reads the facts that a log states for a ruleset with the base `own`, each combination once. */
export class DeclaredFacts implements LogFacts {
  readonly initialUser: Partial<Omit<OwnUser, 'facts'>>;
  readonly isChanging = false;
  readonly #ruleset: OwnRuleset;
  readonly #constants: ReadonlyMap<string, unknown>;
  /** Constant facts of every sign-in that no ruleset declares. */
  readonly #fixed: FixedGiven;
  readonly #known = new Map<number, OwnGiven>();

  /**
   * Creates the reader. `constants` are facts of the whole log by path. Methods are those before the first event, because
   * registrations change them.
   *
   * @throws NudgeLabError `log-invalid` for a constant that does not exist, and for a value that it does not allow
   */
  constructor(ruleset: OwnRuleset, constants: ReadonlyMap<string, unknown>) {
    this.#ruleset = ruleset;
    this.#constants = constants;
    const { user, attempt } = readFixed(constants);
    const { methods, ...rest } = user;
    this.initialUser = methods === undefined ? {} : { methods: methods as OwnUser['methods'] };
    this.#fixed = { user: rest, attempt };
  }

  /**
   * Returns the facts of a sign-in.
   *
   * @throws NudgeLabError `log-invalid` for a fact that the ruleset does not declare, and for a value that it does not allow
   */
  read({ line, variant: { number, given, declared } }: UserEvent): OwnGiven {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const { facts, first } = this.#ruleset;
    const problems: ValidationProblem[] = [];
    const placeAt = (path: string): string => (declared?.has(path) === true ? `line ${line}` : 'constants');
    const written = new Map([...this.#constants, ...(declared ?? [])]);
    const read = (prefix: string, definitions: Definitions): FactValues => {
      const values = [...written].flatMap(([path, value]) => {
        if (!path.startsWith(`${prefix}.`)) return [];
        const name = path.slice(prefix.length + 1);
        const type = definitions[name]?.type;
        if (type === undefined) {
          const allowed = Object.keys(definitions).map((one) => `${prefix}.${one}`);
          const message = `${describeUnknownName(path, allowed)} in the ruleset ${this.#ruleset.id}`;
          problems.push({ location: placeAt(path), message });
          return [];
        }
        return [[name, convert(value, type)] as const];
      });
      const result = readDeclaredValues(Object.fromEntries(values), definitions, prefix);
      for (const { location, message } of result.problems) {
        problems.push({ location: `${placeAt(location)}: ${location}`, message });
      }
      return result.values;
    };
    const result: OwnGiven = {
      tenant: { facts: read('tenant.facts', facts.tenant), settings: read('tenant.settings', first.settings) },
      user: { ...this.#fixed.user, ...given.user, facts: read('user.facts', facts.user) },
      attempt: { patch: { ...this.#fixed.attempt, ...given.attempt }, facts: read('attempt.facts', facts.attempt) },
    };
    if (problems.length > 0) throw new NudgeLabError('log-invalid', { problems });
    this.#known.set(number, result);
    return result;
  }

  /** Lists no facts: those that a mapping does not name have their defaults. */
  listUnknown(): readonly string[] {
    return [];
  }

  /** Lists no facts, for the same reason. */
  listUnstated(): readonly string[] {
    return [];
  }

  /** Lists what earlier prompts can have left at a user. */
  listUnknownAtStart(): readonly string[] {
    return listCompleted(this.#ruleset);
  }

  /** Returns the tenant with the facts that a sign-in states. */
  tenant(before: OwnTenant, { tenant: { facts, settings } }: OwnGiven): OwnTenant {
    return { ...before, facts: { ...before.facts, ...facts }, settings: { ...before.settings, ...settings } };
  }
}

type FixedGiven = Pick<AttemptVariant['given'], 'user' | 'attempt'>;

/** Reads the constants that no ruleset declares. Those of the tenant are declared by rulesets alone. */
function readFixed(constants: ReadonlyMap<string, unknown>): FixedGiven {
  const given = { tenant: {}, user: {}, attempt: {} };
  for (const [path, value] of constants) if (!isDeclared(path)) writeFact(given, path, value);
  const candidate = { user: { id: ownLogUser, ...given.user }, attempt: given.attempt };
  const parsed = factsSchema.safeParse(candidate);
  const problems = parsed.success ? [] : [...listProblems(factsSchema, parsed.error, candidate, 'constants')];
  for (const name of Object.keys(given.tenant)) {
    const message = 'is not a fact of the tenant; allowed: tenant.facts.NAME and tenant.settings.NAME of the ruleset';
    problems.push({ location: `constants.tenant.${name}`, message });
  }
  if (problems.length > 0) throw new NudgeLabError('log-invalid', { problems });
  return given;
}

/** Converts a value of a column, which is text in CSV, to what a fact of a type has in YAML. */
function convert(value: unknown, type: FactType): unknown {
  if (typeof value !== 'string') return value;
  if (value === 'null') return null;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'integer' && value !== '' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'set') return value.split(',').map((part) => part.trim());
  return value;
}

import type { FactValues, OwnTenant, OwnUser } from '../../../machines/own/own-facts.ts';
import type { FactType, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import type { ConformanceMapping } from '../../contract/conformance.schema.ts';
import { type Definitions, readDeclaredValues } from '../../contract/declared-values.ts';
import { factsSchema } from '../../contract/facts.schema.ts';
import { listProblems } from '../../contract/parse.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { describeUnknownName } from '../../core/nearest-name.ts';
import { isDeclared, writeFact } from '../log/fact-paths.ts';
import { createMappingProblem, findFaultyPath, findMeaning } from '../log/mapping-faults.ts';
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
  readonly #mapping: ConformanceMapping | null;
  /** Constant facts of every sign-in that no ruleset declares. */
  readonly #fixed: FixedGiven;
  readonly #known = new Map<number, OwnGiven>();

  /**
   * Creates the reader. `constants` are facts of the whole log by path. Methods are those before the first event, because
   * registrations change them.
   *
   * @throws NudgeLabError `mapping-invalid` for a constant that does not exist, and for a value that it does not allow
   */
  constructor(ruleset: OwnRuleset, constants: ReadonlyMap<string, unknown>, mapping: ConformanceMapping | null) {
    this.#ruleset = ruleset;
    this.#constants = constants;
    this.#mapping = mapping;
    const { user, attempt } = readFixed(constants, mapping);
    const { methods, ...rest } = user;
    this.initialUser = methods === undefined ? {} : { methods: methods as OwnUser['methods'] };
    this.#fixed = { user: rest, attempt };
  }

  /**
   * Returns the facts of a sign-in.
   *
   * @throws NudgeLabError `mapping-invalid` for a fact that the ruleset does not declare; for a value that it does not
   *   allow, too, if the mapping states it, otherwise `log-invalid`
   */
  read({ line, variant: { number, given, declared } }: UserEvent): OwnGiven {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const { facts, first } = this.#ruleset;
    const problems: ValidationProblem[] = [];
    const inMapping: ValidationProblem[] = [];
    const written = new Map([...this.#constants, ...(declared ?? [])]);
    const read = (prefix: string, definitions: Definitions): FactValues => {
      const values = [...written].flatMap(([path, value]) => {
        if (!path.startsWith(`${prefix}.`)) return [];
        const name = path.slice(prefix.length + 1);
        const type = definitions[name]?.type;
        if (type === undefined) {
          const allowed = Object.keys(definitions).map((one) => `${prefix}.${one}`);
          const message = `${describeUnknownName(path, allowed)} in the ruleset ${this.#ruleset.id}`;
          inMapping.push(
            describeFault(this.#mapping, [declared?.has(path) === true ? 'attempt' : 'constants', path], message),
          );
          return [];
        }
        return [[name, convert(value, type)] as const];
      });
      const result = readDeclaredValues(Object.fromEntries(values), definitions, prefix);
      for (const { location, message } of result.problems) {
        const keys = this.#findStated(location, declared);
        if (keys === null) problems.push({ location: `line ${line}: ${location}`, message });
        else inMapping.push(describeFault(this.#mapping, keys, message));
      }
      return result.values;
    };
    const result: OwnGiven = {
      tenant: { facts: read('tenant.facts', facts.tenant), settings: read('tenant.settings', first.settings) },
      user: { ...this.#fixed.user, ...given.user, facts: read('user.facts', facts.user) },
      attempt: { patch: { ...this.#fixed.attempt, ...given.attempt }, facts: read('attempt.facts', facts.attempt) },
    };
    if (inMapping.length > 0) throw new NudgeLabError('mapping-invalid', { problems: inMapping });
    if (problems.length > 0) throw new NudgeLabError('log-invalid', { problems });
    this.#known.set(number, result);
    return result;
  }

  /** Returns the keys of the mapping that state the value of a fact; `null` if the log states it. */
  #findStated(path: string, declared: ReadonlyMap<string, unknown> | undefined): readonly string[] | null {
    if (declared?.has(path) !== true) return ['constants', path];
    return this.#mapping === null ? null : findMeaning(this.#mapping, path, declared.get(path));
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
function readFixed(constants: ReadonlyMap<string, unknown>, mapping: ConformanceMapping | null): FixedGiven {
  const given = { tenant: {}, user: {}, attempt: {} };
  for (const [path, value] of constants) if (!isDeclared(path)) writeFact(given, path, value);
  const candidate = { user: { id: ownLogUser, ...given.user }, attempt: given.attempt };
  const parsed = factsSchema.safeParse(candidate);
  const issues = parsed.error?.issues ?? [];
  const described = parsed.success ? [] : listProblems(factsSchema, parsed.error, candidate, 'constants');
  const problems = described.map(({ message }, at) => {
    const path = findFaultyPath(issues[at] ?? { path: [] }, constants.keys());
    return describeFault(mapping, ['constants', ...(path === null ? [] : [path])], message);
  });
  for (const path of [...constants.keys()].filter((one) => one.startsWith('tenant.') && !isDeclared(one))) {
    const message = 'is not a fact of the tenant; allowed: tenant.facts.NAME and tenant.settings.NAME of the ruleset';
    problems.push(describeFault(mapping, ['constants', path], message));
  }
  if (problems.length > 0) throw new NudgeLabError('mapping-invalid', { problems });
  return given;
}

/** Describes a fault of a mapping, by its keys alone if there is none. */
function describeFault(
  mapping: ConformanceMapping | null,
  keys: readonly string[],
  message: string,
): ValidationProblem {
  return mapping === null ? { location: keys.join('.'), message } : createMappingProblem(mapping, keys, message);
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

import { listAtoms } from './list-conditions.ts';
import { fixedFacts } from './own-facts.ts';
import type {
  Condition,
  DeclaredFacts,
  FactAtom,
  FactDefinition,
  FactValue,
  ModuleGate,
  OwnDuration,
  OwnRules,
} from './own-ruleset.ts';
import { usualNowMs } from './trial-facts.ts';

/** Values of a fact, one from each region that the conditions distinguish. The usual value is the first. */
export interface Representatives {
  readonly values: readonly FactValue[];
  /** False if the values do not stand for all others, so that a search cannot prove that something never happens. */
  readonly exact: boolean;
}

/** Period in which rules are in force, in milliseconds: `untilMs` is not in it. */
export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Rules with what their facts are, as far as the values of the facts depend on it. */
export interface Setting {
  readonly rules: OwnRules;
  readonly facts: DeclaredFacts;
  readonly period: Period;
}

/** Maximum number of values of a set or a list of constants that a search distinguishes. */
const membersMax = 8;

/** Maximum number of comparisons between two facts for which the values of a region are enough. */
const relatedMax = 2;

/** Constants that the conditions of a ruleset compare with, by their type. */
interface Constants {
  readonly texts: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  readonly suffixes: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
  readonly instants: ReadonlySet<number>;
  readonly durations: ReadonlySet<number>;
  readonly sizes: ReadonlySet<number>;
  /** True for durations of calendar units, whose regions depend on the month. */
  readonly calendar: boolean;
  /** Number of comparisons between two facts or settings. */
  readonly related: number;
}

/** Facts that are never unknown, although their type allows it. */
const knownFacts = new Set([
  'tenant.id',
  'user.id',
  'attempt.deviceId',
  'attempt.browserId',
  'attempt.sessionId',
  'attempt.nowMs',
  'kept.createdAt',
]);

const usualValues: Readonly<Record<string, FactValue>> = {
  'attempt.mfa.completed': true,
  'attempt.conditionalAccess.registrationConditionMet': true,
  'user.mfaCapable': true,
  'kept.signIns': 1,
};

/** Values of the facts of a ruleset, by path. */
export class FactSpace {
  readonly #setting: Setting;
  readonly #constants: Constants;
  readonly #known = new Map<string, Representatives>();
  readonly #samples = new Map<string, readonly FactValue[]>();

  /** Collects the regions of all conditions of the rules, and the samples of modules. */
  constructor(setting: Setting, conditions: readonly Condition[], modules: readonly ModuleGate[] = []) {
    this.#setting = setting;
    for (const { samples } of modules) {
      for (const [path, values] of Object.entries(samples)) {
        this.#samples.set(path, [...(this.#samples.get(path) ?? []), ...values]);
      }
    }
    this.#constants = new ConstantCollector(conditions.flatMap(listAtoms), setting);
  }

  /** Returns the values of a fact by its path. */
  read(path: string): Representatives {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const { values, exact } = this.#withSamples(path, this.#create(path));
    // Several facts that are compared with each other need more values in one region than there are.
    const isWord = values.every((value) => typeof value === 'boolean' || Array.isArray(value));
    const created = { values, exact: exact && (isWord || this.#constants.related <= relatedMax) };
    this.#known.set(path, created);
    return created;
  }

  /** Returns true if the fact is an instant. */
  isInstant(path: string): boolean {
    return readType(path, this.#setting) === 'instant';
  }

  /** Returns true if finitely many values stand for all values of a fact: those of its type, or samples. */
  hasSamples(path: string): boolean {
    const type = readType(path, this.#setting);
    const allowed = findDefinition(path, this.#setting)?.values ?? fixedFacts.get(path)?.values ?? null;
    return type === 'boolean' || (allowed !== null && allowed.length > 0) || this.#samples.has(path);
  }

  #withSamples(path: string, { values, exact }: Representatives): Representatives {
    const samples = this.#samples.get(path) ?? [];
    return { ...listed(undefined, [...values, ...samples]), exact };
  }

  #create(path: string): Representatives {
    if (path === 'attempt.nowMs') return { values: this.#nows(), exact: !this.#constants.calendar };
    const definition = findDefinition(path, this.#setting);
    const fixed = fixedFacts.get(path);
    const type = definition?.type ?? fixed?.type ?? 'text';
    const allowed = definition === null ? (fixed?.values ?? null) : definition.values;
    const usual = definition === null ? usualValues[path] : definition.default;
    const nullable = !knownFacts.has(path) && (type === 'instant' || type === 'text');
    const unknown = nullable ? [null] : [];
    switch (type) {
      case 'boolean':
        return listed(usual ?? false, [false, true]);
      case 'enum':
        return listed(usual, allowed ?? []);
      case 'integer':
        return listed(usual ?? 0, nearestFirst(this.#integers(path, definition), usual));
      case 'duration':
        return listed(usual ?? 0, withinRange([...this.#constants.durations].flatMap(around), definition, 0));
      case 'instant': {
        const instants = withinRange(this.#instants(), definition, Number.NEGATIVE_INFINITY);
        const first = usual ?? (nullable ? null : usualNowMs);
        return { ...listed(first, [...unknown, ...instants]), exact: !this.#constants.calendar };
      }
      case 'text':
        return listed(usual, [...unknown, ...this.#texts()]);
      case 'set':
        return this.#sets(usual, allowed === null || allowed.length === 0 ? null : allowed);
    }
  }

  #integers(path: string, definition: FactDefinition | null): readonly number[] {
    const least = path === 'kept.signIns' ? 1 : 0;
    const all = [least, ...this.#constants.numbers].flatMap((number) => [...around(number), number - 2, number + 2]);
    return withinRange(all, definition, definition === null ? least : Number.NEGATIVE_INFINITY);
  }

  #nows(): readonly number[] {
    const { fromMs, untilMs } = this.#setting.period;
    const { instants, durations } = this.#constants;
    const usual = Math.min(Math.max(usualNowMs, fromMs), untilMs - 1);
    const borders = [...instants].flatMap((atMs) => [atMs, ...[...durations].flatMap((ms) => [atMs - ms, atMs + ms])]);
    const inside = [...borders, fromMs, untilMs - 1].flatMap(around).filter((atMs) => atMs >= fromMs && atMs < untilMs);
    return [...new Set([usual, ...inside.filter(Number.isFinite)])];
  }

  #instants(): readonly number[] {
    const { instants, durations } = this.#constants;
    const nows = this.#nows().flatMap((nowMs) => [nowMs, ...[...durations].map((ms) => nowMs - ms)]);
    return [...nows, ...instants].flatMap((atMs) => [...around(atMs), atMs - 2, atMs + 2]);
  }

  #texts(): readonly string[] {
    const { texts, prefixes, suffixes } = this.#constants;
    const starts = ['', ...prefixes];
    const ends = ['', ...suffixes];
    const joined = starts.flatMap((start) => ends.flatMap((end) => [`${start}~${end}`, `${start}${end}`]));
    return ['another', 'one-more', ...texts, ...prefixes, ...suffixes, ...joined.filter((text) => text !== '')];
  }

  #sets(usual: FactValue | undefined, allowed: readonly string[] | null): Representatives {
    const { texts, sizes } = this.#constants;
    const named =
      allowed === null ? [...texts] : allowed.filter((one) => allowed.length <= membersMax || texts.has(one));
    const members = named.slice(0, membersMax);
    const others =
      allowed === null ? ['another', 'one-more', 'a-third'] : allowed.filter((one) => !named.includes(one));
    const most = Math.max(1, ...[...sizes].map((size) => size + 1));
    const fillers = others.slice(0, most);
    const values = subsets(members).flatMap((subset) =>
      [0, ...fillers.keys()].map((_, count) => [...subset, ...fillers.slice(0, count)]),
    );
    const start = Array.isArray(usual) ? usual : [];
    const sorted = [...values].toSorted((a, b) => a.length - b.length);
    const exact = named.length <= membersMax && (fillers.length === others.length || fillers.length >= most);
    return { ...listed(start, sorted), exact: exact && (allowed !== null || most <= others.length) };
  }
}

function findDefinition(path: string, { rules, facts }: Setting): FactDefinition | null {
  const [owner = '', group = '', name = ''] = path.split('.');
  if (group === 'settings') return rules.settings[name] ?? null;
  return group === 'facts' ? (facts[owner as keyof DeclaredFacts][name] ?? null) : null;
}

function listed(usual: FactValue | undefined, values: readonly FactValue[]): Representatives {
  const all = usual === undefined ? values : [usual, ...values];
  const unique = new Map(all.map((value) => [JSON.stringify(value), value]));
  return { values: [...unique.values()], exact: true };
}

/** Sorts numbers by their distance from the usual value, so that examples have the nearest one. */
function nearestFirst(values: readonly number[], usual: FactValue | undefined): readonly number[] {
  const center = Number(usual ?? 0);
  return values.toSorted((a, b) => Math.abs(a - center) - Math.abs(b - center));
}

function around(value: number): readonly number[] {
  return [value, value - 1, value + 1];
}

function withinRange(values: readonly number[], definition: FactDefinition | null, least: number): readonly number[] {
  const { min = least, max = Number.POSITIVE_INFINITY } = definition ?? {};
  const ends = [min, max].filter(Number.isFinite);
  return [...ends, ...values].filter((value) => value >= min && value <= max);
}

function subsets(members: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** members.length }, (_, bits) =>
    members.filter((_member, index) => Math.floor(bits / 2 ** index) % 2 === 1),
  );
}

/** Collects the constants of conditions and definitions. */
class ConstantCollector implements Constants {
  readonly texts = new Set<string>();
  readonly prefixes = new Set<string>();
  readonly suffixes = new Set<string>();
  readonly numbers = new Set<number>();
  readonly instants = new Set<number>();
  readonly durations = new Set<number>();
  readonly sizes = new Set<number>();
  calendar = false;
  related = 0;
  readonly #setting: Setting;

  constructor(atoms: readonly FactAtom[], setting: Setting) {
    this.#setting = setting;
    for (const atom of atoms) this.#addAtom(atom);
    for (const definition of definitions(setting)) this.#addDefinition(definition);
  }

  #addAtom({ fact, operator, value }: FactAtom): void {
    this.#addWords(fact);
    if (value === null) return;
    if ('fact' in value || 'setting' in value) this.related += 1;
    if ('fact' in value) this.#addWords(String(value.fact));
    else if (operator === 'size') for (const bound of Object.values(value)) this.sizes.add(Number(bound));
    else if ('constant' in value && operator === 'startsWith') this.prefixes.add(String(value.constant).toLowerCase());
    else if ('constant' in value && operator === 'endsWith') this.suffixes.add(String(value.constant).toLowerCase());
    else if ('constant' in value) this.#addConstant(value.constant, fact);
  }

  #addConstant(constant: FactValue | OwnDuration, fact: string): void {
    if (typeof constant === 'number') this.#addNumber(constant, readType(fact, this.#setting));
    else if (typeof constant === 'string') this.texts.add(constant);
    else if (Array.isArray(constant)) for (const one of constant as readonly string[]) this.texts.add(one);
    else if (typeof constant === 'object' && constant !== null && 'ms' in constant) {
      this.durations.add(constant.ms);
      this.calendar ||= constant.months > 0;
    }
  }

  /** Adds the words that a fact can have, because a text can be compared with any of them. */
  #addWords(path: string): void {
    for (const word of fixedFacts.get(path)?.values ?? []) this.texts.add(word);
    const { ecosystems } = this.#setting.rules.ledger;
    if (path === 'attempt.ecosystem') for (const name of Object.keys(ecosystems)) this.texts.add(name);
  }

  #addDefinition(definition: FactDefinition): void {
    const { type, values, min, max } = definition;
    for (const bound of [definition.default, min, max]) if (typeof bound === 'number') this.#addNumber(bound, type);
    for (const value of values) this.texts.add(value);
    if (typeof definition.default === 'string') this.texts.add(definition.default);
  }

  #addNumber(number: number, type: string): void {
    (type === 'instant' ? this.instants : type === 'duration' ? this.durations : this.numbers).add(number);
  }
}

function readType(path: string, setting: Setting): string {
  return findDefinition(path, setting)?.type ?? fixedFacts.get(path)?.type ?? 'text';
}

function definitions({ rules, facts }: Setting): readonly FactDefinition[] {
  return [rules.settings, facts.tenant, facts.user, facts.attempt].flatMap((group) => Object.values(group));
}

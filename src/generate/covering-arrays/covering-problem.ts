import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { suggestName } from '../../core/nearest-name.ts';
import type { CoveringArrayOptions, Json } from './array-options.ts';

/** Set of parameters to cover fully, as parameter indexes in ascending order. */
export type Interaction = readonly number[];

/** Constraint on rows of value indexes: a table over some parameters with 1 for each allowed combination. */
export interface Restriction {
  readonly name: string;
  readonly factors: readonly number[];
  readonly strides: readonly number[];
  readonly allowed: Uint8Array;
}

/** Covering array problem in numbers: indexes of parameters and values. */
export interface CoveringProblem {
  readonly names: readonly string[];
  readonly levels: readonly number[];
  /** Strength for all parameters; some parameters can have a higher strength. */
  readonly strength: number;
  readonly interactions: readonly Interaction[];
  readonly restrictions: readonly Restriction[];
  /** Required rows; -1 marks an open value. */
  readonly seeds: readonly (readonly number[])[];
}

const strengthMax = 4;
const factorsMax = 1_000;
/** Maximum number of values: indexes are stored in two bytes. */
const valuesMax = 65_535;
const interactionsMax = 4_000_000;
const tuplesMax = 12_000_000;
const restrictionRowsMax = 2_000_000;

/**
 * Converts the options to indexes.
 * @throws `array-invalid` with the location of every invalid option, and `array-too-large` if there are too many
 * combinations to store
 */
export function createCoveringProblem(options: CoveringArrayOptions): CoveringProblem {
  const reader = new ProblemReader(options);
  const problem = reader.read();
  if (reader.problems.length > 0) throw new NudgeLabError('array-invalid', { problems: reader.problems });
  return problem;
}

class ProblemReader {
  readonly problems: ValidationProblem[] = [];
  readonly #options: CoveringArrayOptions;
  readonly #placeOf: ReadonlyMap<string, number>;
  readonly #values: readonly ReadonlyMap<string, number>[];

  constructor(options: CoveringArrayOptions) {
    this.#options = options;
    this.#placeOf = new Map(options.factors.map(({ name }, place) => [name, place]));
    this.#values = options.factors.map(({ values }) => new Map(values.map((value, place) => [toKey(value), place])));
  }

  read(): CoveringProblem {
    this.#checkFactors();
    this.#checkNumbers();
    const { factors, strength = 2, seeds = [] } = this.#options;
    if (this.problems.length > 0)
      return { names: [], levels: [], strength, interactions: [], restrictions: [], seeds: [] };
    const interactions = this.#interactions();
    return {
      names: factors.map(({ name }) => name),
      levels: factors.map(({ values }) => values.length),
      strength,
      interactions,
      restrictions: [...this.#constraints(), ...this.#forbidden()],
      seeds: seeds.map((row, at) => this.#parseRow(row, `seeds.${at}`)),
    };
  }

  #refuse(place: string, message: string): void {
    this.problems.push({ location: place, message });
  }

  #checkFactors(): void {
    const { factors } = this.#options;
    if (factors.length === 0) this.#refuse('factors', 'must have at least one parameter');
    if (factors.length > factorsMax)
      this.#refuse('factors', `has ${factors.length} parameters; the maximum is ${factorsMax}`);
    factors.forEach(({ name, values }, place) => {
      const where = `factors.${place} (${name})`;
      if (factors.findIndex((one) => one.name === name) < place)
        this.#refuse(where, 'has the name of another parameter; rename one');
      if (values.length === 0) this.#refuse(where, 'must have at least one value; add one or remove the parameter');
      if (values.length > valuesMax) this.#refuse(where, `has ${values.length} values; the maximum is ${valuesMax}`);
      if (this.#values[place]?.size !== values.length) this.#refuse(where, 'contains a duplicate value; remove it');
    });
  }

  #checkNumbers(): void {
    const { strength = 2, mixed = [], budgetMs = 0, seed = 1, mode = 'fast' } = this.#options;
    this.#checkStrength('strength', strength, this.#options.factors.length);
    mixed.forEach((one, at) => {
      this.#places(one.factors, `mixed.${at}.factors`);
      this.#checkStrength(`mixed.${at}.strength`, one.strength, one.factors.length);
    });
    if (!(budgetMs >= 0)) this.#refuse('budgetMs', `is ${budgetMs}, but must be at least 0 ms`);
    if (!Number.isSafeInteger(seed)) this.#refuse('seed', `is ${seed}, but must be a whole number`);
    if (mode !== 'fast' && mode !== 'optimal') this.#refuse('mode', `is ${String(mode)}, but must be fast or optimal`);
  }

  #checkStrength(place: string, strength: number, factors: number): void {
    if (!Number.isInteger(strength) || strength < 1 || strength > strengthMax) {
      this.#refuse(place, `is ${strength}, but must be a whole number from 1 to ${strengthMax}`);
    } else if (strength > factors) {
      this.#refuse(
        place,
        `is ${strength}, which exceeds the number of parameters, ${factors}; lower it or add parameters`,
      );
    }
  }

  #places(names: readonly string[], place: string): readonly number[] {
    const places = names.flatMap((name) => {
      const found = this.#placeOf.get(name);
      if (found === undefined)
        this.#refuse(
          place,
          `contains "${name}", which is not a parameter; allowed: ${this.#known()}${suggestName(name, [...this.#placeOf.keys()])}`,
        );
      return found === undefined ? [] : [found];
    });
    if (new Set(names).size !== names.length) this.#refuse(place, 'contains a duplicate parameter');
    return places.sort((a, b) => a - b);
  }

  #known(): string {
    return this.#options.factors.map(({ name }) => name).join(', ');
  }

  /** Lists the parameter sets to cover; a subset of a set with higher strength is covered with that set. */
  #interactions(): readonly Interaction[] {
    const { factors, strength = 2, mixed = [] } = this.#options;
    const levels = factors.map(({ values }) => values.length);
    const all = levels.map((_, place) => place);
    const wanted = [
      ...mixed.map((one) => ({ of: this.#places(one.factors, 'mixed'), strength: one.strength })),
      { of: all, strength },
    ].sort((a, b) => b.strength - a.strength);
    const found = new Map<string, Interaction>();
    const within = new Set<string>();
    let tuples = 0;
    for (const { of, strength: size } of wanted) {
      for (const interaction of listSubsets(of, size)) {
        const key = interaction.join();
        if (found.has(key) || within.has(key)) continue;
        found.set(key, interaction);
        tuples += interaction.reduce((product, place) => product * (levels[place] ?? 1), 1);
        if (found.size > interactionsMax || tuples > tuplesMax) throw tooMany(factors.length, size);
        if (wanted.length > 1) noteSubsets(interaction, within);
      }
    }
    return [...found.values()].sort(byPlaces);
  }

  #constraints(): readonly Restriction[] {
    const { factors, constraints = [] } = this.#options;
    return constraints.flatMap(({ name, factors: names, holds }, at) => {
      const where = `constraints.${at} (${name})`;
      if (names.length === 0) this.#refuse(where, 'must name the parameters that it uses');
      const places = this.#places(names, where);
      if (this.problems.length > 0) return [];
      return [
        this.#restriction(name, places, (row) => {
          const given = places.map((place, index) => [factors[place]?.name, factors[place]?.values[row[index] ?? 0]]);
          return this.#answers(where, () => holds(Object.fromEntries(given)));
        }),
      ];
    });
  }

  #answers(where: string, ask: () => unknown): boolean {
    try {
      const answer = ask();
      if (typeof answer === 'boolean') return answer;
      this.#refuse(where, `returns ${String(answer)}, but must return true or false`);
    } catch (error) {
      this.#refuse(where, `throws: ${error instanceof Error ? error.message : String(error)}`);
    }
    // A single error is enough to reject a predicate.
    throw new NudgeLabError('array-invalid', { problems: this.problems });
  }

  #forbidden(): readonly Restriction[] {
    const { forbidden = [] } = this.#options;
    const tables = new Map<string, Restriction>();
    forbidden.forEach((part, at) => {
      const where = `forbidden.${at}`;
      if (Object.keys(part).length === 0)
        this.#refuse(where, 'must not be empty, because an empty one forbids every row; add values');
      const row = this.#parseRow(part, where);
      const places = row.flatMap((value, place) => (value < 0 ? [] : [place]));
      if (this.problems.length > 0) return;
      const key = places.join();
      const names = places.map((place) => this.#options.factors[place]?.name).join(' × ');
      const table = tables.get(key) ?? this.#restriction(`forbidden of ${names}`, places, () => true);
      tables.set(key, table);
      table.allowed[places.reduce((sum, place, index) => sum + (row[place] ?? 0) * (table.strides[index] ?? 0), 0)] = 0;
    });
    return [...tables.values()];
  }

  #restriction(name: string, factors: readonly number[], holds: (row: readonly number[]) => boolean): Restriction {
    const levels = factors.map((place) => this.#options.factors[place]?.values.length ?? 1);
    const strides = levels.map((_, at) => levels.slice(at + 1).reduce((all, level) => all * level, 1));
    const size = levels.reduce((all, level) => all * level, 1);
    if (size > restrictionRowsMax) {
      throw new NudgeLabError('array-too-large', {
        message: `The constraint "${name}" covers ${size} combinations of its ${factors.length} parameters; the maximum is ${restrictionRowsMax}. Use fewer parameters in it.`,
      });
    }
    const allowed = new Uint8Array(size);
    for (let at = 0; at < size; at += 1) {
      const row = strides.map((stride, index) => Math.floor(at / stride) % (levels[index] ?? 1));
      allowed[at] = holds(row) ? 1 : 0;
    }
    return { name, factors, strides, allowed };
  }

  /** Converts a row or partial row to value indexes; -1 marks a missing value. */
  #parseRow(row: Readonly<Record<string, Json>>, where: string): number[] {
    this.#places(Object.keys(row), where);
    return this.#options.factors.map(({ name }, place) => {
      if (!Object.hasOwn(row, name)) return -1;
      const value = this.#values[place]?.get(toKey(row[name] ?? null));
      if (value === undefined)
        this.#refuse(`${where}.${name}`, `is ${JSON.stringify(row[name])}, which is not one of its values`);
      return value ?? -1;
    });
  }
}

/** Serializes JSON with sorted object keys, so equal values have equal text. */
function toKey(value: Json): string {
  return JSON.stringify(value, (_key, given: unknown) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
    return Object.fromEntries(Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Yields all subsets of the given size, in order. */
function* listSubsets(places: readonly number[], size: number, from = 0): Generator<readonly number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let at = from; at <= places.length - size; at += 1) {
    for (const rest of listSubsets(places, size - 1, at + 1)) yield [places[at] ?? 0, ...rest];
  }
}

function noteSubsets(interaction: Interaction, within: Set<string>): void {
  for (let size = 1; size < interaction.length; size += 1) {
    for (const subset of listSubsets(interaction, size)) within.add(subset.join());
  }
}

function byPlaces(one: Interaction, other: Interaction): number {
  const at = one.findIndex((place, index) => place !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}

function tooMany(factors: number, strength: number): NudgeLabError {
  return new NudgeLabError('array-too-large', {
    message: `${factors} parameters at strength ${strength} have more than ${tuplesMax} combinations or ${interactionsMax} parameter sets. Lower the strength, or list the parameters that need it in \`mixed\`.`,
  });
}

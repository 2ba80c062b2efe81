import { evaluate } from '../../../machines/evaluate.ts';
import type { GateId, Ruleset } from '../../../machines/vocabulary.ts';
import type { AxisValue, FactAxis } from '../../compiled/fact-space.ts';
import type { Constraint, Parameter, TestRow } from '../covering-arrays/array-options.ts';
import { createRowFacts } from './row-facts.ts';
import { rulesetById } from './ruleset-by-id.ts';
import { signInConstraints } from './sign-in-constraints.ts';
import { answerFactor, answers, signInAxes } from './sign-in-factors.ts';

/**
 * Policy × user × device × browser × sign-in context as the factors of a covering array, with what cannot occur; the way a
 * prompt is answered is one factor more. The rest of the options is the caller's: strength, mode, seeds.
 */
export function signInArray(): { readonly factors: readonly Parameter[]; readonly constraints: readonly Constraint[] } {
  const factors = signInAxes.map(({ name, values }) => ({ name, values: values.map((value) => value.name) }));
  return { factors: [...factors, { name: answerFactor, values: [...answers] }], constraints: signInConstraints() };
}

/**
 * Constraints under which one gate at most stops a row by what its values do each for itself, so that no reason hides another
 * one. Which values stop is asked of the rules: each is evaluated in a sign-in that is plain otherwise. Takes the id of a
 * ruleset; throws `fixture-not-found` for another one.
 */
export function maskingFreeConstraints(rulesetId = 'seed'): readonly Constraint[] {
  const ruleset = rulesetById(rulesetId);
  const [campaign, ...others] = signInAxes;
  if (campaign === undefined) return [];
  const stops = new Stops(ruleset, campaign);
  const stopping = others.filter(({ name, values }) => values.some((value) => stops.anyOf(name, value.name)));
  return stopping.flatMap((one, at) =>
    stopping.slice(at + 1).map((other) => ({
      name: `one stop of ${one.name} and ${other.name} at most`,
      factors: [campaign.name, one.name, other.name],
      holds: (row: TestRow) => stops.isUnmasked(row, [one.name, other.name]),
    })),
  );
}

/** Which gates stop by one value, under each campaign, when all other values are plain: the first of their factor. */
class Stops {
  readonly #campaign: FactAxis;
  /** Gates that stop a plain sign-in under a campaign, and those that one value adds; by the names of both. */
  readonly #plain = new Map<string, ReadonlySet<GateId>>();
  readonly #added = new Map<string, readonly GateId[]>();

  constructor(ruleset: Ruleset, campaign: FactAxis) {
    this.#campaign = campaign;
    const plain = Object.fromEntries(signInAxes.map(({ name, values }) => [name, values[0]?.name ?? '']));
    const stoppedFor = (row: TestRow) =>
      evaluate(createRowFacts(row), ruleset)
        .rules.filter(({ outcome }) => outcome === 'stopped')
        .map(({ id }) => id);
    for (const inForce of campaign.values) {
      const row = { ...plain, [campaign.name]: inForce.name };
      const always = new Set(stoppedFor(row));
      this.#plain.set(inForce.name, always);
      for (const { name, values } of signInAxes.filter((axis) => axis !== campaign)) {
        for (const value of values) {
          const added = stoppedFor({ ...row, [name]: value.name }).filter((id) => !always.has(id));
          this.#added.set(keyOf(inForce, name, value.name), added);
        }
      }
    }
  }

  /** Whether a value of a factor stops under some campaign. */
  anyOf(factor: string, value: string): boolean {
    return this.#campaign.values.some((inForce) => (this.#added.get(keyOf(inForce, factor, value)) ?? []).length > 0);
  }

  /** Whether one gate at most stops by the campaign and the values of some factors. */
  isUnmasked(row: TestRow, factors: readonly string[]): boolean {
    const name = String(row[this.#campaign.name]);
    const added = factors.flatMap((factor) => this.#added.get(keyOf({ name }, factor, String(row[factor]))) ?? []);
    return new Set([...(this.#plain.get(name) ?? []), ...added]).size <= 1;
  }
}

function keyOf({ name }: Pick<AxisValue, 'name'>, factor: string, value: string): string {
  return JSON.stringify([name, factor, value]);
}

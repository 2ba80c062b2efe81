import { evaluate } from '../../../machines/evaluate.ts';
import type { RuleId, Ruleset } from '../../../machines/vocabulary.ts';
import type { AxisValue, FactAxis } from '../../compiled/fact-space.ts';
import type { Constraint, Parameter, TestRow } from '../covering-arrays/array-options.ts';
import { createRowFacts } from './row-facts.ts';
import { rulesetById } from './ruleset-by-id.ts';
import { signInConstraints } from './sign-in-constraints.ts';
import { answerFactor, answers, signInAxes } from './sign-in-factors.ts';

/**
 * Returns the parameters and constraints of sign-in covering arrays: policy, user, device, browser and sign-in context,
 * plus the action at a prompt. The caller sets the other options, such as strength, mode and required rows.
 */
export function signInArray(): { readonly factors: readonly Parameter[]; readonly constraints: readonly Constraint[] } {
  const factors = signInAxes.map(({ name, values }) => ({ name, values: values.map((value) => value.name) }));
  return { factors: [...factors, { name: answerFactor, values: [...answers] }], constraints: signInConstraints() };
}

/**
 * Creates constraints under which the values of a row trigger at most one gate, so no reason masks another one. The
 * rules determine which values stop: each value is evaluated in an otherwise plain sign-in.
 * @throws `fixture-not-found` for an unknown ruleset id
 */
export function maskingFreeConstraints(rulesetId = 'seed'): readonly Constraint[] {
  const ruleset = rulesetById(rulesetId);
  const [campaign, ...others] = signInAxes;
  if (campaign === undefined) return [];
  const stops = new Stops(ruleset, campaign);
  const stopping = others.filter(({ name, values }) => values.some((value) => stops.isAny(name, value.name)));
  return stopping.flatMap((one, at) =>
    stopping.slice(at + 1).map((other) => ({
      name: `at most one stop of ${one.name} and ${other.name}`,
      factors: [campaign.name, one.name, other.name],
      holds: (row: TestRow) => stops.isUnmasked(row, [one.name, other.name]),
    })),
  );
}

/**
 * Computes which gates a single value triggers under each campaign while all other parameters have their first value.
 */
class Stops {
  readonly #campaign: FactAxis;
  /** Gates that stop a plain sign-in under a campaign, and those that one value adds, by the names of both. */
  readonly #plain = new Map<string, ReadonlySet<RuleId>>();
  readonly #added = new Map<string, readonly RuleId[]>();

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
          this.#added.set(toKey(inForce, name, value.name), added);
        }
      }
    }
  }

  /** Checks whether a parameter value stops a sign-in under at least one campaign. */
  isAny(factor: string, value: string): boolean {
    return this.#campaign.values.some((inForce) => (this.#added.get(toKey(inForce, factor, value)) ?? []).length > 0);
  }

  /** Checks whether the campaign and the values of some parameters trigger at most one gate. */
  isUnmasked(row: TestRow, factors: readonly string[]): boolean {
    const name = String(row[this.#campaign.name]);
    const added = factors.flatMap((factor) => this.#added.get(toKey({ name }, factor, String(row[factor]))) ?? []);
    return new Set([...(this.#plain.get(name) ?? []), ...added]).size <= 1;
  }
}

function toKey({ name }: Pick<AxisValue, 'name'>, factor: string, value: string): string {
  return JSON.stringify([name, factor, value]);
}

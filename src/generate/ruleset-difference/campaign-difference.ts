import type { FactDefinition, FactValue } from '../../../machines/own/condition-data.ts';
import { pinRules } from '../../../machines/ruleset-gates.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { type FactAxis, FactSpace } from '../../compiled/fact-space.ts';
import type { Journey } from '../journey.ts';
import { comparedFacts } from '../mutate/fact-axes.ts';
import { factsJourney } from '../mutate/facts-journey.ts';
import { findDifferences } from './find-differences.ts';

/** Smallest facts on which two rulesets of registration campaigns give unlike verdicts because of one gate. */
export interface CampaignDifference {
  /** Start of the editions that are compared, in milliseconds, or `null` for those before the first one. */
  readonly fromMs: number | null;
  readonly gate: string | null;
  readonly verdicts: readonly [string, string];
  /** Names of the unusual values, by axis. */
  readonly facts: Readonly<Record<string, string>>;
  /** Shortest journey: one sign-in on these facts. */
  readonly journey: Pick<Journey, 'given' | 'steps'>;
}

/** Rules of both rulesets that are in force from a time on. */
export interface CampaignPeriod {
  readonly fromMs: number | null;
  readonly rules: readonly [Ruleset, Ruleset];
}

/** Returns the periods in which the rules of both rulesets stay the same. */
export function listCampaignPeriods(one: Ruleset, other: Ruleset): readonly CampaignPeriod[] {
  const starts = new Set([one, other].flatMap(({ editions = [] }) => editions.map(({ fromMs }) => fromMs)));
  return [null, ...[...starts].toSorted((a, b) => a - b)].map((fromMs) => {
    const atMs = fromMs ?? Number.NEGATIVE_INFINITY;
    return { fromMs, rules: [pinRules(one, atMs), pinRules(other, atMs)] };
  });
}

/** Differences of two rulesets. `exact` is false if a declared fact has more values than were compared. */
export interface CampaignDifferences {
  readonly differences: readonly CampaignDifference[];
  readonly exact: boolean;
  /** Gates whose search ended early. */
  readonly undecided: readonly string[];
}

/**
 * Finds the smallest facts on which two rulesets of registration campaigns give unlike verdicts, for each gate that
 * decides and each period with other editions.
 */
export function findCampaignDifferences(one: Ruleset, other: Ruleset): CampaignDifferences {
  const seen = new Set<string>();
  const periods = listCampaignPeriods(one, other).map(({ fromMs, rules }) => {
    const { space, exact } = createSpace(rules);
    const found = findDifferences(space, ...rules);
    const differences = found.differences.flatMap(({ gate, verdicts, places }): readonly CampaignDifference[] => {
      const facts = Object.fromEntries(
        space.axes.flatMap(({ name, values }, axis) => {
          const value = values[places[axis] ?? 0];
          return (places[axis] ?? 0) === 0 || value === undefined ? [] : [[name, value.name]];
        }),
      );
      const key = JSON.stringify([gate, verdicts, facts]);
      if (seen.has(key)) return [];
      seen.add(key);
      const { given, steps } = factsJourney(space, { ruleset: one.id, places }, { name: '', covers: [] });
      return [{ fromMs, gate, verdicts, facts, journey: { given, steps } }];
    });
    const undecided = found.undecided.map((id) => id ?? 'the outcome of the prompt');
    return { differences, exact: exact && undecided.length === 0, undecided };
  });
  return {
    differences: periods.flatMap(({ differences }) => differences),
    undecided: [...new Set(periods.flatMap(({ undecided }) => undecided))],
    exact: periods.every(({ exact }) => exact),
  };
}

/** Creates the space of facts, with an axis for each fact that one of the rulesets declares. */
function createSpace(rules: readonly [Ruleset, Ruleset]): { readonly space: FactSpace; readonly exact: boolean } {
  const common = comparedFacts();
  const declared = new Map<string, FactDefinition>();
  for (const { extension } of rules) {
    for (const owner of ['tenant', 'user', 'attempt'] as const) {
      for (const [name, definition] of Object.entries(extension?.facts[owner] ?? {})) {
        declared.set(`${owner}.facts.${name}`, definition);
      }
    }
    for (const [name, definition] of Object.entries(extension?.settings ?? {})) {
      declared.set(`tenant.settings.${name}`, definition);
    }
  }
  const axes = [...declared].map(([path, definition]) => declaredAxis(path, definition));
  const space = new FactSpace(common.base, [...common.axes, ...axes], Number.MAX_SAFE_INTEGER);
  return { space, exact: [...declared.values()].every(({ type }) => type === 'boolean' || type === 'enum') };
}

/** Axis of a declared fact. The usual value is its default, which can follow from other facts. */
function declaredAxis(path: string, { type, values, min, max }: FactDefinition): FactAxis {
  const numbers = [min, max].filter((one) => one !== undefined);
  const others: readonly FactValue[] =
    type === 'boolean' ? [false, true] : type === 'enum' ? values : type === 'set' ? [[], values] : numbers;
  return {
    name: path,
    values: [
      { name: 'default', sets: {} },
      ...others.map((value) => ({ name: JSON.stringify(value), sets: { [path]: value } })),
    ],
  };
}

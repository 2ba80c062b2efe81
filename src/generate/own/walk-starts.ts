import type { FactValue, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import { randomSource } from '../../core/random.ts';
import { type Assignment, observeJourney, writeSignIn } from './own-journey.ts';
import type { SpaceFactor } from './own-space.ts';

/** Number of random combinations of values in the search for one that prompts. */
const drawsMax = 4_000;

/**
 * Finds values of facts and settings with which the user is prompted at once or after a long wait, with few values that
 * differ from the defaults. Returns no values if none prompts.
 */
export function findPrompting(ruleset: OwnRuleset, factors: readonly SpaceFactor[]): Assignment {
  const singles = factors.flatMap(({ path, values }) => values.map((value) => new Map([[path, value]])));
  const random = randomSource(1);
  const draws = function* (): Generator<Map<string, FactValue>> {
    for (let count = 0; count < drawsMax; count += 1) {
      const share = 0.1 + 0.8 * random();
      const chosen = factors.filter(() => random() < share);
      yield new Map(
        chosen.map(({ path, values }) => [path, values[Math.floor(random() * values.length)] ?? null] as const),
      );
    }
  };
  for (const ms of [0, longMs]) {
    for (const values of [new Map<string, FactValue>(), ...singles]) if (isPrompted(ruleset, values, ms)) return values;
  }
  for (const values of draws()) {
    if (isPrompted(ruleset, values, 0)) return lessen(ruleset, values, 0);
    if (isPrompted(ruleset, values, longMs)) return lessen(ruleset, values, longMs);
  }
  return new Map();
}

/** Removes values without which the user is prompted as well. */
function lessen(ruleset: OwnRuleset, values: Assignment, ms: number): Assignment {
  let kept = values;
  for (const path of values.keys()) {
    const fewer = new Map([...kept].filter(([other]) => other !== path));
    if (isPrompted(ruleset, fewer, ms)) kept = fewer;
  }
  return kept;
}

/** Wait after which accounts are old. */
const longMs = 400 * 86_400_000;

function isPrompted(ruleset: OwnRuleset, values: Assignment, ms: number): boolean {
  const wait = ms === 0 ? [] : [{ advance: { ms } }];
  const steps = [...wait, writeSignIn(ruleset, values)];
  const page = observeJourney(ruleset, { name: 'search', given: values, steps }).at(-1)?.['page'];
  return page === 'prompt' || page === 'required';
}

/** Lists values of the tenant and the user at the start of tours: the base, the defaults, and every other value alone. */
export function listGivens(factors: readonly SpaceFactor[], base: Assignment): readonly Assignment[] {
  const isStart = (path: string): boolean => !path.startsWith('attempt.');
  const usual = new Map([...base].filter(([path]) => isStart(path)));
  const singles = factors
    .filter(({ path }) => isStart(path))
    .flatMap(({ path, values, isInstant }, index) => {
      // Time passes in tours, so one instant ahead stands for all regions of an instant.
      const regions = isInstant ? [null, usualNowMs + (10 + index) * 86_400_000] : values;
      return regions.map((value) => new Map([...usual, [path, value]]));
    });
  return [usual, new Map<string, FactValue>(), ...singles];
}

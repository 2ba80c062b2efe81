import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { type JourneyStep, journeyYaml, observesUser } from '../../generate/own/own-journey.ts';
import type { ExploredModel, ScenarioPlace } from '../models/property-model.ts';
import { beginStart, type ExploredOwn, exploreOwn, takeAction, tickAction } from './explore-own.ts';
import { ownEvents } from './step-events.ts';

/** How a model is explored. */
export interface OwnModelSettings {
  /** Duration of a step of the clock in milliseconds. Default: half of what the compared durations have in common. */
  readonly tickMs?: number | null;
}

/**
 * Creates the model of one user under an own ruleset.
 *
 * @param ruleset - ruleset with the base `own`
 * @param rulesetFile - path of its file; `null` if it has none
 * @param settings - the clock
 * @returns the model, whose counterexamples are scenarios
 * @throws NotCompiled with the first cause for which the ruleset has no finitely many states
 */
export function createOwnModel(
  ruleset: OwnRuleset,
  rulesetFile: string | null = null,
  { tickMs = null }: OwnModelSettings = {},
): ExploredModel {
  const own = exploreOwn(ruleset, tickMs);
  const { explored, facts, starts, actions, clock } = own;
  return {
    name: ruleset.id,
    explored,
    facts,
    events: ownEvents,
    actions: [...starts.map(({ name: start }) => start), ...actions],
    clock: { stepMs: clock.tickMs, advances: ({ action }) => action === tickAction },
    takenWithoutEvent: new Set(),
    rulesetFile,
    formatScenario: (name, path, place) => formatScenario(ruleset, own, name, path, place),
  };
}

/** Formats a path as a scenario: a start, and the actions after it. Returns `null` if only time passes on it. */
function formatScenario(
  ruleset: OwnRuleset,
  { starts }: ExploredOwn,
  name: string,
  [first, ...path]: readonly string[],
  { rulesetPath, comment }: ScenarioPlace,
): string | null {
  const start = starts.find((one) => one.name === first) ?? starts[0];
  if (start === undefined) throw new RangeError('A path begins with a start.');
  let session = beginStart(ruleset, start);
  const steps: JourneyStep[] = [...start.steps];
  for (const one of path) {
    const action = start.actions.find((other) => other.name === one);
    const taken = action === undefined ? null : takeAction(start.reader.place(session), action);
    if (taken === null) throw new RangeError(`The action ${one} is possible on the path.`);
    steps.push(taken.written);
    session = taken.next;
  }
  if (!steps.some(observesUser)) return null;
  return journeyYaml(ruleset, { name, given: start.given, steps }, rulesetPath, comment);
}

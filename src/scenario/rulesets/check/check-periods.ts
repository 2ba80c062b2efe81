import { hasGate } from '../../../../machines/own/generated-gates.ts';
import {
  type GeneratedGate,
  generatedGates,
  type OwnRollout,
  type OwnRules,
} from '../../../../machines/own/own-ruleset.ts';
import { isPlainObject } from '../../../core/merge-patch.ts';
import type { Path } from '../ruleset-fault.ts';
import type { Finding } from './checked-rules.ts';

/**
 * Finds what has no effect in any period of a ruleset: a rollout of 0 percent (RS28), resets of editions that do
 * not exist, and positions of generated gates without data (RS29).
 *
 * @param periods - rules before the first edition, and of each edition
 * @param data - the ruleset as it is written
 */
export function checkPeriods(
  periods: readonly OwnRules[],
  data: Readonly<Record<string, unknown>>,
): readonly Finding[] {
  const [first] = periods;
  if (first === undefined) return [];
  return [
    ...(periods.every(({ rollout }) => rollout !== null && reachesNoOne(rollout)) ? [describeEmptyShare(first)] : []),
    ...(periods.length > 1 ? [] : findResets(first)),
    ...findPlaces(periods, data),
  ];
}

function reachesNoOne({ percent, steps }: OwnRollout): boolean {
  const shares = [
    ...('constant' in percent ? [Number(percent.constant)] : [100]),
    ...steps.map((step) => step.percent),
  ];
  return shares.every((share) => share === 0);
}

function describeEmptyShare({ rollout }: OwnRules): Finding {
  return {
    code: 'RS28',
    severity: 'fault',
    path: ['rollout', ...(rollout?.steps.length === 0 ? ['percent'] : ['steps'])],
    message: 'the campaign reaches 0 percent, so no user is ever prompted; write a share above 0, or a setting',
  };
}

const warning = (path: Path, message: string): Finding => ({ code: 'RS29', severity: 'warning', path, message });

function findResets({ resets }: OwnRules): readonly Finding[] {
  return resets.flatMap(({ on }, index) =>
    on === 'edition'
      ? [warning(['resets', index, 'on'], 'the ruleset has no editions, so nothing is cleared; leave the reset out')]
      : [],
  );
}

/** Keys that state what a generated gate evaluates. */
const statedBy: Readonly<Record<GeneratedGate, string>> = {
  'X.trigger': 'trigger',
  'X.rollout': 'rollout',
  'X.done': 'done',
  'X.window': 'deadline with opens, or with none before or after it',
  'X.never': 'an answer with the effect never, or a limit with never',
  'X.session': 'an answer with the effect session',
  'X.cadence': 'cadence',
};

function findPlaces(periods: readonly OwnRules[], { gates }: Readonly<Record<string, unknown>>): readonly Finding[] {
  if (!Array.isArray(gates)) return [];
  return gates.flatMap((gate: unknown, index): readonly Finding[] => {
    const place = generatedGates.find((id) => isPlainObject(gate) && gate['place'] === id);
    if (place === undefined || periods.some((rules) => hasGate(place, rules))) return [];
    const message = `${place} is left out, because the ruleset does not state ${statedBy[place]}; leave the position out`;
    return [warning(['gates', index, 'place'], message)];
  });
}

import { describe, expect, test } from 'vitest';
import { snoozeDaysMax } from '../../machines/campaign-limits.ts';
import type { NudgeQuotient } from '../../machines/nudge-quotient.ts';
import type { Model, SnapshotFrom } from '../../src/compiled/model.ts';
import { listPolicies, type NudgeMachine, nudgeModel, toQuotient } from '../../src/generate/models/nudge-model.ts';
import { NumberedMachine, shortestDifference } from '../../src/generate/mutate/machine-difference.ts';
import type { MachineMutant } from '../../src/generate/mutate/machine-mutant.ts';
import { machineMutants } from '../../src/generate/mutate/machine-mutants.ts';
import { sampleStates } from '../../src/generate/mutate/population.ts';
import { learn } from '../../src/learn/learn.ts';
import type { MealyMachine } from '../../src/learn/mealy/mealy-machine.ts';
import { MachineSystem } from '../../src/learn/systems/machine-system.ts';

/** Whole days since a snooze from which more make no difference under a snooze of one day. */
const daysDistinguished = 1;

function view(state: SnapshotFrom<NudgeMachine>): NudgeQuotient {
  const quotient = toQuotient(state);
  const { daysElapsed } = quotient;
  return { ...quotient, daysElapsed: daysElapsed === null ? null : Math.min(daysElapsed, daysDistinguished) };
}

/** Creates the lifecycle of one user under a snooze of one day, without some types of events. */
function lifecycle(prompts: readonly string[], without: readonly string[] = []): Model<NudgeMachine> {
  const policies = listPolicies([1]).filter(({ limited }) => limited);
  const model = nudgeModel({ policies, prompts, methods: ['vendorAuthenticator'] });
  return {
    ...model,
    events: model.events.filter(({ type }) => !without.includes(type)),
    serialize: (state) => JSON.stringify([view(state), state.context.openPrompts.map(({ id }) => id)]),
  };
}

function systemOf(model: Model<NudgeMachine>, machine: NudgeMachine): MachineSystem {
  return new MachineSystem({ ...model, machine } as unknown as Model, view as never);
}

const watched = nudgeModel({ policies: listPolicies([1]), prompts: ['p1', 'p2'], methods: ['vendorAuthenticator'] });
const all = machineMutants(watched.machine, sampleStates(watched));
/** With two prompts, events that concern a single prompt alone are left out, which keeps the state space small. */
const alphabets = [
  lifecycle(['p1']),
  lifecycle(['p1', 'p2'], ['prompt.nextSelected', 'prompt.resumed', 'method.registered', 'method.removed']),
];

/** Returns whether a mutant differs under an alphabet, by a search that shares no code with the learner. */
function differs(model: Model<NudgeMachine>, original: NumberedMachine<NudgeMachine>, machine: NudgeMachine): boolean {
  const difference = shortestDifference(original, machine, { ...model, visible: view });
  if (difference.kind === 'undecided') throw new Error('The search ended before it decided.');
  return difference.kind === 'different';
}

async function isFound(
  model: Model<NudgeMachine>,
  reference: MealyMachine,
  { machine }: MachineMutant<NudgeMachine>,
): Promise<boolean> {
  const { end } = await learn(systemOf(model, machine), {
    reference,
    depth: 0,
    randomTests: 0,
    stopsAtDifference: true,
  });
  return end === 'difference-found';
}

describe('planted faults of the lifecycle machine', () => {
  test('LN19: learning finds every mutant, and all others are proven equivalent under the alphabets', {
    timeout: 600_000,
  }, async () => {
    expect(snoozeDaysMax).toBeGreaterThan(daysDistinguished);
    const left = new Set(all);
    const total = left.size;
    const found = { 'one prompt': 0, 'two prompts': 0 };
    for (const [at, model] of alphabets.entries()) {
      const original = new NumberedMachine(model.machine, { ...model, visible: view });
      const reference = await systemOf(model, model.machine).explore();
      for (const mutant of left) {
        if (!differs(model, original, mutant.machine)) continue;
        expect(await isFound(model, reference, mutant), mutant.id).toBe(true);
        found[at === 0 ? 'one prompt' : 'two prompts'] += 1;
        left.delete(mutant);
      }
    }
    expect(found['one prompt'] + found['two prompts'] + left.size).toBe(total);
    expect(found['one prompt']).toBeGreaterThan(total / 2);
    expect(found['two prompts']).toBeGreaterThan(0);
    expect(left.size).toBeLessThan(total / 2);
  });
});

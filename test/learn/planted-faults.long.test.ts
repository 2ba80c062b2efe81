import { describe, expect, test } from 'vitest';
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

function createSystem(model: Model<NudgeMachine>, machine: NudgeMachine): MachineSystem {
  return new MachineSystem({ ...model, machine } as unknown as Model, view as never);
}

type Mutant = MachineMutant<NudgeMachine>;

const watched = nudgeModel({ policies: listPolicies([1]), prompts: ['p1', 'p2'], methods: ['vendorAuthenticator'] });
const all = machineMutants(watched.machine, sampleStates(watched));
/** With two prompts, events that concern a single prompt alone are left out, which keeps the state space small. */
const alphabets: readonly Model<NudgeMachine>[] = [
  lifecycle(['p1']),
  lifecycle(['p1', 'p2'], ['prompt.nextSelected', 'prompt.resumed', 'method.registered', 'method.removed']),
];

/** Returns whether a mutant differs under an alphabet, by a search that shares no code with the learner. */
function differs(model: Model<NudgeMachine>, original: NumberedMachine<NudgeMachine>, machine: NudgeMachine): boolean {
  const difference = shortestDifference(original, machine, { ...model, visible: view });
  if (difference.kind === 'undecided') throw new Error('The search ended before it decided.');
  return difference.kind === 'different';
}

async function isFound(model: Model<NudgeMachine>, reference: MealyMachine, { machine }: Mutant): Promise<boolean> {
  // The mutant runs with its exact states, because the quotient of the original need not be sound for it.
  const { serialize: _quotient, ...exact } = model;
  const { end } = await learn(createSystem(exact, machine), {
    reference,
    depth: 0,
    randomTests: 300,
    stopsAtDifference: true,
  });
  return end === 'difference-found';
}

/** Returns the mutants that differ under an alphabet. */
function listDifferent(model: Model<NudgeMachine>, among: readonly Mutant[]): readonly Mutant[] {
  const original = new NumberedMachine(model.machine, { ...model, visible: view });
  return among.filter(({ machine }) => differs(model, original, machine));
}

async function listMissed(model: Model<NudgeMachine>, mutants: readonly Mutant[]): Promise<readonly string[]> {
  const reference = await createSystem(model, model.machine).explore();
  const missed: string[] = [];
  for (const mutant of mutants) if (!(await isFound(model, reference, mutant))) missed.push(mutant.id);
  return missed;
}

describe('planted faults of the lifecycle machine', () => {
  const [one, two] = alphabets as [Model<NudgeMachine>, Model<NudgeMachine>];

  test('LN19: learning finds every mutant that differs with one prompt', { timeout: 600_000 }, async () => {
    const different = listDifferent(one, all);
    expect(different.length).toBeGreaterThan(all.length / 2);
    expect(await listMissed(one, different)).toEqual([]);
  });

  test('LN25: learning finds every mutant that differs with two prompts alone', { timeout: 900_000 }, async () => {
    const found = new Set(listDifferent(one, all));
    const different = listDifferent(
      two,
      all.filter((mutant) => !found.has(mutant)),
    );
    expect(different.length).toBeGreaterThan(5);
    expect(await listMissed(two, different)).toEqual([]);
  });
});

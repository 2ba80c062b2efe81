import type { AnyStateMachine, Model } from '../../compiled/model.ts';
import type { ModelParts } from '../../sandbox/sandbox.ts';
import { campaignModel } from '../models/campaign-model.ts';
import { listPolicies, nudgeModel } from '../models/nudge-model.ts';
import { signInModel } from '../models/sign-in-model.ts';
import { machineMutants } from './machine-mutants.ts';
import type { FaultyPart, ModelMutant } from './model-mutant.ts';
import { sampleStates } from './population.ts';
import { ruleMutants } from './rule-operators.ts';
import { rulesetMutants } from './ruleset-operators.ts';

/** Alphabets for observing what guards and actions read and change. */
const watched = {
  nudge: () => nudgeModel({ policies: listPolicies([1]), prompts: ['p1', 'p2'], methods: ['vendorAuthenticator'] }),
  signIn: () => signInModel,
  campaign: () =>
    campaignModel({
      snoozeDays: [1, 2],
      methods: ['vendorAuthenticator', 'fido2'],
      switches: ['method', 'snoozeDays'],
    }),
};

/**
 * Lists every mutant of the sandbox model: of its rules, rulesets and limits, and of the lifecycle, sign-in and
 * campaign machines. The list and its ids are the same in every run.
 */
export function modelMutants(): readonly ModelMutant[] {
  const all = [
    ...ruleMutants(),
    ...rulesetMutants(),
    ...ofMachine('nudge', watched.nudge()),
    ...ofMachine('signIn', watched.signIn()),
    ...ofMachine('campaign', watched.campaign()),
  ];
  return [...new Map(all.map((mutant) => [mutant.id, mutant])).values()];
}

function ofMachine<M extends AnyStateMachine>(
  part: Extract<FaultyPart, keyof ModelParts>,
  model: Model<M>,
): readonly ModelMutant[] {
  return machineMutants(model.machine, sampleStates(model)).map(({ machine, ...mutant }) => ({
    ...mutant,
    part,
    parts: { [part]: machine } as ModelParts,
  }));
}

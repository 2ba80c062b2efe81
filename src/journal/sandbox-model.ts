import type { AnyStateMachine, SnapshotFrom } from 'xstate';
import { campaignMachine } from '../../machines/campaign.machine.ts';
import { judge } from '../../machines/judge.ts';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { rulesets } from '../../machines/rulesets/register.ts';
import { type Screen, type SignInEvent, signInMachine } from '../../machines/sign-in.machine.ts';
import { type Step, stepOf } from '../../machines/step.ts';
import type { Facts, NudgeState, Ruleset, Verdict } from '../../machines/vocabulary.ts';

export type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;
export type SignInSnapshot = SnapshotFrom<typeof signInMachine>;

/** What a model is made of; what is left out is that of the specification. */
export interface ModelParts {
  readonly rulesets?: ReadonlyMap<string, Ruleset>;
  readonly judge?: (facts: Facts, ruleset: Ruleset) => Verdict;
  readonly nudge?: typeof nudgeMachine;
  readonly signIn?: typeof signInMachine;
  readonly campaign?: typeof campaignMachine;
}

/**
 * The rules and machines that a sandbox folds its journal through. Those of the specification are `shippedModel`; a changed one
 * exists for the measuring of tests alone, and is given to a sandbox when it is created.
 */
export class SandboxModel {
  readonly rulesets: ReadonlyMap<string, Ruleset>;
  readonly judge: (facts: Facts, ruleset: Ruleset) => Verdict;
  /** One step of the lifecycle. */
  readonly stepNudge: Step<typeof nudgeMachine>;
  readonly campaign: typeof campaignMachine;
  readonly #nudge: typeof nudgeMachine;
  readonly #signIn: typeof signInMachine;
  readonly #walkSignIn: Step<typeof signInMachine>;
  /** Steps of the sign-in machine that were taken: it has so few that each is asked of the machine once. */
  readonly #signInSteps = new Map<SignInSnapshot, Map<string, SignInSnapshot>>();
  /** One snapshot for each state and screen: making one costs more than a step, and none is ever changed. */
  readonly #nudgeSnapshots = new Map<NudgeState, NudgeSnapshot>();
  readonly #signInSnapshots = new Map<string, SignInSnapshot>();

  constructor(parts: ModelParts = {}) {
    this.rulesets = parts.rulesets ?? rulesets;
    this.judge = parts.judge ?? judge;
    this.#nudge = parts.nudge ?? nudgeMachine;
    this.#signIn = parts.signIn ?? signInMachine;
    this.campaign = parts.campaign ?? campaignMachine;
    this.stepNudge = stepOf(this.#nudge, { count: 0, snoozedAtMs: null });
    this.#walkSignIn = stepOf(this.#signIn);
  }

  /** One step of the sign-in machine. Takes a snapshot made by this model, and returns one. */
  stepSignIn(from: SignInSnapshot, event: SignInEvent): SignInSnapshot {
    let steps = this.#signInSteps.get(from);
    if (steps === undefined) {
      steps = new Map();
      this.#signInSteps.set(from, steps);
    }
    const key = JSON.stringify(event);
    let next = steps.get(key);
    if (next === undefined) {
      const { value, context } = this.#walkSignIn(from, event);
      next = this.signInSnapshot(value as Screen, context);
      steps.set(key, next);
    }
    return next;
  }

  /** A snapshot of the lifecycle in a state with a context. */
  nudgeSnapshot(value: NudgeState, context: NudgeSnapshot['context']): NudgeSnapshot {
    const snapshot = this.#nudgeSnapshots.get(value) ?? snapshotOf(this.#nudge, value, context);
    this.#nudgeSnapshots.set(value, snapshot);
    return { ...snapshot, context };
  }

  /** A snapshot of the sign-in machine at a screen with a context. */
  signInSnapshot(value: Screen, context: SignInSnapshot['context'] = { pending: [], required: false }): SignInSnapshot {
    const key = `${value} ${context.pending.join()} ${context.required}`;
    const snapshot = this.#signInSnapshots.get(key) ?? snapshotOf(this.#signIn, value, context);
    this.#signInSnapshots.set(key, snapshot);
    return snapshot;
  }
}

function snapshotOf<M extends AnyStateMachine>(machine: M, value: string, context: unknown): SnapshotFrom<M> {
  return machine.resolveState({ value, context } as never) as SnapshotFrom<M>;
}

/** The rules and machines of the specification. */
export const shippedModel = new SandboxModel();

import type { AnyStateMachine, SnapshotFrom } from 'xstate';
import { type CampaignContext, type CampaignEvent, campaignMachine } from '../../machines/campaign.machine.ts';
import { evaluate } from '../../machines/evaluate.ts';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import { type Screen, type SignInEvent, signInMachine } from '../../machines/sign-in.machine.ts';
import { createStepper, type Step } from '../../machines/step.ts';
import type { EffectiveCampaign, Facts, NudgeState, Ruleset, Verdict } from '../../machines/vocabulary.ts';

export type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;
export type SignInSnapshot = SnapshotFrom<typeof signInMachine>;

/** What a model is made of; what is left out is that of the specification. */
export interface ModelParts {
  readonly rulesets?: ReadonlyMap<string, Ruleset>;
  readonly evaluate?: (facts: Facts, ruleset: Ruleset) => Verdict;
  readonly nudge?: typeof nudgeMachine;
  readonly signIn?: typeof signInMachine;
  readonly campaign?: typeof campaignMachine;
  readonly observer?: ModelObserver;
}

/** Hears of all that a model is asked, before it answers. */
export interface ModelObserver {
  evaluating(facts: Facts, ruleset: Ruleset): void;
  stepping(machine: 'nudge' | 'signIn' | 'campaign', from: ModelStepFrom, event: { readonly type: string }): void;
}

/** What of a snapshot a step depends on. */
export interface ModelStepFrom {
  readonly value: unknown;
  readonly context: unknown;
}

/**
 * The rules and machines that a sandbox folds its journal through. Those of the specification are `shippedModel`; a changed one
 * exists for the measuring of tests alone, and is given to a sandbox when it is created.
 */
export class SandboxModel {
  readonly rulesets: ReadonlyMap<string, Ruleset>;
  readonly evaluate: (facts: Facts, ruleset: Ruleset) => Verdict;
  /** One step of the lifecycle. */
  readonly stepNudge: Step<typeof nudgeMachine>;
  readonly #tap: ModelObserver | null;
  readonly #campaign: typeof campaignMachine;
  #walkCampaign: Step<typeof campaignMachine> | null = null;
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
    const { observer: tap = null, evaluate: judging = evaluate } = parts;
    this.#tap = tap;
    this.evaluate = tap === null ? judging : tapped(judging, (facts, ruleset) => tap.evaluating(facts, ruleset));
    this.#nudge = parts.nudge ?? nudgeMachine;
    this.#signIn = parts.signIn ?? signInMachine;
    this.#campaign = parts.campaign ?? campaignMachine;
    const stepNudge = createStepper(this.#nudge, { count: 0, snoozedAtMs: null });
    this.stepNudge = tap === null ? stepNudge : tapped(stepNudge, (from, event) => tap.stepping('nudge', from, event));
    this.#walkSignIn = createStepper(this.#signIn);
  }

  /** One step of the sign-in machine. Takes a snapshot made by this model, and returns one. */
  stepSignIn(from: SignInSnapshot, event: SignInEvent): SignInSnapshot {
    this.#tap?.stepping('signIn', from, event);
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

  /** What the campaign is after an update. Takes the state of the campaign, its context and the event. */
  stepCampaign(value: EffectiveCampaign['state'], context: CampaignContext, event: CampaignEvent): CampaignContext {
    this.#tap?.stepping('campaign', { value, context }, event);
    // The machine is started with any campaign, before it is put where it is asked from: the first one will do.
    this.#walkCampaign ??= createStepper(this.#campaign, context);
    return this.#walkCampaign(snapshotOf(this.#campaign, value, context), event).context;
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

function tapped<A extends readonly unknown[], R>(asked: (...given: A) => R, tap: (...given: A) => void) {
  return (...given: A): R => {
    tap(...given);
    return asked(...given);
  };
}

/** The rules and machines of the specification. */
export const shippedModel = new SandboxModel();

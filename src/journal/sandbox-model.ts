import type { AnyStateMachine, SnapshotFrom } from 'xstate';
import { type CampaignContext, type CampaignEvent, campaignMachine } from '../../machines/campaign.machine.ts';
import { evaluate } from '../../machines/evaluate.ts';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import { type Screen, type SignInEvent, signInMachine } from '../../machines/sign-in.machine.ts';
import { createStepper, type Step } from '../../machines/step.ts';
import type { EffectiveCampaign, Facts, NudgeState, Ruleset, Verdict } from '../../machines/vocabulary.ts';

export type NudgeSnapshot = SnapshotFrom<typeof nudgeMachine>;
export type SignInSnapshot = SnapshotFrom<typeof signInMachine>;

/** Parts of a model; omitted parts are those of the specification. */
export interface ModelParts {
  readonly rulesets?: ReadonlyMap<string, Ruleset>;
  /** Own rulesets by id, which take the place of those that are loaded. */
  readonly ownRulesets?: ReadonlyMap<string, OwnRuleset>;
  readonly evaluate?: (facts: Facts, ruleset: Ruleset) => Verdict;
  readonly nudge?: typeof nudgeMachine;
  readonly signIn?: typeof signInMachine;
  readonly campaign?: typeof campaignMachine;
  readonly observer?: ModelObserver;
}

/** Receives all calls to a model before they are executed. */
export interface ModelObserver {
  evaluating(facts: Facts, ruleset: Ruleset): void;
  stepping(machine: 'nudge' | 'signIn' | 'campaign', from: ModelStepFrom, event: { readonly type: string }): void;
}

/** Parts of a snapshot that determine a step. */
export interface ModelStepFrom {
  readonly value: unknown;
  readonly context: unknown;
}

/**
 * Rules and machines for replaying a sandbox's journal. `shippedModel` has those of the specification. Other models
 * exist only for measuring tests and are passed in when a sandbox is created.
 */
export class SandboxModel {
  readonly rulesets: ReadonlyMap<string, Ruleset>;
  readonly ownRulesets: ReadonlyMap<string, OwnRuleset>;
  readonly evaluate: (facts: Facts, ruleset: Ruleset) => Verdict;
  /** Executes one step of the lifecycle. */
  readonly stepNudge: Step<typeof nudgeMachine>;
  readonly #tap: ModelObserver | null;
  readonly #campaign: typeof campaignMachine;
  #walkCampaign: Step<typeof campaignMachine> | null = null;
  readonly #nudge: typeof nudgeMachine;
  readonly #signIn: typeof signInMachine;
  readonly #walkSignIn: Step<typeof signInMachine>;
  /** Cached steps of the sign-in machine; there are so few that each is computed only once. */
  readonly #signInSteps = new Map<SignInSnapshot, Map<string, SignInSnapshot>>();
  /** Cached snapshots by state and screen, because creating one costs more than a step; snapshots are immutable. */
  readonly #nudgeSnapshots = new Map<NudgeState, NudgeSnapshot>();
  readonly #signInSnapshots = new Map<string, SignInSnapshot>();
  readonly #campaignSnapshots = new Map<string, SnapshotFrom<typeof campaignMachine>>();

  constructor(parts: ModelParts = {}) {
    this.rulesets = parts.rulesets ?? rulesets;
    this.ownRulesets = parts.ownRulesets ?? new Map();
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

  /** Executes one step of the sign-in machine. The given and the returned snapshot belong to this model. */
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

  /** Returns the campaign after an update event. */
  stepCampaign(value: EffectiveCampaign['state'], context: CampaignContext, event: CampaignEvent): CampaignContext {
    this.#tap?.stepping('campaign', { value, context }, event);
    // The machine needs some campaign to start before its state is set, so the first one is used.
    this.#walkCampaign ??= createStepper(this.#campaign, context);
    const snapshot = this.#campaignSnapshots.get(value) ?? createSnapshot(this.#campaign, value, context);
    this.#campaignSnapshots.set(value, snapshot);
    return this.#walkCampaign({ ...snapshot, context }, event).context;
  }

  /** Returns the snapshot of the lifecycle in a state with a context. */
  nudgeSnapshot(value: NudgeState, context: NudgeSnapshot['context']): NudgeSnapshot {
    const snapshot = this.#nudgeSnapshots.get(value) ?? createSnapshot(this.#nudge, value, context);
    this.#nudgeSnapshots.set(value, snapshot);
    return { ...snapshot, context };
  }

  /** Returns the snapshot of the sign-in machine at a screen with a context. */
  signInSnapshot(value: Screen, context: SignInSnapshot['context'] = { pending: [], required: false }): SignInSnapshot {
    const key = `${value} ${context.pending.join()} ${context.required}`;
    const snapshot = this.#signInSnapshots.get(key) ?? createSnapshot(this.#signIn, value, context);
    this.#signInSnapshots.set(key, snapshot);
    return snapshot;
  }
}

function createSnapshot<M extends AnyStateMachine>(machine: M, value: string, context: unknown): SnapshotFrom<M> {
  return machine.resolveState({ value, context } as never) as SnapshotFrom<M>;
}

function tapped<A extends readonly unknown[], R>(compute: (...given: A) => R, tap: (...given: A) => void) {
  return (...given: A): R => {
    tap(...given);
    return compute(...given);
  };
}

/** Model with the rules and machines of the specification. */
export const shippedModel = new SandboxModel();

import type { CampaignLimits } from '../../machines/campaign-limits.ts';
import type { OwnVerdict } from '../../machines/own/evaluate-own.ts';
import { rulesAt } from '../../machines/own/own-ruleset.ts';
import { createOwnWords } from '../../machines/own/own-sentences.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import type { RulesetWords } from '../../machines/verdict-sentences.ts';
import type { NudgeState, TenantFacts, UserFacts, Verdict } from '../../machines/vocabulary.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { Counterfactual } from '../contract/verdict.schema.ts';
import { clockSettingAt, toInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forkState } from '../journal/fork-state.ts';
import type { JournalEntry } from '../journal/journal-event.ts';
import type { JourneySlice } from '../journal/journeys/export-journey.ts';
import { computeModelDigest } from '../journal/model-digest.ts';
import { hasOwnCampaign } from '../journal/own-campaign-events.ts';
import type { ReplayObserver } from '../journal/replay-observer.ts';
import { rulesetNamed } from '../journal/ruleset-lookup.ts';
import { listRulesetNotices } from '../journal/ruleset-notices.ts';
import type { NudgeSnapshot, SandboxModel } from '../journal/sandbox-model.ts';
import type { SandboxState } from '../journal/state.ts';
import type { EntryQuery, JournalStore } from '../journal/store.ts';
import { MemoryStore } from '../journal/stores/memory.store.ts';
import { NullStore } from '../journal/stores/null.store.ts';
import { ClockController } from './clock-controller.ts';
import { Codes } from './codes.ts';
import { refuseSessionParts } from './declared-facts.ts';
import { Directory } from './directory.ts';
import { DirectoryRequests } from './directory-api/directory-requests.ts';
import { DocumentRequests } from './documents/document-requests.ts';
import { DocumentService } from './documents/document-service.ts';
import { FileTokens } from './documents/file-tokens.ts';
import { explain, withWarnings } from './explain.ts';
import { FaultInjector } from './fault-injector.ts';
import { LookupEngine } from './lookup/lookup-engine.ts';
import { askOwn, explainOwn, refuseOtherBase, toVerdict } from './own-explain.ts';
import type { OwnQuestion } from './own-question.ts';
import { refuseUntrustedMetadata } from './passkey-metadata.ts';
import type { SandboxPlan } from './plan-sandbox.ts';
import { PolicyService } from './policy-service.ts';
import { type Preview, previewTenant } from './population.ts';
import { Recorder } from './recorder.ts';
import { describeRulesetInForce, type RulesetInForce } from './ruleset-in-force.ts';
import { SecurityInfo } from './security-info.ts';
import { SignIns } from './sign-ins.ts';
import { TokenService } from './token-service.ts';
import { UsedChallenges } from './used-challenges.ts';

export type { DocumentRecord as DocumentRecordView } from '../journal/document-state.ts';
export type { JournalEntry } from '../journal/journal-event.ts';
export type { ReplayObserver } from '../journal/replay-observer.ts';
export {
  type ModelObserver,
  type ModelParts,
  type ModelStepFrom,
  SandboxModel,
  shippedModel,
} from '../journal/sandbox-model.ts';

export type { NudgeSnapshot } from '../journal/state.ts';
export { spanMs } from './clock-controller.ts';
export { contextFor } from './context.ts';
export { clockDefaultMs, planSandbox, type SandboxInput, type SandboxPlan } from './plan-sandbox.ts';
export type { PolicyResponse } from './policy-service.ts';
export { listMfaMethods, type SignInView } from './sign-in-view.ts';

/** Creates a store that keeps journals in memory for the lifetime of the process. */
export function inMemory(): JournalStore {
  return new MemoryStore();
}

const forgetful = new NullStore();

/** State of one user with everything that later steps can depend on, except for the user's open pages. */
export interface UserState {
  readonly nowMs: number;
  readonly campaign: TenantFacts['campaign'];
  readonly rollout: TenantFacts['rollout'];
  readonly limits: CampaignLimits;
  readonly methods: UserFacts['methods'];
  readonly passkeys: UserFacts['passkeys'];
  readonly state: NudgeState;
  readonly lifecycle: NudgeSnapshot['context'];
  readonly acceptedTerms: boolean;
}

/** Simulated tenant with its clock, its journal and its services. */
export class Sandbox {
  readonly id: string;
  readonly clock: ClockController;
  readonly directory: Directory;
  readonly signIns: SignIns;
  readonly policy: PolicyService;
  readonly tokens: TokenService;
  readonly faults: FaultInjector;
  readonly lookup: LookupEngine;
  readonly codes: Codes;
  readonly securityInfo: SecurityInfo;
  readonly documents: DocumentService;
  readonly fileTokens: FileTokens;
  readonly usedChallenges: UsedChallenges;
  readonly recorder: Recorder;
  #documentRequests: DocumentRequests | null = null;
  #directoryRequests: DirectoryRequests | null = null;

  /** Creates a sandbox over a recorder. Use `Sandbox.create` or the sandbox registry instead. */
  constructor(recorder: Recorder) {
    this.id = recorder.sandboxId;
    this.recorder = recorder;
    this.clock = new ClockController(recorder);
    this.directory = new Directory(recorder);
    this.signIns = new SignIns(recorder);
    this.policy = new PolicyService(recorder);
    this.tokens = new TokenService(recorder);
    this.faults = new FaultInjector(recorder);
    this.lookup = new LookupEngine(recorder, { faults: this.faults, issuer: () => this.tokens.mainIssuer });
    this.codes = new Codes(recorder);
    this.securityInfo = new SecurityInfo(recorder);
    this.documents = new DocumentService(recorder);
    this.fileTokens = new FileTokens(recorder);
    this.usedChallenges = new UsedChallenges(recorder);
  }

  /**
   * Creates a sandbox from a validated plan. The default model is that of the specification. Resolves when the store
   * has the sandbox. Throws `bad-request` for metadata whose signature does not chain to a root.
   */
  static async create(id: string, plan: SandboxPlan, store: JournalStore, model?: SandboxModel): Promise<Sandbox> {
    const { passkeys } = plan.settings;
    if (passkeys?.metadata !== undefined) await refuseUntrustedMetadata(passkeys);
    const clock = clockSettingAt(plan.clock.nowMs, plan.clock.running);
    return new Sandbox(await Recorder.begin(id, store, { ...plan, clock }, model));
  }

  /**
   * Creates an independent copy of the sandbox that continues with a model. The journal of the copy is not stored.
   * Documents and the lookup service are shared, so the copy must not change them.
   */
  fork(model: SandboxModel = this.#state().model): Sandbox {
    return new Sandbox(new Recorder(this.id, forgetful, forkState(this.#state(), model)));
  }

  /** Returns the state of one user that later steps can depend on. Throws `user-not-found`. */
  situation(userId: string): UserState {
    const { users, tenant, ruleset, acceptedTerms } = this.#state();
    const user = users.get(userId);
    if (user === undefined) throw new NudgeLabError('user-not-found');
    const { value, context } = user.nudge;
    return {
      nowMs: this.clock.nowMs(),
      campaign: tenant.campaign,
      rollout: tenant.rollout,
      limits: ruleset.limits,
      methods: user.facts.methods,
      passkeys: user.facts.passkeys,
      state: value as NudgeState,
      lifecycle: context,
      acceptedTerms: acceptedTerms.has(userId),
    };
  }

  /**
   * Returns the document records API, created at first use because its caches need more memory than all other parts.
   */
  get documentRequests(): DocumentRequests {
    const { documents: service, tokens, fileTokens, recorder } = this;
    this.#documentRequests ??= new DocumentRequests(recorder, { service, tokens, fileTokens });
    return this.#documentRequests;
  }

  /** Returns the directory API, created at first use because most sandboxes never use it. */
  get directoryRequests(): DirectoryRequests {
    this.#directoryRequests ??= new DirectoryRequests(this.recorder, { policy: this.policy, faults: this.faults });
    return this.#directoryRequests;
  }

  /** Returns the id of the ruleset in use. */
  get ruleset(): string {
    return this.#state().ruleset.id;
  }

  get seed(): number {
    return this.#state().seed;
  }

  /** Returns the number of journal entries. */
  get entryCount(): number {
    return this.#state().lastSeq;
  }

  /**
   * Evaluates a hypothetical sign-in and adds warnings about the campaign. The sandbox does not change. The default
   * ruleset is that of the sandbox. Throws `user-not-found`, `bad-request` for an unknown ruleset, or
   * `rulesets-not-comparable` for one whose verdict would need another history.
   */
  explain(userId: string, attempt: AttemptInput, ruleset?: string): Verdict {
    const state = this.#state();
    refuseOtherBase(state, ruleset);
    if (hasOwnCampaign(state)) {
      return withWarnings(toVerdict(this.explainOwn(userId, attempt), state), listRulesetNotices(state));
    }
    refuseSessionParts(attempt);
    const judging = ruleset === undefined ? state.ruleset : rulesetNamed(ruleset, state.model);
    const verdict = explain(state, { userId, attempt, nowMs: this.clock.nowMs(), ruleset: judging });
    return withWarnings(verdict, this.directory.warnings());
  }

  /**
   * Returns the words of the ruleset that evaluates sign-ins at a time, for sentences about its own gates; `undefined` if it
   * has none. Throws `bad-request` for an unknown ruleset.
   */
  words(ruleset?: string, nowMs = this.clock.nowMs()): RulesetWords | undefined {
    const state = this.#state();
    if (state.own !== null && (ruleset === undefined || ruleset === state.own.ruleset.id))
      return createOwnWords(rulesAt(state.own.ruleset, nowMs), toInstant);
    const judging = ruleset === undefined ? state.ruleset : rulesetNamed(ruleset, state.model);
    return rulesInForce(judging, nowMs).extension;
  }

  /** Returns the ruleset as the clock has it in force, with its settings and the texts of an own campaign. */
  rulesetInForce(): RulesetInForce {
    return describeRulesetInForce(this.#state(), this.clock.nowMs());
  }

  /**
   * Evaluates a hypothetical sign-in by the own campaign of the sandbox, which does not change. Throws `user-not-found`,
   * or `bad-request` if the ruleset has a registration campaign or does not declare a fact.
   */
  explainOwn(userId: string, attempt: AttemptInput): OwnVerdict {
    return explainOwn(this.#ask(userId, attempt));
  }

  /**
   * Finds when, and under which other facts, a hypothetical sign-in would prompt (OC47). Loads the search, because a start
   * does not need it. Throws the errors of `explainOwn`.
   *
   * @returns `null` if the sign-in prompts, and for a registration campaign
   */
  async findCounterfactual(userId: string, attempt: AttemptInput): Promise<Counterfactual | null> {
    if (!hasOwnCampaign(this.#state())) return null;
    const { findCounterfactual } = await import('./own-counterfactual.ts');
    const question = this.#ask(userId, attempt);
    return findCounterfactual(question, explainOwn(question).outcome);
  }

  #ask(userId: string, attempt: AttemptInput): OwnQuestion {
    return askOwn(this.#state(), { userId, attempt, nowMs: this.clock.nowMs() });
  }

  /**
   * Previews the effect of a policy update on the next sign-in of the users. The sandbox does not change. Throws
   * `bad-request`.
   *
   * @param body - body of the update
   * @param attempt - sign-in context of all sign-ins
   * @param rollout - rollout switches to change
   */
  previewPolicy(body: unknown, attempt: AttemptInput, rollout: Partial<TenantFacts['rollout']> = {}): Preview {
    const tenant = this.policy.preview(body);
    const turned = { ...tenant, rollout: { ...tenant.rollout, ...rollout } };
    return previewTenant(this.#state(), turned, attempt);
  }

  /** Returns entries of the journal, in order. */
  journal(query: EntryQuery): Promise<readonly JournalEntry[]> {
    return this.recorder.store.entries(this.id, query);
  }

  /**
   * Exports a part of the journal as a journey file, one line at a time without line breaks. Throws `user-not-found`,
   * or `bad-request` for a part that does not exist.
   */
  async journey(slice: JourneySlice = {}): Promise<AsyncGenerator<string, void>> {
    const { store } = this.recorder;
    const digest = store.durable ? computeModelDigest() : '';
    const { exportJourney } = await import('../journal/journeys/export-journey.ts');
    return exportJourney({ store, sandboxId: this.id, digest }, slice);
  }

  /** Calls the listener for every entry once it is stored. Returns a function that unsubscribes. */
  listen(listener: (entry: JournalEntry) => void): () => void {
    return this.recorder.listen(listener);
  }

  /** Adds an observer for every later evaluation and lifecycle step. */
  watch(watcher: ReplayObserver): void {
    this.recorder.state().observer = watcher;
  }

  /** Waits until the store has everything that a response may show, or returns `null` if it already has. */
  settled(): Promise<void> | null {
    return this.recorder.settled();
  }

  #state(): SandboxState {
    return this.recorder.state();
  }
}

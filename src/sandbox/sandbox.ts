import type { CampaignLimits } from '../../machines/campaign-limits.ts';
import type { NudgeState, PasskeyPolicy, TenantFacts, UserFacts, Verdict } from '../../machines/vocabulary.ts';
import { completeUser } from '../contract/complete-user.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import { tenantFactsSchema } from '../contract/facts.schema.ts';
import { faultsSchema } from '../contract/fault.schema.ts';
import { parseOr } from '../contract/parse.ts';
import { type SandboxUser, sandboxUserSchema, tenantSettingsSchema } from '../contract/sandbox.schema.ts';
import { type SyntheticUsersDescription, syntheticUsersSchema } from '../contract/synthetic-users.schema.ts';
import { clockSettingAt, toInstant } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { usersMax } from '../core/limits.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { ProblemList } from '../core/problem-list.ts';
import { forkState } from '../journal/fork-state.ts';
import type { EventOf, JournalEntry } from '../journal/journal-event.ts';
import { exportJourney, type JourneySlice } from '../journal/journeys/export-journey.ts';
import { computeModelDigest } from '../journal/model-digest.ts';
import type { ReplayObserver } from '../journal/replay-observer.ts';
import type { NudgeSnapshot, SandboxModel } from '../journal/sandbox-model.ts';
import { shippedModel } from '../journal/sandbox-model.ts';
import { createUserTable, rulesetNamed, type SandboxState } from '../journal/state.ts';
import type { EntryQuery, JournalStore } from '../journal/store.ts';
import { MemoryStore } from '../journal/stores/memory.store.ts';
import { NullStore } from '../journal/stores/null.store.ts';
import { planClients } from './client-plan.ts';
import { ClockController } from './clock-controller.ts';
import { Codes } from './codes.ts';
import { Directory } from './directory.ts';
import { DirectoryRequests } from './directory-api/directory-requests.ts';
import { DocumentRequests } from './documents/document-requests.ts';
import { DocumentService } from './documents/document-service.ts';
import { FileTokens } from './documents/file-tokens.ts';
import { explain, withWarnings } from './explain.ts';
import { FaultInjector } from './fault-injector.ts';
import { LookupEngine } from './lookup/lookup-engine.ts';
import { planLookup } from './lookup/plan-lookup.ts';
import { refuseUntrustedMetadata } from './passkey-metadata.ts';
import { PolicyService } from './policy-service.ts';
import { type Preview, previewTenant } from './population.ts';
import { Recorder } from './recorder.ts';
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

import { suggestName } from '../core/nearest-name.ts';

import { listBuiltInUris } from './token-resources.ts';

export type { NudgeSnapshot } from '../journal/state.ts';
export { spanMs } from './clock-controller.ts';
export { contextFor } from './context.ts';
export type { PolicyResponse } from './policy-service.ts';
export { listMfaMethods, type SignInView } from './sign-in-view.ts';

/** Input for a new sandbox. Every part has a default. */
export interface SandboxInput {
  /** Facts of the tenant in the format of the schema. In a fixture, they include its settings under `settings`. */
  readonly tenant?: unknown;
  readonly settings?: unknown;
  /** Users with their facts and profiles. */
  readonly users?: readonly unknown[];
  /** Description of synthetic users, in addition to those. */
  readonly syntheticUsers?: unknown;
  /** Applications that may request tokens. The default is a set of sample applications. */
  readonly clients?: readonly unknown[] | undefined;
  /** Initial faults. */
  readonly faults?: readonly unknown[] | undefined;
  /**
   * Lookup service with its tools, accounts, tokens, settings and known responses. The default is the built-in one.
   */
  readonly lookup?: unknown;
  /** Initial virtual time in milliseconds, and whether the clock runs. */
  readonly clock?: { readonly nowMs: number; readonly running: boolean };
  readonly seed?: number;
  readonly ruleset?: string;
}

/**
 * Validated input for a sandbox that can be recorded any number of times. Scenarios validate once and run often.
 */
export type SandboxPlan = Omit<EventOf<'sandbox.created'>, 'clock'> & {
  readonly clock: { readonly nowMs: number; readonly running: boolean };
};

/** Default start time of a clock: 2026-01-05T09:00:00.000Z. */
export const clockDefaultMs = 1_767_603_600_000;

const seedDefault = 1;
const dayMs = 86_400_000;

/**
 * Validates the input for a sandbox and returns its plan. Throws `bad-request` with every problem, such as two
 * users with the same name.
 */
export function planSandbox(input: SandboxInput): SandboxPlan {
  const wrong = new ProblemList();
  const users = (input.users ?? []).flatMap((user, index) => {
    const parsed = wrong.attempt(() => parseOr('bad-request', sandboxUserSchema, user, `users.${index}`));
    return parsed === undefined ? [] : [completeUser(parsed)];
  });
  const described = input.syntheticUsers;
  const syntheticUsers = wrong.attempt(() =>
    described === undefined ? null : parseOr('bad-request', syntheticUsersSchema, described, 'syntheticUsers'),
  );
  const clock = input.clock ?? { nowMs: clockDefaultMs, running: false };
  wrong.attempt(() => refuseEarlySignIns(syntheticUsers ?? null, clock));
  if (wrong.problems.length === 0) wrong.attempt(() => refuseDoubles(users, syntheticUsers ?? null));
  const { facts, given, place } = parseTenant(input);
  const settings = wrong.attempt(() => parseOr('bad-request', tenantSettingsSchema, given, place));
  const tenant = wrong.attempt(() => parseOr('bad-request', tenantFactsSchema, facts, 'tenant'));
  wrong.attempt(() => tenant && refuseUnknownProfiles(tenant.methodsPolicy.fido2));
  const { clients, lookup, faults } = input;
  const builtInUris = settings === undefined ? [] : listBuiltInUris(settings);
  const lists = {
    ...(clients === undefined ? {} : { clients: wrong.attempt(() => planClients(clients, builtInUris)) ?? [] }),
    ...(lookup === undefined ? {} : { lookup: wrong.attempt(() => planLookup(lookup, input.seed ?? seedDefault)) }),
    ...(faults === undefined
      ? {}
      : { faults: wrong.attempt(() => parseOr('bad-request', faultsSchema, faults, 'faults')) ?? [] }),
  };
  if (tenant === undefined || settings === undefined || wrong.problems.length > 0) {
    throw new NudgeLabError('bad-request', { problems: wrong.problems });
  }
  return {
    type: 'sandbox.created',
    ruleset: rulesetNamed(input.ruleset ?? 'seed').id,
    seed: input.seed ?? seedDefault,
    clock,
    tenant,
    settings,
    users,
    ...(syntheticUsers == null ? {} : { syntheticUsers }),
    ...lists,
  } as SandboxPlan;
}

/**
 * Separates facts and settings of the tenant. A fixture has its settings among the facts, and separate settings
 * take precedence.
 */
function parseTenant({ tenant = {}, settings }: SandboxInput): { facts: unknown; given: unknown; place: string } {
  const { settings: own, ...facts } = isPlainObject(tenant) ? tenant : { settings: undefined };
  const place = settings === undefined && own !== undefined ? 'tenant.settings' : 'settings';
  return { facts: isPlainObject(tenant) ? facts : tenant, given: settings ?? own ?? {}, place };
}

/**
 * Rejects a target that names a missing profile, because it would count as unrestricted (A29) and contradict the
 * input.
 */
function refuseUnknownProfiles({ includeTargets, profiles }: PasskeyPolicy): void {
  const known = profiles.map(({ id }) => id);
  const problems = includeTargets.flatMap((target, index) =>
    target.profiles
      .filter((id) => !known.includes(id))
      .map((id) => ({
        location: `tenant.methodsPolicy.fido2.includeTargets.${index}.profiles`,
        message: `profile "${id}" does not exist; allowed: ${known.join(', ') || 'none'}${suggestName(id, known)}`,
      })),
  );
  if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
}

/** Rejects synthetic sign-ins that would start before 1970, because no attempt can be that early. */
function refuseEarlySignIns(synthetic: SyntheticUsersDescription | null, { nowMs }: SandboxPlan['clock']): void {
  const days = synthetic?.signIns?.days ?? 0;
  if (days * dayMs <= nowMs) return;
  const message = `${days} days before ${toInstant(nowMs)} is before 1970; use fewer days or a later clock`;
  throw new NudgeLabError('bad-request', { problems: [{ location: 'syntheticUsers.signIns.days', message }] });
}

function refuseDoubles(users: readonly SandboxUser[], synthetic: SyntheticUsersDescription | null): void {
  const all = users.length + (synthetic?.count ?? 0);
  if (all > usersMax) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'users', message: `the sandbox would have ${all} users; the maximum is ${usersMax}` }],
    });
  }
  const generated = createUserTable(shippedModel, synthetic);
  const ids = new Set<string>();
  const names = new Set<string>();
  users.forEach(({ id, userPrincipalName }, index) => {
    const name = userPrincipalName.toLowerCase();
    const isIdTaken = ids.has(id) || generated.has(id);
    if (isIdTaken || names.has(name) || generated.findId(name) !== undefined) {
      const place = `users.${index}.${isIdTaken ? 'id' : 'userPrincipalName'}`;
      throw new NudgeLabError('bad-request', {
        problems: [{ location: place, message: 'is already used by another user' }],
      });
    }
    ids.add(id);
    names.add(name);
  });
}

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
    this.lookup = new LookupEngine(recorder, { faults: this.faults, issuer: () => this.tokens.issuer });
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
   * ruleset is that of the sandbox. Throws `user-not-found`, or `bad-request` for an unknown ruleset.
   */
  explain(userId: string, attempt: AttemptInput, ruleset?: string): Verdict {
    const state = this.#state();
    const judging = ruleset === undefined ? state.ruleset : rulesetNamed(ruleset, state.model);
    const verdict = explain(state, { userId, attempt, nowMs: this.clock.nowMs(), ruleset: judging });
    return withWarnings(verdict, this.directory.warnings());
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
  journey(slice: JourneySlice = {}): Promise<AsyncGenerator<string, void>> {
    const { store } = this.recorder;
    const digest = store.durable ? computeModelDigest() : '';
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

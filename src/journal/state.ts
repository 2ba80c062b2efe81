import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import type { LedgerEntry } from '../../machines/own/ledger.ts';
import type { KeptFacts, OwnAttempt } from '../../machines/own/own-facts.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import { nudgeStateAt, type SnoozeMoment, snoozeEndsAtMs } from '../../machines/snooze.ts';
import type {
  EffectiveCampaign,
  Facts,
  NudgeState,
  Passkey,
  Reason,
  Ruleset,
  TenantFacts,
  UserFacts,
  VerdictOutcome,
} from '../../machines/vocabulary.ts';
import type { Client } from '../contract/client.schema.ts';
import type { AttemptInput, SessionInput } from '../contract/context.schema.ts';
import type { PasskeyCredential } from '../contract/credential.schema.ts';
import { defaultClients } from '../contract/default-clients.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type { SandboxUser, TenantSettings, UserProfile } from '../contract/sandbox.schema.ts';
import type { SigningAlgorithm } from '../contract/signing-algorithms.ts';
import type { SyntheticUsersDescription } from '../contract/synthetic-users.schema.ts';
import type { ClockSetting } from '../core/clock.ts';
import { type DocumentsState, noDocuments } from './document-state.ts';
import { type FaultState, setFaults } from './faults.ts';
import type { EventOf, JournalEntry, PolicyExtras, SignInOrigin } from './journal-event.ts';
import { beginLookup, type LookupState } from './lookup-state.ts';
import { OwnCampaignState } from './own-campaign-state.ts';
import { findOwnStatus, seedLedger } from './own-ledger.ts';
import { noteRegistrationPolicy, type RegistrationPolicyVersion } from './registration-times.ts';
import type { ReplayObserver } from './replay-observer.ts';
import { type RulesetDigests, rulesetIn } from './ruleset-lookup.ts';
import { type NudgeSnapshot, type SandboxModel, type SignInSnapshot, shippedModel } from './sandbox-model.ts';
import { SyntheticUsers } from './synthetic-users.ts';
import type { UserRecord } from './user-record.ts';
import { UserTable } from './user-table.ts';

export type { NudgeSnapshot, SignInSnapshot } from './sandbox-model.ts';
export type { UserRecord } from './user-record.ts';

/** Push notification to the authenticator app, and the number of notifications in this sign-in. */
export interface PushRequest {
  readonly sent: number;
  readonly answer: 'waiting' | 'approved' | 'denied';
  /** `true` if the notification never reached the phone. */
  readonly lost?: boolean;
}

/** Pending factors of a sign-in: codes, push notifications and an unnamed passkey. */
export interface SignInFactors {
  /** Number of codes sent by text message or voice call. */
  readonly codesSent: number;
  /** `true` if the latest code never arrived. */
  readonly codeLost?: boolean;
  readonly push: PushRequest | null;
  /** Created passkey that is not registered yet; `null` if there is none. */
  readonly made: { readonly passkey: Passkey; readonly credential: PasskeyCredential } | null;
}

export const noFactors: SignInFactors = { codesSent: 0, push: null, made: null };

/** Verdict on a sign-in with its facts; the full trace is evaluated again on request. */
export interface Evaluation {
  readonly facts: Facts;
  readonly outcome: VerdictOutcome;
  readonly reason: Reason | null;
  readonly campaign: EffectiveCampaign;
  /** Digest that actions at this prompt contain. */
  readonly digest: string;
  /** What an own campaign evaluated besides the facts of tenant and user; only own campaigns have it. */
  readonly own?: { readonly attempt: OwnAttempt; readonly kept: KeptFacts; readonly entries: readonly LedgerEntry[] };
}

/** Sign-in of the rebuilt state. */
export interface SignInRecord {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
  /** Known values of this attempt; the evaluation fills in the rest. */
  patch: AttemptPatch;
  /** Session, kind and browser of the sign-in, as far as they were given; only own campaigns read them. */
  readonly session?: SessionInput;
  /** Circumstances that only the sign-in log shows; absent if nothing is known. */
  readonly origin?: SignInOrigin;
  factors: SignInFactors;
  screen: SignInSnapshot;
  evaluation: Evaluation | null;
  /** Interstitial pages that this sign-in has passed. */
  readonly interstitials: Screen[];
  /** Sequence numbers of this sign-in's events. */
  readonly entries: number[];
}

/** Open prompt in order of expiry; prompt and sign-in have the same id. */
export interface PromptEnd {
  readonly userId: string;
  readonly endsAtMs: number;
}

/** Receives what the sign-in log and the audit log contain, while events are applied. */
export interface LogObserver {
  /** Called before an entry is applied, so the earlier values can still be read. */
  before(state: SandboxState, entry: JournalEntry): void;
  /** Called when a sign-in was evaluated, with the state of its user before a prompt was opened. */
  evaluated(state: SandboxState, signIn: SignInRecord): void;
  /** Called when a sign-in shows another screen. */
  moved(state: SandboxState, signIn: SignInRecord): void;
}

/** Replacement of the signing keys, or of the key of one algorithm. */
export interface KeyRotation {
  readonly seq: number;
  readonly atMs: number;
  readonly alg?: SigningAlgorithm;
}

/** Rebuilt state of one sandbox. Only applying events changes it. */
export interface SandboxState extends FaultState {
  /** Rules and machines for applying events. */
  readonly model: SandboxModel;
  /** Rules of the registration campaign. With an own campaign, this campaign is disabled (OC56). */
  readonly ruleset: Ruleset;
  /** Digest that the journal records for a ruleset file, and that of the loaded one (OC35). */
  readonly rulesetDigests: RulesetDigests | null;
  /** Own campaign, or `null` if the ruleset has a registration campaign. */
  readonly own: OwnCampaignState | null;
  readonly seed: number;
  /** Virtual time at which the sandbox was created. */
  readonly createdAtMs: number;
  clock: ClockSetting;
  tenant: TenantFacts;
  settings: TenantSettings;
  /** Configured OAuth clients, without dynamically registered ones. */
  readonly clients: readonly Client[];
  extras: PolicyExtras;
  /** Version number, raised by every change of tenant, settings or extra policy fields. */
  tenantVersion: number;
  tenantChangedAtMs: number;
  /** Earliest and latest time of these changes, which are not the first and the last one if the clock was set back. */
  tenantChangedBetweenMs: { readonly earliestMs: number; readonly latestMs: number };
  /** Versions of the tenant data that the registration report is derived from, oldest first. */
  registrationPolicies: readonly RegistrationPolicyVersion[];
  /** Effective campaign, updated with `tenant`. */
  campaign: EffectiveCampaign;
  readonly users: UserTable;
  readonly nextSignIns: Map<string, AttemptInput>;
  readonly signIns: Map<string, SignInRecord>;
  /** Ids of finished sign-ins, oldest first; most of those that ended at a prompt receive no further action. */
  readonly finished: Set<string>;
  /** Open prompts by id, in order of expiry. */
  readonly promptEnds: Map<string, PromptEnd>;
  readonly revokedTokens: Set<string>;
  /** Latest replacements of signing keys, oldest first. */
  keyRotations: readonly KeyRotation[];
  /** Users who have accepted the terms of use. */
  readonly acceptedTerms: Set<string>;
  readonly documents: DocumentsState;
  readonly lookup: LookupState;
  lastSeq: number;
  /** Latest time of an applied event; only a clock event can set it back. */
  lastAtMs: number;
  /** Observer of the replay; not part of the state itself. */
  observer?: ReplayObserver;
  /** Observer of the sign-in log and the audit log; not part of the state itself. */
  logObserver?: LogObserver;
}

/** Defaults of the policy fields that no rule reads. */
const extrasDefault: PolicyExtras = {
  policyMigrationState: 'migrationComplete',
  systemCredentialPreferences: { state: 'default', excludeTargets: [], includeTargets: [] },
  reportSuspiciousActivitySettings: {
    state: 'default',
    voiceReportingCode: 0,
    includeTarget: { targetType: 'group', id: 'all_users' },
  },
};

/**
 * Creates the initial state of a sandbox.
 * @throws `bad-request` for a ruleset that the model does not have
 */
export function createState(event: EventOf<'sandbox.created'>, atMs: number, model = shippedModel): SandboxState {
  const { ruleset, own, digests } = rulesetIn(event, model);
  const users = createUserTable(model, event.syntheticUsers ?? null);
  const tenant = own === null ? event.tenant : withoutCampaign(event.tenant);
  const state: SandboxState = {
    model,
    ruleset,
    rulesetDigests: digests,
    own: own === null ? null : new OwnCampaignState(own, tenant, users, atMs),
    seed: event.seed,
    createdAtMs: atMs,
    clock: event.clock,
    tenant,
    settings: event.settings,
    clients: event.clients ?? defaultClients,
    extras: extrasDefault,
    tenantVersion: 1,
    tenantChangedAtMs: atMs,
    tenantChangedBetweenMs: { earliestMs: atMs, latestMs: atMs },
    registrationPolicies: [],
    campaign: effectiveCampaign(tenant, rulesInForce(ruleset, atMs)),
    users,
    nextSignIns: new Map(),
    signIns: new Map(),
    finished: new Set(),
    promptEnds: new Map(),
    revokedTokens: new Set(),
    keyRotations: [],
    faults: [],
    occurrences: [],
    acceptedTerms: new Set(),
    documents: noDocuments(),
    lookup: beginLookup(event.lookup),
    lastSeq: 1,
    lastAtMs: atMs,
  };
  noteRegistrationPolicy(state, atMs);
  for (const user of event.users) addUser(state, user);
  setFaults(state, event.faults ?? []);
  return state;
}

/** Returns the campaign in effect at a time in milliseconds, by the edition in force then (OC57). */
export function campaignAt(
  { campaign, tenant, ruleset }: Pick<SandboxState, 'campaign' | 'tenant' | 'ruleset'>,
  nowMs: number,
): EffectiveCampaign {
  if (ruleset.editions === undefined) return campaign;
  return effectiveCampaign(tenant, rulesInForce(ruleset, nowMs));
}

/** Returns the facts of a tenant without a registration campaign: an own campaign takes its place (OC56). */
export function withoutCampaign(tenant: TenantFacts): TenantFacts {
  if (tenant.campaign.state === 'disabled') return tenant;
  return { ...tenant, campaign: { ...tenant.campaign, state: 'disabled' } };
}

/** Adds a user whose lifecycle starts with the nudge status of the given facts. */
export function addUser(state: SandboxState, user: SandboxUser): void {
  const { facts, profile } = splitUser(user);
  state.users.add({ facts, profile, nudge: beginNudge(state.model, facts.snooze), credentials: [] });
  if (state.own !== null) seedLedger(state.own, facts.id, facts.snooze);
}

/** Creates the table of users with the synthetic users of a description, or without any. */
export function createUserTable(model: SandboxModel, description: SyntheticUsersDescription | null): UserTable {
  if (description === null) return new UserTable();
  return new UserTable(
    new SyntheticUsers(description, (user) => {
      const { facts, profile } = splitUser(user);
      return { facts, profile, nudge: beginNudge(model, facts.snooze) };
    }),
  );
}

/** Creates a lifecycle from a stored nudge status: `snoozed` if there is a stored snooze time. */
function beginNudge(model: SandboxModel, { count, snoozedAtMs }: UserFacts['snooze']): NudgeSnapshot {
  return model.nudgeSnapshot(snoozedAtMs === null ? 'notPrompted' : 'snoozed', {
    count,
    snoozedAtMs,
    openPrompts: [],
    registered: null,
  });
}

/** Splits a user object into facts and profile. */
export function splitUser(user: SandboxUser): { facts: UserFacts; profile: UserProfile } {
  const { userPrincipalName, displayName, password, code, roles, directory, claims, ...facts } = user;
  const held = {
    ...(roles === undefined ? {} : { roles }),
    ...(directory === undefined ? {} : { directory }),
    ...(claims === undefined ? {} : { claims }),
  };
  return { facts, profile: { userPrincipalName, displayName, password, code, ...held } };
}

/** Returns the screen of a sign-in. */
export function getScreen(signIn: Pick<SignInRecord, 'screen'>): Screen {
  return signIn.screen.value as Screen;
}

/**
 * Returns the stored state of a user's nudge machine, which does not depend on the clock, unlike that of
 * `getNudgeState`.
 */
export function getStoredNudgeState(user: Pick<UserRecord, 'nudge'>): NudgeState {
  return user.nudge.value as NudgeState;
}

/**
 * Returns the end of a user's running snooze in milliseconds; `null` if no snooze is running.
 * @param state - state that is up to date for the time in question
 */
export function findSnoozeEnd(
  state: SnoozeClock,
  { facts, nudge }: Pick<UserRecord, 'facts' | 'nudge'>,
): number | null {
  if (state.own !== null) return findOwnStatus(state.own, facts.id, state.lastAtMs)?.nextPromptAtMs ?? null;
  return snoozeEndsAtMs(nudge.context, toSnoozeMoment(state), state.ruleset.limits);
}

/**
 * Returns the reported state of a user's nudge lifecycle, which is no longer `snoozed` once the snooze is over.
 * @param state - state that is up to date for the time in question
 */
export function getNudgeState(state: SnoozeClock, user: Pick<UserRecord, 'facts' | 'nudge'>): NudgeState {
  if (state.own !== null) return findOwnStatus(state.own, user.facts.id, state.lastAtMs)?.state ?? 'notPrompted';
  return nudgeStateAt(getStoredNudgeState(user), user.nudge.context, toSnoozeMoment(state), state.ruleset.limits);
}

type SnoozeClock = Pick<SandboxState, 'campaign' | 'ruleset' | 'lastAtMs' | 'own'>;

function toSnoozeMoment({ campaign, lastAtMs }: SnoozeClock): SnoozeMoment {
  return { nowMs: lastAtMs, snoozeDays: campaign.snoozeDays };
}

/** Returns `true` if a sign-in is finished. */
export function isFinished(signIn: Pick<SignInRecord, 'screen'>): boolean {
  return signIn.screen.status === 'done';
}

/** Returns `true` if a sign-in is finished or its prompt has ended, so only a late action can follow. */
export function isOver(signIn: Pick<SignInRecord, 'screen'>): boolean {
  return isFinished(signIn) || signIn.screen.value === 'expired' || signIn.screen.value === 'resolved';
}

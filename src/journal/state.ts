import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import type { Screen } from '../../machines/sign-in.machine.ts';
import { nudgeStateAt, type SnoozeMoment, snoozeEndsAtMs } from '../../machines/snooze.ts';
import type {
  EffectiveCampaign,
  Facts,
  NudgeState,
  Passkey,
  ReasonCode,
  Ruleset,
  TenantFacts,
  UserFacts,
  VerdictOutcome,
} from '../../machines/vocabulary.ts';
import type { Client } from '../contract/client.schema.ts';
import type { AttemptInput } from '../contract/context.schema.ts';
import type { PasskeyCredential } from '../contract/credential.schema.ts';
import { defaultClients } from '../contract/default-clients.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type { SandboxUser, TenantSettings, UserProfile } from '../contract/sandbox.schema.ts';
import type { ClockSetting } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { type DocumentsState, noDocuments } from './document-state.ts';
import { type FaultState, setFaults } from './faults.ts';
import type { EventOf, PolicyExtras } from './journal-event.ts';
import { beginLookup, type LookupState } from './lookup-state.ts';
import type { ReplayObserver } from './replay-observer.ts';
import { type NudgeSnapshot, type SandboxModel, type SignInSnapshot, shippedModel } from './sandbox-model.ts';

export type { NudgeSnapshot, SignInSnapshot } from './sandbox-model.ts';

/** One user of the folded state. */
export interface UserRecord {
  /** The facts as the rules read them; the nudge status in them is always that of the nudge machine. */
  facts: UserFacts;
  profile: UserProfile;
  nudge: NudgeSnapshot;
  /** What the passkeys that were made at pages are verified by; one for each passkey of the facts that names it. */
  credentials: readonly PasskeyCredential[];
}

/** A request sent to the authenticator app, and how often one was sent in this sign-in. */
export interface PushRequest {
  readonly sent: number;
  readonly answer: 'waiting' | 'approved' | 'denied';
  /** It never reached the phone. */
  readonly lost?: boolean;
}

/** What a sign-in has going on beside its screen: codes, requests to the app, a passkey without a name. */
export interface SignInFactors {
  /** How often a code was sent by text message or voice call. */
  readonly codesSent: number;
  /** Whether the latest code came; without one that was sent there is nothing to come. */
  readonly codeLost?: boolean;
  readonly push: PushRequest | null;
  /** A passkey that was made and is not registered yet. */
  readonly made: { readonly passkey: Passkey; readonly credential: PasskeyCredential } | null;
}

export const noFactors: SignInFactors = { codesSent: 0, push: null, made: null };

/** What the rules said of a sign-in, with the facts they said it on; the full trace is evaluated again when asked for. */
export interface Evaluation {
  readonly facts: Facts;
  readonly outcome: VerdictOutcome;
  readonly reason: ReasonCode | null;
  readonly campaign: EffectiveCampaign;
  /** Digest that answers to this prompt carry. */
  readonly digest: string;
}

/** One sign-in of the folded state. */
export interface SignInRecord {
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
  /** What is known of this attempt so far; the rest is filled when it is evaluated. */
  patch: AttemptPatch;
  factors: SignInFactors;
  screen: SignInSnapshot;
  evaluation: Evaluation | null;
  /** Screens between second factor and end that this sign-in went through. */
  readonly interstitials: Screen[];
  /** Places in the journal of the events of this sign-in. */
  readonly entries: number[];
}

/** An open prompt in the order of its end; prompt and sign-in share their id. */
export interface PromptEnd {
  readonly userId: string;
  readonly endsAtMs: number;
}

/** The folded state of one sandbox. The fold alone changes it. */
export interface SandboxState extends FaultState {
  /** The rules and machines that it is folded through. */
  readonly model: SandboxModel;
  readonly ruleset: Ruleset;
  readonly seed: number;
  clock: ClockSetting;
  tenant: TenantFacts;
  settings: TenantSettings;
  /** Applications that may ask for tokens, beside those that register themselves. */
  readonly clients: readonly Client[];
  extras: PolicyExtras;
  /** Raised by every change of tenant, settings or extras; so that two states are told apart. */
  tenantVersion: number;
  tenantChangedAtMs: number;
  /** The earliest and the latest of these times so far: they differ from begin and end where the clock was set back. */
  tenantChangedBetweenMs: { readonly earliestMs: number; readonly latestMs: number };
  /** The campaign as it takes effect, kept with `tenant`. */
  campaign: EffectiveCampaign;
  readonly users: Map<string, UserRecord>;
  /** User ids by lower-case user principal name. */
  readonly userIdsByName: Map<string, string>;
  readonly nextSignIns: Map<string, AttemptInput>;
  readonly signIns: Map<string, SignInRecord>;
  /** Ids of sign-ins that are over, oldest first; of those that ended at a prompt, most are never answered any more. */
  readonly finished: Set<string>;
  /** Open prompts by id, in the order of their end. */
  readonly promptEnds: Map<string, PromptEnd>;
  readonly revokedTokens: Set<string>;
  /** Users who have accepted terms of use. */
  readonly acceptedTerms: Set<string>;
  readonly documents: DocumentsState;
  readonly lookup: LookupState;
  lastSeq: number;
  /** The latest time the fold was told; never goes back but by a clock event. */
  lastAtMs: number;
  /** Who watches this fold; no part of the state itself. */
  observer?: ReplayObserver;
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

/** The state right after a sandbox was created. Throws `bad-request` for a ruleset that the model does not have. */
export function createState(event: EventOf<'sandbox.created'>, atMs: number, model = shippedModel): SandboxState {
  const ruleset = rulesetNamed(event.ruleset, model);
  const state: SandboxState = {
    model,
    ruleset,
    seed: event.seed,
    clock: event.clock,
    tenant: event.tenant,
    settings: event.settings,
    clients: event.clients ?? defaultClients,
    extras: extrasDefault,
    tenantVersion: 1,
    tenantChangedAtMs: atMs,
    tenantChangedBetweenMs: { earliestMs: atMs, latestMs: atMs },
    campaign: effectiveCampaign(event.tenant, ruleset),
    users: new Map(),
    userIdsByName: new Map(),
    nextSignIns: new Map(),
    signIns: new Map(),
    finished: new Set(),
    promptEnds: new Map(),
    revokedTokens: new Set(),
    faults: [],
    occurrences: [],
    acceptedTerms: new Set(),
    documents: noDocuments(),
    lookup: beginLookup(event.lookup),
    lastSeq: 1,
    lastAtMs: atMs,
  };
  for (const user of event.users) addUser(state, user);
  setFaults(state, event.faults ?? []);
  return state;
}

/** The ruleset of an id. Throws `bad-request` naming the ids that there are. */
export function rulesetNamed(id: string, { rulesets }: SandboxModel = shippedModel): Ruleset {
  const ruleset = rulesets.get(id);
  if (ruleset === undefined) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'ruleset', message: `"${id}" is not one of ${[...rulesets.keys()].join(', ')}` }],
    });
  }
  return ruleset;
}

/** Adds a user whose lifecycle begins with the nudge status of the given facts. */
export function addUser(state: SandboxState, user: SandboxUser): void {
  const { facts, profile } = splitUser(user);
  state.users.set(facts.id, { facts, profile, nudge: beginNudge(state.model, facts.snooze), credentials: [] });
  state.userIdsByName.set(profile.userPrincipalName.toLowerCase(), facts.id);
}

/** A lifecycle that begins with a stored nudge status: snoozed when a snooze is stored. */
function beginNudge(model: SandboxModel, { count, snoozedAtMs }: UserFacts['snooze']): NudgeSnapshot {
  return model.nudgeSnapshot(snoozedAtMs === null ? 'notPrompted' : 'snoozed', {
    count,
    snoozedAtMs,
    openPrompts: [],
    registered: null,
  });
}

/** Facts and profile of a user who is given as one object. */
export function splitUser(user: SandboxUser): { facts: UserFacts; profile: UserProfile } {
  const { userPrincipalName, displayName, password, code, roles, ...facts } = user;
  const held = roles === undefined ? {} : { roles };
  return { facts, profile: { userPrincipalName, displayName, password, code, ...held } };
}

/** The screen that a sign-in shows. */
export function getScreen(signIn: Pick<SignInRecord, 'screen'>): Screen {
  return signIn.screen.value as Screen;
}

/** Where the nudge machine of a user rests: what is stored and stepped, and what `getNudgeState` reads with the clock. */
export function getStoredNudgeState(user: Pick<UserRecord, 'nudge'>): NudgeState {
  return user.nudge.value as NudgeState;
}

/** When the running snooze of a user ends, in ms; `null` when none runs. Takes the state as of the time that is asked about. */
export function findSnoozeEnd(state: SnoozeClock, { nudge }: Pick<UserRecord, 'nudge'>): number | null {
  return snoozeEndsAtMs(nudge.context, momentOf(state), state.ruleset.limits);
}

/**
 * The state of a user's nudge lifecycle as everyone is told it: anyone who's snooze is over is called `snoozed` no more. Takes the
 * state as of the time that is asked about.
 */
export function getNudgeState(state: SnoozeClock, user: Pick<UserRecord, 'nudge'>): NudgeState {
  return nudgeStateAt(getStoredNudgeState(user), user.nudge.context, momentOf(state), state.ruleset.limits);
}

type SnoozeClock = Pick<SandboxState, 'campaign' | 'ruleset' | 'lastAtMs'>;

function momentOf({ campaign, lastAtMs }: SnoozeClock): SnoozeMoment {
  return { nowMs: lastAtMs, snoozeDays: campaign.snoozeDays };
}

/** Whether a sign-in has come to its end. */
export function isFinished(signIn: Pick<SignInRecord, 'screen'>): boolean {
  return signIn.screen.status === 'done';
}

/** Whether a sign-in is finished, or its prompt has ended, so that nothing but a late answer can follow. */
export function isOver(signIn: Pick<SignInRecord, 'screen'>): boolean {
  return isFinished(signIn) || signIn.screen.value === 'expired' || signIn.screen.value === 'resolved';
}

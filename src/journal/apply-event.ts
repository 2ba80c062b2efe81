import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import type { UserFacts } from '../../machines/vocabulary.ts';
import type { TenantSettings } from '../contract/sandbox.schema.ts';
import type { ClockSetting } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { applyToDocuments, type DocumentJournalEvent, isAboutDocuments, settleDocuments } from './document-state.ts';
import { setFaults } from './faults.ts';
import { effectiveEntries } from './history.ts';
import { type EventOf, getPreviousSeq, type JournalEntry, type JournalEvent } from './journal-event.ts';
import { addKeyRotation } from './key-rotations.ts';
import { applyToLookup, type LookupJournalEvent } from './lookup-state.ts';
import {
  clearOwnBrowser,
  hasOwnCampaign,
  noteOwnTenant,
  noteOwnUser,
  noteSavedUser,
  type OwnSandboxState,
  resetOwnLedger,
  setOwnSnooze,
} from './own-campaign-events.ts';
import { moveUser, observedMoment, settleEndedPrompts, settlePendingCloses } from './prompts.ts';
import { beginRegistration, noteRegistration, noteRegistrationPolicy } from './registration-times.ts';
import type { ReplayObserver } from './replay-observer.ts';
import type { SandboxModel } from './sandbox-model.ts';
import {
  acceptPassword,
  answerPrompt,
  answerPush,
  chooseMethod,
  completeMfa,
  completeSetup,
  keepMadePasskey,
  passInterstitial,
  sendCode,
  sendPush,
  startSignIn,
} from './sign-in-events.ts';
import { moveSignIn } from './sign-in-moves.ts';
import { createState, type SandboxState, type SignInRecord, type UserRecord, withoutCampaign } from './state.ts';
import {
  addMethod,
  addPasskey,
  changeCredential,
  putUser,
  removeMethod,
  removePasskey,
  removeUser,
} from './user-events.ts';

/**
 * Rebuilds a sandbox state from a journal, from its start or from a given state. The entries must form one history in
 * order: an entry that restores a state follows the entry that it restores.
 * @returns the state after the last entry, or `null` if there is neither a state nor an entry
 * @throws `store-corrupt` if the order has a gap or the first entry is missing
 */
export function rebuildState(entries: Iterable<JournalEntry>, from: SandboxState | null = null): SandboxState | null {
  let state = from;
  for (const entry of entries) {
    if (getPreviousSeq(entry) !== (state?.lastSeq ?? 0)) {
      throw new NudgeLabError('store-corrupt', {
        message: `Entry ${entry.seq} follows entry ${state?.lastSeq ?? 0}: entries are missing in the journal.`,
      });
    }
    if (state === null) state = begin(entry);
    else applyEvent(state, entry);
  }
  return state;
}

/**
 * Replays a whole journal with an observer, up to the time of a frozen clock, so it also observes prompts that expired
 * since the last entry. It does not observe entries that a restore abandoned. The default model is that of the
 * specification. Throws the errors of `rebuildState`.
 */
export function rebuildStateWithObserver(
  entries: readonly JournalEntry[],
  watcher: ReplayObserver,
  model?: SandboxModel,
): void {
  let state: SandboxState | null = null;
  for (const entry of effectiveEntries(entries)) {
    state = state === null ? begin(entry, model) : rebuildState([entry], state);
    if (state !== null) state.observer = watcher;
  }
  if (state !== null && !state.clock.running) settleEndedPrompts(state, state.clock.nowMs);
}

/**
 * Returns the state after the first entry of a journal. The default model is that of the specification.
 * @throws `store-corrupt` if the entry does not create a sandbox
 */
export function begin(entry: JournalEntry, model?: SandboxModel): SandboxState {
  if (entry.event.type === 'sandbox.created') return createState(entry.event, entry.atMs, model);
  throw new NudgeLabError('store-corrupt', {
    message: `The journal starts with ${entry.event.type} instead of the creation of its sandbox.`,
  });
}

/** Applies one entry. It first closes prompts that expired before the entry, under the policy at that time. */
export function applyEvent(state: SandboxState, entry: JournalEntry): void {
  settleEndedPrompts(state, entry.atMs);
  settleDocuments(state.documents, entry.atMs);
  state.logObserver?.before(state, entry);
  state.lastSeq = entry.seq;
  const { event } = entry;
  if (event.type !== 'tokens.refreshed') changeState(state, event, entry);
  state.observer?.entered?.(observedMoment(state, entry.atMs));
}

/** Event that changes the state, and not only the sign-in log. */
type StateEvent = Exclude<JournalEvent, EventOf<'tokens.refreshed'>>;

function changeState(state: SandboxState, event: StateEvent, entry: JournalEntry): void {
  if ('signInId' in event) applyToSignIn(state, event, entry);
  else if ('userId' in event) applyToUser(state, event, entry);
  else if (isAboutLookups(event)) applyToLookup(state.lookup, event, entry.atMs);
  else if (isAboutDocuments(event)) applyToDocuments(state.documents, event, entry);
  else applyToSandbox(state, event, entry);
}

type SignInInput = Extract<StateEvent, { signInId: string }>;
type UserEvent = Exclude<Extract<StateEvent, { userId: string }>, SignInInput>;
type SandboxEvent = Exclude<StateEvent, SignInInput | UserEvent | LookupJournalEvent | DocumentJournalEvent>;

function isAboutLookups(event: JournalEvent): event is LookupJournalEvent {
  return event.type.startsWith('lookup.');
}

function applyToSandbox(state: SandboxState, event: SandboxEvent, { seq, atMs }: JournalEntry): void {
  switch (event.type) {
    case 'clock.set':
      setClock(state, event.clock);
      return;
    case 'state.restored':
      setClock(state, event.clock);
      // This version is higher than all earlier ones, so abandoned versions never match later ones.
      state.tenantVersion = state.lastSeq;
      return;
    case 'tenant.changed':
      changeTenant(state, event, atMs);
      return;
    case 'user.saved':
      saveUser(state, event.user, atMs);
      return;
    case 'faults.set':
      setFaults(state, event.faults);
      return;
    case 'token.revoked':
      state.revokedTokens.add(event.tokenId);
      return;
    case 'keys.rotated':
      state.keyRotations = addKeyRotation(state.keyRotations, {
        seq,
        atMs,
        ...(event.alg === undefined ? {} : { alg: event.alg }),
      });
      return;
    case 'sandbox.created':
      throw new NudgeLabError('store-corrupt', { message: 'The journal creates its sandbox twice.' });
  }
}

/** Adds or replaces a user, with the times of the added methods. */
function saveUser(state: SandboxState, saved: EventOf<'user.saved'>['user'], atMs: number): void {
  const known = state.users.get(saved.id);
  const before = known === undefined ? null : { facts: known.facts, profile: known.profile };
  putUser(state, saved, atMs);
  const user = getUser(state, saved.id);
  if (before === null) return beginRegistration(state, user, atMs);
  if (hasOwnCampaign(state)) noteSavedUser(state, before.facts, atMs);
  noteRegistration(state, user, before, atMs);
}

function applyToUser(state: SandboxState, event: UserEvent, entry: JournalEntry): void {
  const user = state.users.edit(event.userId);
  const before = user === undefined ? null : { facts: user.facts, profile: user.profile };
  changeUser(state, event, entry);
  if (user !== undefined && before !== null && hasOwnCampaign(state)) noteOwnChange(state, before.facts, event, entry);
  if (user !== undefined && before !== null) noteRegistration(state, user, before, entry.atMs);
}

/** Notes a change of a user that matters to the own campaign: of the facts, or of the methods. */
function noteOwnChange(
  state: OwnSandboxState,
  before: UserFacts,
  event: UserEvent,
  { atMs: nowMs }: JournalEntry,
): void {
  const after = state.users.get(event.userId)?.facts;
  if (after === undefined || after === before) return;
  const isRemoval =
    event.type === 'method.removed' || (event.type === 'passkey.removed' && after.passkeys.length === 0);
  if (event.type !== 'snooze.set') noteOwnUser(state, before, { isRemoval, nowMs });
}

function changeUser(state: SandboxState, event: UserEvent, { atMs }: JournalEntry): void {
  switch (event.type) {
    case 'user.removed':
      removeUser(state, event.userId);
      return;
    case 'snooze.set': {
      const { type, count, snoozedAtMs } = event;
      if (hasOwnCampaign(state)) setOwnSnooze(state, event.userId, { count, snoozedAtMs });
      moveUser(state, getUser(state, event.userId), { type, count, snoozedAtMs });
      return;
    }
    case 'method.removed':
      removeMethod(state, getUser(state, event.userId), event.method, atMs);
      return;
    case 'method.added':
      addMethod(state, getUser(state, event.userId), event.method);
      return;
    case 'passkey.added':
      addPasskey(state, getUser(state, event.userId), event);
      return;
    case 'passkey.removed':
      removePasskey(state, getUser(state, event.userId), event.place, atMs);
      return;
    case 'passkey.renamed':
      changeCredential(getUser(state, event.userId), event.credentialId, { name: event.name });
      return;
    case 'user.directoryChanged': {
      const user = getUser(state, event.userId);
      state.users.setProfile(user, { ...user.profile, directory: event.directory });
      return;
    }
    case 'nextSignIn.set':
      state.nextSignIns.set(event.userId, event.attempt);
      return;
    case 'pendingClose.settled':
      settlePendingCloses(state, getUser(state, event.userId), atMs);
      return;
    case 'browser.cleared':
      if (hasOwnCampaign(state)) clearOwnBrowser(state, event.userId, atMs);
      return;
    case 'ledger.reset':
      if (hasOwnCampaign(state)) resetOwnLedger(state, event.userId, atMs);
      return;
  }
}

function applyToSignIn(state: SandboxState, event: SignInInput, entry: JournalEntry): void {
  if (event.type === 'signIn.started') {
    startSignIn(state, event, getUser(state, event.userId), entry);
    return;
  }
  const signIn = getSignIn(state, event.signInId);
  const user = getUser(state, signIn.userId);
  const before = { facts: user.facts, profile: user.profile };
  signIn.entries.push(entry.seq);
  continueSignIn(state, event, { entry, signIn, user });
  noteRegistration(state, user, before, entry.atMs);
}

interface ContinuedSignIn {
  readonly entry: JournalEntry;
  readonly signIn: SignInRecord;
  readonly user: UserRecord;
}

function continueSignIn(
  state: SandboxState,
  event: Exclude<SignInInput, { type: 'signIn.started' }>,
  { entry, signIn, user }: ContinuedSignIn,
): void {
  switch (event.type) {
    case 'password.accepted':
      return acceptPassword(state, signIn, user, entry);
    case 'mfa.methodListOpened':
      return moveSignIn(state, signIn, { type: event.type });
    case 'mfa.methodChosen':
      return chooseMethod(state, signIn, user, event);
    case 'code.sent':
      return sendCode(state, signIn);
    case 'push.sent':
      sendPush(state, signIn);
      return moveSignIn(state, signIn, { type: event.type });
    case 'push.answered':
      return answerPush(signIn, event.approved);
    case 'mfa.completed':
      return completeMfa(state, signIn, user, event, entry.atMs);
    case 'passkey.created':
      return keepMadePasskey(state, signIn, event);
    case 'interstitial.passed':
      return passInterstitial(state, signIn);
    case 'setup.completed':
      return completeSetup(state, signIn, user, event, entry.atMs);
    default:
      return answerPrompt(state, signIn, user, event, entry.atMs);
  }
}

function setClock(state: SandboxState, clock: ClockSetting): void {
  state.clock = clock;
  state.lastAtMs = clock.running ? Number.NEGATIVE_INFINITY : clock.nowMs;
}

/** Returns `true` for a change of the names on the wire alone, which is no change of the tenant. */
function changesOnlyDialect({ facts, extras, settings }: EventOf<'tenant.changed'>, before: TenantSettings): boolean {
  if (settings === undefined || extras !== undefined || Object.keys(facts).length > 0) return false;
  const { dialect, ...rest } = settings;
  const { dialect: dialectBefore, ...restBefore } = before;
  return (
    JSON.stringify(rest) === JSON.stringify(restBefore) && JSON.stringify(dialect) !== JSON.stringify(dialectBefore)
  );
}

function changeTenant(state: SandboxState, event: EventOf<'tenant.changed'>, atMs: number): void {
  const { settings } = state;
  state.settings = event.settings ?? settings;
  if (changesOnlyDialect(event, settings)) return;
  const tenant = { ...state.tenant, ...event.facts };
  state.tenant = state.own === null ? tenant : withoutCampaign(tenant);
  if (hasOwnCampaign(state)) noteOwnTenant(state, tenant, atMs);
  state.extras = event.extras ?? state.extras;
  state.tenantVersion += 1;
  state.tenantChangedAtMs = atMs;
  const { earliestMs, latestMs } = state.tenantChangedBetweenMs;
  state.tenantChangedBetweenMs = { earliestMs: Math.min(earliestMs, atMs), latestMs: Math.max(latestMs, atMs) };
  state.campaign = effectiveCampaign(state.tenant, rulesInForce(state.ruleset, atMs));
  noteRegistrationPolicy(state, atMs);
}

/**
 * Returns a user of the sandbox. Events are validated before they are appended, so a missing user means a corrupt
 * journal.
 */
function getUser(state: SandboxState, userId: string): UserRecord {
  const user = state.users.edit(userId);
  if (user === undefined)
    throw new NudgeLabError('store-corrupt', { message: 'The journal refers to a user that was never created.' });
  return user;
}

function getSignIn(state: SandboxState, signInId: string): SignInRecord {
  const signIn = state.signIns.get(signInId);
  if (signIn === undefined) {
    throw new NudgeLabError('store-corrupt', {
      message: `The journal refers to sign-in ${signInId}, which was never started.`,
    });
  }
  return signIn;
}

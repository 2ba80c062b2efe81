import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import type { ClockSetting } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { applyToDocuments, type DocumentInput, isAboutDocuments, settleDocuments } from './document-state.ts';
import { setFaults } from './faults.ts';
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
} from './fold-sign-in.ts';
import {
  addMethod,
  addPasskey,
  changeCredential,
  putUser,
  removeMethod,
  removePasskey,
  removeUser,
} from './fold-user.ts';
import { effectiveEntries } from './history.ts';
import { type InputOf, type JournalEntry, type JournalInput, predecessorOf } from './input.ts';
import { applyToLookup, type LookupInput } from './lookup-state.ts';
import { moveSignIn, moveUser, settleEndedPrompts, settleLeaves } from './prompts.ts';
import type { SandboxModel } from './sandbox-model.ts';
import { createState, type SandboxState, type SignInRecord, type UserRecord } from './state.ts';
import type { Watcher } from './watch.ts';

/**
 * Folds a journal from its beginning, or goes on from a state. Takes entries of one history, in order: an entry that restores
 * a state follows the entry it goes back to. Returns the state after the last one, `null` when there was neither a state nor
 * an entry. Throws `store-corrupt` when the order has a gap or the beginning is missing.
 */
export function fold(entries: Iterable<JournalEntry>, from: SandboxState | null = null): SandboxState | null {
  let state = from;
  for (const entry of entries) {
    if (predecessorOf(entry) !== (state?.lastSeq ?? 0)) {
      throw new NudgeLabError('store-corrupt', {
        message: `Entry ${entry.seq} follows entry ${state?.lastSeq ?? 0}: the journal has a gap.`,
      });
    }
    if (state === null) state = begin(entry);
    else applyEntry(state, entry);
  }
  return state;
}

/**
 * Folds a whole journal anew while somebody watches, up to the time at which a standing clock stands: what ended since the
 * last entry is watched too. What was abandoned by a restore is not watched. Takes the model that it is folded through, unless
 * that is the one of the specification. Throws as `fold` does.
 */
export function foldWatched(entries: readonly JournalEntry[], watcher: Watcher, model?: SandboxModel): void {
  let state: SandboxState | null = null;
  for (const entry of effectiveEntries(entries)) {
    state = state === null ? begin(entry, model) : fold([entry], state);
    if (state !== null) state.watcher = watcher;
  }
  if (state !== null && !state.clock.running) settleEndedPrompts(state, state.clock.nowMs);
}

/**
 * The state after the first entry of a journal. Takes the model that it is folded through, unless that is the one of the
 * specification. Throws `store-corrupt` when the entry does not create a sandbox.
 */
export function begin(entry: JournalEntry, model?: SandboxModel): SandboxState {
  if (entry.input.type === 'sandbox.created') return createState(entry.input, entry.atMs, model);
  throw new NudgeLabError('store-corrupt', { message: `The journal begins with ${entry.input.type}.` });
}

/** Applies one entry: prompts whose lifetime ended before it are closed first, under the policy that was in force. */
export function applyEntry(state: SandboxState, entry: JournalEntry): void {
  settleEndedPrompts(state, entry.atMs);
  settleDocuments(state.documents, entry.atMs);
  state.lastSeq = entry.seq;
  const { input } = entry;
  if ('signInId' in input) applyToSignIn(state, input, entry);
  else if ('userId' in input) applyToUser(state, input, entry);
  else if (isAboutLookups(input)) applyToLookup(state.lookup, input, entry.atMs);
  else if (isAboutDocuments(input)) applyToDocuments(state.documents, input, entry);
  else applyToSandbox(state, input, entry);
}

type SignInInput = Extract<JournalInput, { signInId: string }>;
type UserInput = Exclude<Extract<JournalInput, { userId: string }>, SignInInput>;
type SandboxInput = Exclude<JournalInput, SignInInput | UserInput | LookupInput | DocumentInput>;

function isAboutLookups(input: JournalInput): input is LookupInput {
  return input.type.startsWith('lookup.');
}

function applyToSandbox(state: SandboxState, input: SandboxInput, { atMs }: JournalEntry): void {
  switch (input.type) {
    case 'clock.set':
      setClock(state, input.clock);
      return;
    case 'state.restored':
      setClock(state, input.clock);
      // Higher than any version so far, so that what was abandoned and what follows are never taken for each other.
      state.tenantVersion = state.lastSeq;
      return;
    case 'tenant.changed':
      changeTenant(state, input, atMs);
      return;
    case 'user.put':
      putUser(state, input.user, atMs);
      return;
    case 'faults.set':
      setFaults(state, input.faults);
      return;
    case 'token.revoked':
      state.revokedTokens.add(input.tokenId);
      return;
    case 'sandbox.created':
      throw new NudgeLabError('store-corrupt', { message: 'The journal creates its sandbox twice.' });
  }
}

function applyToUser(state: SandboxState, input: UserInput, { atMs }: JournalEntry): void {
  switch (input.type) {
    case 'user.removed':
      removeUser(state, input.userId);
      return;
    case 'ledger.set': {
      const { type, count, snoozedAtMs } = input;
      moveUser(state, heldUser(state, input.userId), { type, count, snoozedAtMs });
      return;
    }
    case 'method.removed':
      removeMethod(state, heldUser(state, input.userId), input.method, atMs);
      return;
    case 'method.added':
      addMethod(state, heldUser(state, input.userId), input.method);
      return;
    case 'passkey.added':
      addPasskey(state, heldUser(state, input.userId), input);
      return;
    case 'passkey.removed':
      removePasskey(state, heldUser(state, input.userId), input.place, atMs);
      return;
    case 'passkey.renamed':
      changeCredential(heldUser(state, input.userId), input.credentialId, { name: input.name });
      return;
    case 'nextSignIn.set':
      state.nextSignIns.set(input.userId, input.attempt);
      return;
    case 'leaves.settled':
      settleLeaves(state, heldUser(state, input.userId), atMs);
      return;
  }
}

function applyToSignIn(state: SandboxState, input: SignInInput, entry: JournalEntry): void {
  if (input.type === 'signIn.started') {
    startSignIn(state, input, heldUser(state, input.userId), entry);
    return;
  }
  const signIn = heldSignIn(state, input.signInId);
  const user = heldUser(state, signIn.userId);
  signIn.entries.push(entry.seq);
  switch (input.type) {
    case 'password.accepted':
      return acceptPassword(state, signIn, user, entry);
    case 'mfa.choiceOpened':
      return moveSignIn(state, signIn, { type: input.type });
    case 'mfa.methodChosen':
      return chooseMethod(state, signIn, user, input);
    case 'code.sent':
      return sendCode(state, signIn);
    case 'push.sent':
      sendPush(state, signIn);
      return moveSignIn(state, signIn, { type: input.type });
    case 'push.answered':
      return answerPush(signIn, input.approved);
    case 'mfa.completed':
      return completeMfa(state, signIn, user, input, entry.atMs);
    case 'passkey.created':
      return keepMadePasskey(state, signIn, input);
    case 'interstitial.passed':
      return passInterstitial(state, signIn);
    case 'setup.completed':
      return completeSetup(state, signIn, user, input);
    default:
      return answerPrompt(state, signIn, user, input, entry.atMs);
  }
}

function setClock(state: SandboxState, clock: ClockSetting): void {
  state.clock = clock;
  state.lastAtMs = clock.running ? Number.NEGATIVE_INFINITY : clock.nowMs;
}

function changeTenant(state: SandboxState, input: InputOf<'tenant.changed'>, atMs: number): void {
  state.tenant = { ...state.tenant, ...input.facts };
  state.settings = input.settings ?? state.settings;
  state.extras = input.extras ?? state.extras;
  state.tenantVersion += 1;
  state.tenantChangedAtMs = atMs;
  const { earliestMs, latestMs } = state.tenantChangedBetweenMs;
  state.tenantChangedBetweenMs = { earliestMs: Math.min(earliestMs, atMs), latestMs: Math.max(latestMs, atMs) };
  state.campaign = effectiveCampaign(state.tenant, state.ruleset);
}

/** Inputs are accepted only for users the sandbox holds, so a missing one means that the journal is not whole. */
function heldUser(state: SandboxState, userId: string): UserRecord {
  const user = state.users.get(userId);
  if (user === undefined)
    throw new NudgeLabError('store-corrupt', { message: 'The journal names a user it never put.' });
  return user;
}

function heldSignIn(state: SandboxState, signInId: string): SignInRecord {
  const signIn = state.signIns.get(signInId);
  if (signIn === undefined) {
    throw new NudgeLabError('store-corrupt', {
      message: `The journal names sign-in ${signInId}, which it never began.`,
    });
  }
  return signIn;
}

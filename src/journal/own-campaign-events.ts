import { emptyEntry } from '../../machines/own/ledger.ts';
import type { ActionResult, OwnCampaign } from '../../machines/own/own-campaign.ts';
import type { OwnAttempt } from '../../machines/own/own-facts.ts';
import { rulesAt } from '../../machines/own/own-ruleset.ts';
import {
  collectInput,
  endsAtMs,
  type OpenOwnPrompt,
  type RegisteredItem,
  registeredItems,
} from '../../machines/own/own-state.ts';
import type { Facts, Passkey, SnoozeRecord, TenantFacts, UserFacts } from '../../machines/vocabulary.ts';
import type { SessionInput } from '../contract/context.schema.ts';
import { clearedBrowsersMax, ownSessionsMax } from '../core/limits.ts';
import { fnv1a32 } from '../core/random.ts';
import type { EventOf } from './journal-event.ts';
import { nameBrowser, toOwnAttempt, toOwnTenant, toOwnUser } from './own-campaign-facts.ts';
import type { OwnCampaignState } from './own-campaign-state.ts';
import { seedLedger } from './own-ledger.ts';
import { moveSignIn, notePromptEnd } from './sign-in-moves.ts';
import type { SandboxState, SignInRecord } from './state.ts';

/** Events of an own campaign: each calls the campaign of `machines/own`, and the sign-ins follow its effects. */

/** State of a sandbox with an own campaign. */
export type OwnSandboxState = SandboxState & { readonly own: OwnCampaignState };

/** Returns true if a sandbox has an own campaign. */
export function hasOwnCampaign(state: SandboxState): state is OwnSandboxState {
  return state.own !== null;
}

/** Closes the prompts that expired by a time, and applies the editions that have begun. Reads do this as well as events. */
export function settleOwnPrompts(state: OwnSandboxState, nowMs: number): void {
  const { own, promptEnds } = state;
  const [first] = promptEnds.values();
  const isDue = first !== undefined && first.endsAtMs <= nowMs;
  if (!isDue && rulesAt(own.ruleset, nowMs).edition === own.edition) return;
  perform(state, own.users.open, (campaign) => campaign.passTime(nowMs));
}

/** Settles the pending closes of a user, as the user's next sign-in does (A41). */
export function settleOwnCloses(state: OwnSandboxState, userId: string, nowMs: number): void {
  if (!state.own.users.open.includes(userId)) return;
  perform(state, [userId], (campaign) => campaign.settlePendingCloses(userId, nowMs));
}

/** Evaluates a sign-in once, on the current facts. If a prompt is shown, it opens in the campaign. */
export function evaluateOwnSignIn(state: OwnSandboxState, signIn: SignInRecord, facts: Facts): void {
  const { own } = state;
  const { userId } = signIn;
  const { nowMs } = facts.attempt;
  own.signIns += 1;
  const attempt = createOwnAttempt(own, facts, { id: signIn.id, number: own.signIns, ...signIn.session });
  rememberSession(own, userId, attempt);
  seedLedger(own, userId, facts.user.snooze);
  settleOwnCloses(state, userId, nowMs);
  const { facts: read, entries } = collectInput(own, own.users.keep(userId), attempt);
  const kept = { ...read.kept, signInTimesMs: own.countsSignIns ? [...read.kept.signInTimesMs] : [] };
  const verdict = perform(state, [userId], (campaign) => campaign.signIn(userId, attempt));
  const { outcome, reason, edition, method, deadlineAtMs } = verdict;
  const meaning = [own.ruleset.id, edition ?? '', outcome, reason ?? '', method, deadlineAtMs ?? ''];
  signIn.evaluation = {
    facts,
    outcome,
    reason,
    campaign: state.campaign,
    digest: fnv1a32(meaning.join('|')).toString(16).padStart(8, '0'),
    own: { attempt, kept, entries },
  };
  if (outcome !== 'skippable' && outcome !== 'required') return;
  notePromptEnd(state, signIn.id, userId, endsAtMs(own.ruleset, { shownAtMs: nowMs }));
}

/** Parts of an attempt that an own campaign derives from the sign-in: its id, its number and its session. */
interface AttemptParts extends SessionInput {
  readonly id: string;
  /** Number of the sign-in among those of the sandbox, from 1. */
  readonly number: number;
}

/** Returns the attempt of a sign-in as the campaign reads it (OC20). */
export function createOwnAttempt(
  { ruleset, sessions, clearedBrowsers }: Pick<OwnCampaignState, 'ruleset' | 'sessions' | 'clearedBrowsers'>,
  { attempt, user }: Pick<Facts, 'attempt' | 'user'>,
  { id, number, session = 'new', kind = 'signIn', browserId }: AttemptParts,
): OwnAttempt {
  const browser = nameBrowser(attempt);
  const cleared = clearedBrowsers.get(browser) ?? 0;
  const chosen = browserId ?? (cleared === 0 ? browser : `${browser}-${cleared + 1}`);
  const drawId = `sign-in-${number}`;
  const earlier = session === 'same' ? sessions.get(sessionKey(user.id, chosen)) : undefined;
  const sessionId = earlier ?? `session-${drawId}`;
  return toOwnAttempt(attempt, ruleset, { id, drawId, kind, sessionId, browserId: chosen });
}

function sessionKey(userId: string, browserId: string): string {
  return JSON.stringify([browserId, userId]);
}

function rememberSession({ sessions }: OwnCampaignState, userId: string, attempt: OwnAttempt): void {
  const key = sessionKey(userId, attempt.browserId);
  sessions.delete(key);
  sessions.set(key, attempt.sessionId);
  forgetOldest(sessions, ownSessionsMax);
}

function forgetOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}

type PromptEvent = EventOf<
  | 'prompt.nextSelected'
  | 'prompt.skipped'
  | 'prompt.resumed'
  | 'browser.closed'
  | 'setup.failed'
  | 'errorScreen.skipped'
>;

/** Applies an action at a prompt: the campaign determines its effect, and the sign-in follows. */
export function answerOwnPrompt(
  state: OwnSandboxState,
  { id, userId }: SignInRecord,
  event: PromptEvent,
  nowMs: number,
): void {
  const signIn = state.signIns.get(id);
  const act = (action: (campaign: OwnCampaign) => ActionResult): ActionResult => perform(state, [userId], action);
  const move = (refused: boolean): void => {
    if (signIn === undefined) return;
    if (event.type === 'prompt.skipped') moveSignIn(state, signIn, { type: event.type, refused });
    else if (event.type !== 'prompt.resumed' && event.type !== 'browser.closed') {
      moveSignIn(state, signIn, { type: event.type });
    }
  };
  switch (event.type) {
    case 'prompt.skipped': {
      const answer = event.answer ?? firstAnswer(state.own, nowMs);
      const result = act((campaign) => campaign.answer(userId, id, answer, nowMs));
      if (result !== 'answer-unknown') move(result === 'refused');
      return;
    }
    case 'prompt.nextSelected':
      act((campaign) => campaign.selectNext(userId, id, nowMs));
      return move(false);
    case 'setup.failed':
      act((campaign) => campaign.failSetup(userId, id, nowMs));
      return move(false);
    case 'errorScreen.skipped':
      if (act((campaign) => campaign.skipError(userId, id, nowMs)) !== 'refused') move(false);
      return;
    case 'prompt.resumed':
      act((campaign) => campaign.resume(userId, id, nowMs));
      return;
    case 'browser.closed':
      act((campaign) => campaign.leave(userId, id, nowMs));
      return;
  }
}

/** Returns the first answer of an own campaign, which a skip without an answer gives. */
function firstAnswer({ ruleset }: Pick<OwnCampaignState, 'ruleset'>, nowMs: number): string {
  return Object.keys(rulesAt(ruleset, nowMs).answers)[0] ?? 'skip';
}

/** Completes the setup of a prompt; other open prompts of the user are resolved (A27). */
export function completeOwnSetup(
  state: OwnSandboxState,
  { id, userId }: SignInRecord,
  passkey: Passkey | null,
  nowMs: number,
): void {
  const { methods, ask } = rulesAt(state.own.ruleset, nowMs);
  const kind = methods[ask]?.kind ?? 'form';
  const other: RegisteredItem = kind === 'passkey' ? { nothing: true } : registeredItems[kind];
  const item = passkey === null ? other : { passkey };
  perform(state, [userId], (campaign) => campaign.complete(userId, id, item, nowMs));
}

/** Notes that a user has changed in the sandbox. `isRemoval` is true if a method or the last passkey was removed. */
export function noteOwnUser(
  state: OwnSandboxState,
  before: UserFacts,
  { isRemoval, nowMs }: { readonly isRemoval: boolean; readonly nowMs: number },
): void {
  const { own } = state;
  if (!own.users.has(before.id)) return;
  perform(state, [before.id], (campaign) => {
    if (isRemoval) campaign.noteRemoval(before.id, nowMs);
    else campaign.noteUserChange(before.id, toOwnUser(before, own.ruleset), nowMs);
  });
}

/** Notes that a user was replaced: with the snooze of the new facts, and what changed in them. */
export function noteSavedUser(state: OwnSandboxState, before: UserFacts, nowMs: number): void {
  const after = state.users.get(before.id)?.facts;
  if (after === undefined) return;
  const { count, snoozedAtMs } = after.snooze;
  const isSnoozeSet = count !== before.snooze.count || snoozedAtMs !== before.snooze.snoozedAtMs;
  if (isSnoozeSet) setOwnSnooze(state, before.id, after.snooze);
  noteOwnUser(state, before, { isRemoval: false, nowMs });
}

/** Notes that the tenant has changed in the sandbox. */
export function noteOwnTenant({ own }: OwnSandboxState, tenant: TenantFacts, nowMs: number): void {
  own.campaign.changeTenant(() => toOwnTenant(tenant, own.ruleset), nowMs);
}

/** Sets the snooze of the ledger with the key `[user]`, which the facts of users show (OC25). */
export function setOwnSnooze(state: OwnSandboxState, userId: string, { count, snoozedAtMs }: SnoozeRecord): void {
  const { own } = state;
  if (!own.hasUserLedger) return;
  const key = { key: `user=${userId}`, parts: ['user'] };
  const entry = own.ledger.get(key.key) ?? emptyEntry(key);
  own.ledger.set(entry.key, { ...entry, count, snoozedAtMs, snoozedBy: snoozedAtMs === null ? null : entry.snoozedBy });
}

/** Clears the data of the browser of a user's latest sign-in: its sessions end, and it is another browser afterward. */
export function clearOwnBrowser(state: OwnSandboxState, userId: string, nowMs: number): void {
  const { own } = state;
  const { lastAttempt } = own.users.keep(userId);
  if (lastAttempt === null) return;
  perform(state, [userId], (campaign) => campaign.clearBrowser(userId, nowMs));
  const browser = nameBrowser(lastAttempt);
  const times = (own.clearedBrowsers.get(browser) ?? 0) + 1;
  own.clearedBrowsers.delete(browser);
  own.clearedBrowsers.set(browser, times);
  forgetOldest(own.clearedBrowsers, clearedBrowsersMax);
  const prefix = `[${JSON.stringify(lastAttempt.browserId)},`;
  for (const key of own.sessions.keys()) if (key.startsWith(prefix)) own.sessions.delete(key);
}

/** Clears what the ledgers keep for a user, as an administrator can (A3, OC29). */
export function resetOwnLedger(state: OwnSandboxState, userId: string, nowMs: number): void {
  perform(state, [userId], (campaign) => campaign.resetLedger(userId, nowMs));
}

/** Forgets a user who was removed from the sandbox. */
export function forgetOwnUser({ own, promptEnds }: OwnSandboxState, userId: string): void {
  for (const { id } of own.users.get(userId)?.prompts ?? []) promptEnds.delete(id);
  own.users.delete(userId);
  const part = `user=${userId}`;
  for (const key of own.ledger.keys()) if (key.split(';').includes(part)) own.ledger.delete(key);
}

/** Performs an event of the campaign on users, ends the sign-ins of closed prompts, and shows the effect in their facts. */
function perform<T>(state: OwnSandboxState, userIds: readonly string[], event: (campaign: OwnCampaign) => T): T {
  const { own } = state;
  const before = userIds.map((id) => own.users.keep(id).prompts);
  const result = event(own.campaign);
  for (const [index, id] of userIds.entries()) {
    endPrompts(state, id, before[index] ?? []);
    showInFacts(state, id);
  }
  return result;
}

function endPrompts(state: OwnSandboxState, userId: string, before: readonly OpenOwnPrompt[]): void {
  const { ended, prompts } = state.own.users.keep(userId);
  for (const { id, required, phase } of before) {
    if (prompts.some((prompt) => prompt.id === id)) continue;
    state.promptEnds.delete(id);
    const end = ended.get(id);
    const signIn = state.signIns.get(id);
    if (end === undefined || signIn === undefined) continue;
    if (end === 'resolved') moveSignIn(state, signIn, { type: 'prompt.resolved' });
    else moveSignIn(state, signIn, { type: 'prompt.expired', required: required && phase !== 'error' });
  }
  ended.clear();
}

/** Shows the state of a user and the ledger `[user]` in the user's facts and lifecycle, which other parts read. */
function showInFacts(state: OwnSandboxState, userId: string): void {
  const user = state.users.edit(userId);
  if (user === undefined) return;
  const { own } = state;
  const { count, snoozedAtMs } = own.ledger.get(`user=${userId}`) ?? { count: 0, snoozedAtMs: null };
  const { snooze } = user.facts;
  if (snooze.count !== count || snooze.snoozedAtMs !== snoozedAtMs) {
    user.facts = { ...user.facts, snooze: { count, snoozedAtMs } };
  }
  const context = { count, snoozedAtMs, openPrompts: [], registered: null };
  user.nudge = state.model.nudgeSnapshot(own.users.keep(userId).status, context);
}

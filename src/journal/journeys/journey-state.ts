import { promptEndsAtMs } from '../../../machines/nudge.machine.ts';
import type { Screen } from '../../../machines/sign-in.machine.ts';
import { completeUser } from '../../contract/complete-user.ts';
import type { AttemptInput } from '../../contract/context.schema.ts';
import type { JourneyHead, JourneyLine } from '../../contract/journey.schema.ts';
import { withoutCredentials } from '../../contract/sandbox.schema.ts';
import { parseInstant, toInstant } from '../../core/clock.ts';
import { setFaults } from '../faults.ts';
import { settleEndedPrompts } from '../prompts.ts';
import type { SandboxModel } from '../sandbox-model.ts';
import {
  createState,
  getScreen,
  getStoredNudgeState,
  isFinished,
  type SandboxState,
  type SignInRecord,
  type UserRecord,
} from '../state.ts';
import { publicPart } from './journey-events.ts';

type Unsealed<L> = L extends { readonly digest: string } ? Omit<L, 'digest'> : never;

/** Line without its digest. */
export type BareLine = Unsealed<JourneyLine>;

/** Line of the initial state of a journey. */
export type StateLine = Extract<BareLine, { kind: 'tenant' | 'user' | 'sandboxState' | 'signIn' }>;

/** First line without its digest. */
export type BareHead = Omit<JourneyHead, 'digest'>;

/**
 * Yields a state as lines: the tenant, its users with their open prompts, and the unfinished sign-ins.
 * @param userId - user to include; `null` if all users are included
 */
export function* listStateLines(state: SandboxState, userId: string | null): Generator<StateLine, void> {
  const { tenant, settings } = state;
  yield { kind: 'tenant', tenant, settings } as StateLine;
  const only = userId === null ? undefined : state.users.get(userId);
  if (only !== undefined) yield userLine(only);
  if (userId === null) for (const user of state.users.values()) yield userLine(user);
  const isMeant = (id: string): boolean => userId === null || id === userId;
  if (hasMoment(state)) {
    yield {
      kind: 'sandboxState',
      faults: state.faults,
      occurrences: state.occurrences,
      acceptedTerms: [...state.acceptedTerms].filter(isMeant),
      nextSignIns: Object.fromEntries([...state.nextSignIns].filter(([id]) => isMeant(id))),
    } as unknown as StateLine;
  }
  for (const signIn of state.signIns.values()) {
    if (!isFinished(signIn) && isMeant(signIn.userId)) yield signInLine(signIn);
  }
}

function hasMoment({ faults, acceptedTerms, nextSignIns }: SandboxState): boolean {
  return faults.length > 0 || acceptedTerms.size > 0 || nextSignIns.size > 0;
}

function userLine(user: UserRecord): StateLine {
  const { openPrompts, registered } = user.nudge.context;
  const state = getStoredNudgeState(user);
  const begins = user.facts.snooze.snoozedAtMs === null ? 'notPrompted' : 'snoozed';
  const isPlain = openPrompts.length === 0 && registered === null && state === begins;
  return {
    kind: 'user',
    user: { ...user.facts, ...withoutCredentials(user.profile) },
    ...(user.credentials.length === 0 ? {} : { credentials: user.credentials.map(publicPart) }),
    ...(isPlain ? {} : { lifecycle: { state, openPrompts, registered } }),
  } as StateLine;
}

function signInLine(signIn: SignInRecord): StateLine {
  const { screen, entries: _places, factors, origin: _ofTheLog, ...rest } = signIn;
  const made = factors.made === null ? null : { ...factors.made, credential: publicPart(factors.made.credential) };
  return {
    kind: 'signIn',
    ...rest,
    screen: getScreen(signIn),
    context: screen.context,
    factors: { ...factors, made },
  } as unknown as StateLine;
}

/**
 * Creates the initial state of a journey from its first line and its state lines.
 * @throws `ruleset-missing` for a ruleset file that is not loaded, and `bad-request` for another unknown ruleset
 */
export function createStateFromLines(head: BareHead, lines: Iterable<StateLine>, model?: SandboxModel): SandboxState {
  const parts = [...lines];
  const tenant = parts.find((line) => line.kind === 'tenant');
  if (tenant === undefined) throw new TypeError('A journey without a tenant was not rejected.');
  const users = parts.filter((line) => line.kind === 'user');
  const atMs = parseInstant(head.at) ?? 0;
  const state = createState(
    {
      type: 'sandbox.created',
      ruleset: head.ruleset,
      ...(head.rulesetDigest === undefined ? {} : { rulesetDigest: head.rulesetDigest }),
      seed: head.seed,
      clock: head.clock,
      tenant: tenant.tenant,
      settings: tenant.settings,
      users: users.map(({ user }) => completeUser(user)),
    },
    atMs,
    model,
  );
  for (const line of users) takeUpUser(state, line);
  for (const line of parts) {
    if (line.kind === 'signIn') takeUpSignIn(state, line);
    if (line.kind === 'sandboxState') takeUpMoment(state, line);
  }
  notePromptEnds(state);
  return state;
}

type LineOf<K extends StateLine['kind']> = Extract<StateLine, { kind: K }>;

type SealedSignIn = Extract<JourneyLine, { kind: 'signIn' }>;

function takeUpUser(state: SandboxState, { user, credentials, lifecycle }: LineOf<'user'>): void {
  const record = state.users.edit(user.id);
  if (record === undefined) return;
  record.credentials = credentials ?? [];
  if (lifecycle === undefined) return;
  const { openPrompts, registered } = lifecycle;
  record.nudge = state.model.nudgeSnapshot(lifecycle.state, { ...record.facts.snooze, openPrompts, registered });
}

function takeUpSignIn(state: SandboxState, line: LineOf<'signIn'>): void {
  const { kind: _kind, digest: _digest, screen, context, ...rest } = line as unknown as SignInRecord & SealedSignIn;
  const snapshot = state.model.signInSnapshot(
    screen as unknown as Screen,
    context as SignInRecord['screen']['context'],
  );
  const interstitials = [...rest.interstitials];
  state.signIns.set(line.id, { ...rest, interstitials, screen: snapshot, entries: [] });
}

function takeUpMoment(state: SandboxState, line: LineOf<'sandboxState'>): void {
  setFaults(state, line.faults);
  state.occurrences = line.occurrences;
  for (const id of line.acceptedTerms) state.acceptedTerms.add(id);
  for (const [id, attempt] of Object.entries(line.nextSignIns)) state.nextSignIns.set(id, attempt as AttemptInput);
}

function notePromptEnds(state: SandboxState): void {
  const ends = [...state.users.stored()].flatMap(({ facts, nudge }) =>
    nudge.context.openPrompts.map((prompt) => ({
      id: prompt.id,
      end: { userId: facts.id, endsAtMs: promptEndsAtMs(prompt) },
    })),
  );
  ends.sort((a, b) => a.end.endsAtMs - b.end.endsAtMs);
  for (const { id, end } of ends) state.promptEnds.set(id, end);
}

/**
 * Creates the first line of a journey from its initial state, the sandbox id, and the part of the journal with its
 * start time. The start time is separate because a clock that has just started has no time until the first event.
 */
export function createJourneyHead(
  state: SandboxState,
  sandbox: string,
  slice: JourneyHead['slice'],
  beginsAtMs: number,
): BareHead {
  settleEndedPrompts(state, state.lastAtMs);
  return {
    kind: 'journey',
    format: 'nudgelab-journey',
    version: 1,
    sandbox,
    ruleset: state.ruleset.id,
    // The recorded results are those of the loaded file, even if the journal began with another one.
    ...(state.rulesetDigests === null ? {} : { rulesetDigest: state.rulesetDigests.loaded }),
    seed: state.seed,
    at: toInstant(Number.isFinite(state.lastAtMs) ? state.lastAtMs : beginsAtMs),
    clock: state.clock,
    slice,
  };
}

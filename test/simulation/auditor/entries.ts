import {
  type Campaign,
  type Clock,
  type ExpectedState,
  getMethod,
  hasSnoozeLeft,
  isSnoozing,
  type Person,
  type PersonState,
  type Prompt,
  type Tenant,
  type Visit,
} from './expected-state.ts';
import { computeOutcome } from './outcome.ts';
import { expireBy, settleLeft } from './settling.ts';

/** Journal entry in its JSON form. */
export interface Entry {
  readonly seq: number;
  readonly atMs: number;
  // biome-ignore lint/suspicious/noExplicitAny: the auditor reads JSON and shares no type with what wrote it.
  readonly event: any;
}

type Given = Entry['event'];

/** Creates the expected state of a new sandbox from the first entry of its journal. */
export function createExpectedState({ seq, atMs, event }: Entry): ExpectedState {
  const people = new Map<string, Person>();
  for (const user of event.users) people.set(user.id, newPerson(user));
  return { seq, atMs, clock: event.clock, tenant: event.tenant, people, visits: new Map() };
}

function newPerson(user: Given): Person {
  const { id, methods, passkeys, mfaCapable, snooze } = user;
  const state = snooze.snoozedAtMs === null ? 'notPrompted' : 'snoozed';
  return {
    id,
    methods,
    passkeys,
    mfaCapable,
    count: snooze.count,
    snoozedAtMs: snooze.snoozedAtMs,
    state,
    registered: null,
    prompts: [],
  };
}

/**
 * Applies one entry to the expected state. Earlier expected states are needed for entries that restore one of them.
 */
export function enter(
  before: ExpectedState,
  entry: Entry,
  bookAt: (seq: number) => ExpectedState | undefined,
): ExpectedState {
  const { seq, atMs, event } = entry;
  if (event.type === 'state.restored') {
    const then = bookAt(event.toSeq);
    if (then === undefined) throw new Error(`Entry ${seq} restores ${event.toSeq}, which does not exist.`);
    // Prompts that had expired at the time that the clock returns to remain expired.
    return { ...expireBy(then, clockAt(event.clock, atMs)), seq, atMs, clock: event.clock };
  }
  const expected = { ...expireBy(before, atMs), seq, atMs };
  if ('signInId' in event) return enterSignIn(expected, event, atMs);
  switch (event.type) {
    case 'clock.set':
      return { ...expected, clock: event.clock };
    case 'tenant.changed':
      return { ...expected, tenant: { ...expected.tenant, ...(event.facts as Partial<Tenant>) } };
    case 'snooze.set':
      return withPerson(expected, event.userId, (person) => ({
        ...person,
        count: event.count,
        snoozedAtMs: event.snoozedAtMs,
        state: stateWithSnooze(person, event.snoozedAtMs),
      }));
    case 'pendingClose.settled':
      return settleLeft(expected, event.userId);
    case 'method.removed':
      return withPerson(expected, event.userId, (person) => removeMethod(expected, person, event.method, atMs));
    default:
      throw new Error(`The auditor knows no entry of type ${event.type}.`);
  }
}

/** A3: a nudge status that is set determines whether a user is snoozed, except if registered or at a prompt. */
function stateWithSnooze({ state, prompts }: Person, snoozedAtMs: number | null): PersonState {
  if (state === 'registered') return state;
  if (prompts.length === 0) return snoozedAtMs === null ? 'notPrompted' : 'snoozed';
  return state === 'snoozed' && snoozedAtMs === null ? 'prompted' : state;
}

function clockAt(clock: Clock, atMs: number): number {
  return clock.running ? atMs : clock.nowMs;
}

/** A38: after removal of the registered method, a user is prompted again. A running snooze continues. */
function removeMethod(expected: ExpectedState, person: Person, method: string, nowMs: number): Person {
  const without = {
    ...person,
    methods: person.methods.filter((candidate) => candidate !== method),
    passkeys: method === 'fido2' ? [] : person.passkeys,
  };
  const targeted = method === 'authenticator-push' ? 'vendorAuthenticator' : method;
  if (person.state !== 'registered' || person.registered !== targeted) return without;
  return {
    ...without,
    registered: null,
    state: isSnoozing(person, expected.tenant, nowMs) ? 'snoozed' : 'notPrompted',
  };
}

function withPerson(expected: ExpectedState, userId: string, change: (person: Person) => Person): ExpectedState {
  const person = expected.people.get(userId);
  if (person === undefined) throw new Error(`The journal speaks of ${userId}, whom no one put there.`);
  return { ...expected, people: new Map(expected.people).set(userId, change(person)) };
}

function withVisit(expected: ExpectedState, visit: Visit): ExpectedState {
  return { ...expected, visits: new Map(expected.visits).set(visit.id, visit) };
}

function enterSignIn(expected: ExpectedState, event: Given, nowMs: number): ExpectedState {
  if (event.type === 'signIn.started') return startVisit(settleLeft(expected, event.userId), event, nowMs);
  const visit = expected.visits.get(event.signInId);
  if (visit === undefined) throw new Error(`The journal speaks of sign-in ${event.signInId}, which never began.`);
  switch (event.type) {
    case 'password.accepted':
      return visit.mfaCompleted ? withVisit(expected, { ...visit, screen: 'mfa' }) : evaluated(expected, visit, nowMs);
    case 'mfa.completed':
      return evaluated(expected, visit, nowMs);
    default:
      return answered(expected, visit, event, nowMs);
  }
}

function startVisit(expected: ExpectedState, { signInId, userId, attempt }: Given, nowMs: number): ExpectedState {
  const visit: Visit = {
    id: signInId,
    userId,
    screen: 'password',
    outcome: null,
    method: null,
    stuck: false,
    os: attempt.os ?? 'windows',
    ssoSession: attempt.ssoSession ?? false,
    mfaCompleted: attempt.mfa?.completed ?? true,
  };
  return visit.ssoSession ? evaluated(expected, visit, nowMs) : withVisit(expected, visit);
}

function evaluated(expected: ExpectedState, visit: Visit, nowMs: number): ExpectedState {
  const outcome = computeOutcome(expected, visit, nowMs);
  if (outcome === 'none') return withVisit(expected, { ...visit, outcome, screen: 'notNudged' });
  const method = getMethod(expected.tenant) ?? 'vendorAuthenticator';
  const required = outcome === 'required';
  const prompt: Prompt = { id: visit.id, method, shownAtMs: nowMs, required, failed: false, leftAtMs: null };
  return withPerson(
    withVisit(expected, { ...visit, outcome, method, screen: required ? 'required' : 'prompt' }),
    visit.userId,
    (person) => ({
      ...person,
      prompts: [...person.prompts, prompt],
      state: required ? 'registrationRequired' : 'prompted',
    }),
  );
}

/**
 * Applies an action at a prompt. An open prompt changes its user; a closed one only changes the page (A26, A27,
 * A40).
 */
function answered(expected: ExpectedState, visit: Visit, event: Given, nowMs: number): ExpectedState {
  const person = expected.people.get(visit.userId);
  const prompt = person?.prompts.find(({ id }) => id === visit.id);
  if (person === undefined || prompt === undefined) return withVisit(expected, late(visit, event.type));
  const changed = (change: Partial<Prompt>, screen: string, state = person.state): ExpectedState =>
    withPerson(withVisit(expected, { ...visit, screen }), person.id, () => ({
      ...person,
      state,
      prompts: person.prompts.map((one) => (one.id === prompt.id ? { ...one, ...change } : one)),
    }));
  switch (event.type) {
    case 'prompt.nextSelected':
      return changed({ failed: false, leftAtMs: null }, 'setup');
    case 'setup.failed':
      return changed({ failed: true, leftAtMs: null }, 'errorScreen');
    case 'browser.closed':
      return changed({ leftAtMs: nowMs }, visit.screen);
    case 'prompt.resumed':
      return changed({ leftAtMs: null }, visit.screen);
    case 'prompt.skipped':
      if (!hasSnoozeLeft(person, expected.tenant))
        return changed({ required: true, leftAtMs: null }, 'required', 'registrationRequired');
      return withPerson(withVisit(expected, { ...visit, screen: 'signedIn' }), person.id, () => ({
        ...without(person, prompt),
        count: person.count + 1,
        snoozedAtMs: nowMs,
        state: 'snoozed',
      }));
    case 'errorScreen.skipped':
      return withPerson(withVisit(expected, { ...visit, screen: 'signedIn' }), person.id, () =>
        restAfterError(expected.tenant, without(person, prompt), nowMs),
      );
    case 'setup.completed':
      return registered(expected, visit, prompt, event.passkey);
    default:
      throw new Error(`The auditor knows no answer of type ${event.type}.`);
  }
}

function late(visit: Visit, type: string): Visit {
  if (visit.screen === 'resolved') return { ...visit, screen: 'signedIn' };
  if (visit.screen === 'expired' && type === 'prompt.skipped' && !visit.stuck) return { ...visit, screen: 'signedIn' };
  return visit;
}

function without(person: Person, prompt: Prompt): Person {
  return { ...person, prompts: person.prompts.filter(({ id }) => id !== prompt.id) };
}

/** A12, A13, A38: an error screen does not count. A required user remains required, and a running snooze continues. */
function restAfterError(tenant: Tenant, person: Person, nowMs: number): Person {
  if (person.state === 'registrationRequired') return person;
  if (isSnoozing(person, tenant, nowMs)) return { ...person, state: 'snoozed' };
  return { ...person, state: person.prompts.length > 0 ? 'prompted' : 'notPrompted' };
}

/** A27: a registration resolves all other prompts of the user. */
function registered(
  expected: ExpectedState,
  visit: Visit,
  prompt: Prompt,
  passkey: { readonly type: string } | null,
): ExpectedState {
  const visits = new Map(expected.visits);
  const person = expected.people.get(visit.userId);
  for (const { id } of person?.prompts ?? []) {
    const other = visits.get(id);
    if (other !== undefined) visits.set(id, { ...other, screen: id === visit.id ? 'signedIn' : 'resolved' });
  }
  return withPerson({ ...expected, visits }, visit.userId, (before) => ({
    ...before,
    prompts: [],
    state: 'registered',
    registered: prompt.method,
    methods:
      passkey === null
        ? [...before.methods.filter((candidate) => candidate !== 'authenticator-push'), 'authenticator-push']
        : before.methods,
    passkeys: passkey === null ? before.passkeys : [...before.passkeys, passkey],
  }));
}

/** Returns the campaign as the policy API returns it, with defaults for values that are not set. */
export function shownCampaign(campaign: Campaign): Campaign {
  return {
    state: campaign.state ?? 'default',
    snoozeDurationInDays: campaign.snoozeDurationInDays ?? 1,
    enforceRegistrationAfterAllowedSnoozes: campaign.enforceRegistrationAfterAllowedSnoozes ?? true,
    includeTargets: campaign.includeTargets,
    excludeTargets: campaign.excludeTargets,
  };
}

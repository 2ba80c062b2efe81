import {
  type Books,
  type Campaign,
  type Clock,
  hasSnoozeLeft,
  isSnoozing,
  methodOf,
  type Person,
  type PersonState,
  type Prompt,
  type Tenant,
  type Visit,
} from './books.ts';
import { outcomeOf } from './outcome.ts';
import { expireBy, settleLeft } from './settling.ts';

/** An entry of a journal, as the JSON that it is. */
export interface Entry {
  readonly seq: number;
  readonly atMs: number;
  // biome-ignore lint/suspicious/noExplicitAny: the auditor reads JSON and shares no type with what wrote it.
  readonly event: any;
}

type Given = Entry['event'];

/** The books of a new sandbox. Takes the first entry of its journal. */
export function openBooks({ seq, atMs, event }: Entry): Books {
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

/** The books after one more entry. Takes the books of every place before it, for entries that go back to one of them. */
export function enter(before: Books, entry: Entry, bookAt: (seq: number) => Books | undefined): Books {
  const { seq, atMs, event } = entry;
  if (event.type === 'state.restored') {
    const then = bookAt(event.toSeq);
    if (then === undefined) throw new Error(`Entry ${seq} restores ${event.toSeq}, which is not there.`);
    // What had ended by the time that the clock goes back to had ended.
    return { ...expireBy(then, clockAt(event.clock, atMs)), seq, atMs, clock: event.clock };
  }
  const books = { ...expireBy(before, atMs), seq, atMs };
  if ('signInId' in event) return enterSignIn(books, event, atMs);
  switch (event.type) {
    case 'clock.set':
      return { ...books, clock: event.clock };
    case 'tenant.changed':
      return { ...books, tenant: { ...books.tenant, ...(event.facts as Partial<Tenant>) } };
    case 'ledger.set':
      return withPerson(books, event.userId, (person) => ({
        ...person,
        count: event.count,
        snoozedAtMs: event.snoozedAtMs,
        state: stateWithLedger(person, event.snoozedAtMs),
      }));
    case 'leaves.settled':
      return settleLeft(books, event.userId);
    case 'method.removed':
      return withPerson(books, event.userId, (person) => removeMethod(books, person, event.method, atMs));
    default:
      throw new Error(`The auditor knows no entry of type ${event.type}.`);
  }
}

/** A3: a ledger that is set says whether a person is snoozed, but to those who are registered or before a prompt. */
function stateWithLedger({ state, prompts }: Person, snoozedAtMs: number | null): PersonState {
  if (state === 'registered') return state;
  if (prompts.length === 0) return snoozedAtMs === null ? 'notPrompted' : 'snoozed';
  return state === 'snoozed' && snoozedAtMs === null ? 'prompted' : state;
}

function clockAt(clock: Clock, atMs: number): number {
  return clock.running ? atMs : clock.nowMs;
}

/** A38: without the method that was registered, a user is prompted anew; a snooze that runs goes on. */
function removeMethod(books: Books, person: Person, method: string, nowMs: number): Person {
  const without = {
    ...person,
    methods: person.methods.filter((held) => held !== method),
    passkeys: method === 'fido2' ? [] : person.passkeys,
  };
  const targeted = method === 'authenticator-push' ? 'vendorAuthenticator' : method;
  if (person.state !== 'registered' || person.registered !== targeted) return without;
  return { ...without, registered: null, state: isSnoozing(person, books.tenant, nowMs) ? 'snoozed' : 'notPrompted' };
}

function withPerson(books: Books, userId: string, change: (person: Person) => Person): Books {
  const person = books.people.get(userId);
  if (person === undefined) throw new Error(`The journal speaks of ${userId}, whom nobody put there.`);
  return { ...books, people: new Map(books.people).set(userId, change(person)) };
}

function withVisit(books: Books, visit: Visit): Books {
  return { ...books, visits: new Map(books.visits).set(visit.id, visit) };
}

function enterSignIn(books: Books, event: Given, nowMs: number): Books {
  if (event.type === 'signIn.started') return startVisit(settleLeft(books, event.userId), event, nowMs);
  const visit = books.visits.get(event.signInId);
  if (visit === undefined) throw new Error(`The journal speaks of sign-in ${event.signInId}, which never began.`);
  switch (event.type) {
    case 'password.accepted':
      return visit.mfaCompleted ? withVisit(books, { ...visit, screen: 'mfa' }) : judged(books, visit, nowMs);
    case 'mfa.completed':
      return judged(books, visit, nowMs);
    default:
      return answered(books, visit, event, nowMs);
  }
}

function startVisit(books: Books, { signInId, userId, attempt }: Given, nowMs: number): Books {
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
  return visit.ssoSession ? judged(books, visit, nowMs) : withVisit(books, visit);
}

function judged(books: Books, visit: Visit, nowMs: number): Books {
  const outcome = outcomeOf(books, visit, nowMs);
  if (outcome === 'none') return withVisit(books, { ...visit, outcome, screen: 'notNudged' });
  const method = methodOf(books.tenant) ?? 'vendorAuthenticator';
  const required = outcome === 'required';
  const prompt: Prompt = { id: visit.id, method, shownAtMs: nowMs, required, failed: false, leftAtMs: null };
  return withPerson(
    withVisit(books, { ...visit, outcome, method, screen: required ? 'required' : 'prompt' }),
    visit.userId,
    (person) => ({
      ...person,
      prompts: [...person.prompts, prompt],
      state: required ? 'registrationRequired' : 'prompted',
    }),
  );
}

/** An answer to a prompt: one that is open moves its user; of one that is over, the page alone goes on (A26, A27, A40). */
function answered(books: Books, visit: Visit, event: Given, nowMs: number): Books {
  const person = books.people.get(visit.userId);
  const prompt = person?.prompts.find(({ id }) => id === visit.id);
  if (person === undefined || prompt === undefined) return withVisit(books, late(visit, event.type));
  const changed = (change: Partial<Prompt>, screen: string, state = person.state): Books =>
    withPerson(withVisit(books, { ...visit, screen }), person.id, () => ({
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
    case 'prompt.returned':
      return changed({ leftAtMs: null }, visit.screen);
    case 'prompt.skipped':
      if (!hasSnoozeLeft(person, books.tenant))
        return changed({ required: true, leftAtMs: null }, 'required', 'registrationRequired');
      return withPerson(withVisit(books, { ...visit, screen: 'signedIn' }), person.id, () => ({
        ...without(person, prompt),
        count: person.count + 1,
        snoozedAtMs: nowMs,
        state: 'snoozed',
      }));
    case 'errorScreen.skipped':
      return withPerson(withVisit(books, { ...visit, screen: 'signedIn' }), person.id, () =>
        restAfterError(books.tenant, without(person, prompt), nowMs),
      );
    case 'setup.completed':
      return registered(books, visit, prompt, event.passkey);
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

/** A12, A13, A38: nothing is counted; a required user stays so, a snooze that runs goes on. */
function restAfterError(tenant: Tenant, person: Person, nowMs: number): Person {
  if (person.state === 'registrationRequired') return person;
  if (isSnoozing(person, tenant, nowMs)) return { ...person, state: 'snoozed' };
  return { ...person, state: person.prompts.length > 0 ? 'prompted' : 'notPrompted' };
}

/** A27: all other prompts of the user resolve. */
function registered(books: Books, visit: Visit, prompt: Prompt, passkey: { readonly type: string } | null): Books {
  const visits = new Map(books.visits);
  const person = books.people.get(visit.userId);
  for (const { id } of person?.prompts ?? []) {
    const other = visits.get(id);
    if (other !== undefined) visits.set(id, { ...other, screen: id === visit.id ? 'signedIn' : 'resolved' });
  }
  return withPerson({ ...books, visits }, visit.userId, (before) => ({
    ...before,
    prompts: [],
    state: 'registered',
    registered: prompt.method,
    methods:
      passkey === null
        ? [...before.methods.filter((held) => held !== 'authenticator-push'), 'authenticator-push']
        : before.methods,
    passkeys: passkey === null ? before.passkeys : [...before.passkeys, passkey],
  }));
}

/** The campaign as the policy API shows it: with the defaults in the place of what is not set. */
export function shownCampaign(campaign: Campaign): Campaign {
  return {
    state: campaign.state ?? 'default',
    snoozeDurationInDays: campaign.snoozeDurationInDays ?? 1,
    enforceRegistrationAfterAllowedSnoozes: campaign.enforceRegistrationAfterAllowedSnoozes ?? true,
    includeTargets: campaign.includeTargets,
    excludeTargets: campaign.excludeTargets,
  };
}

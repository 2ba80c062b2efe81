import type { AttemptFacts, Facts, TenantFacts, UserFacts, VerdictOutcome } from '../../../../machines/vocabulary.ts';
import { completeAttempt } from '../../../contract/attempt-facts.ts';
import type { UserProfile } from '../../../contract/sandbox.schema.ts';
import { finishedSignInsMax, unfinishedSignInsMax } from '../../../core/limits.ts';
import { NumberList } from '../../../core/number-list.ts';
import type { EventOf, JournalEntry, SignInOrigin } from '../../../journal/journal-event.ts';
import { getScreen, type SandboxState, type SignInRecord } from '../../../journal/state.ts';
import { LogRecords } from './log-records.ts';
import { listLeads } from './row-leads.ts';

/** Evaluated sign-in as the sign-in log shows it. */
export interface LoggedSignIn {
  readonly id: string;
  /** Returns the id of an signInError by its code, unless it is formed from the id of the sign-in. */
  readonly getEarlierRowId?: (errorCode: number) => string;
  /** Sequence number of the entry that led to the evaluation. */
  readonly seq: number;
  readonly attempt: AttemptFacts;
  readonly origin: SignInOrigin;
  readonly user: UserFacts;
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly tenant: TenantFacts;
  readonly isCompliant: boolean;
  /** `true` if the sign-in ended with the page "Stay signed in?". */
  readonly asksToStay: boolean;
  /** Returns how it ended. A synthetic sign-in is evaluated only then, because most filters reject it before. */
  readonly getEnd: () => SignInEnd;
}

/** End of a sign-in. */
export interface SignInEnd {
  readonly outcome: VerdictOutcome;
  /** `true` if the user was signed in. */
  readonly isSignedIn: boolean;
}

/** Sign-in to append. */
interface NewSignIn {
  readonly id: string;
  readonly seq: number;
  readonly facts: Facts;
  readonly outcome: VerdictOutcome;
  readonly origin: SignInOrigin;
  readonly profile: UserProfile;
}

/** Id, person, attempt, device, origin, outcome, tenant, compliance, and "Stay signed in?". */
type SignInText = readonly [string, number, number, string, number, VerdictOutcome, number, 0 | 1, 0 | 1];

interface Person {
  readonly facts: UserFacts;
  readonly userPrincipalName: string;
  readonly displayName: string;
}

type SharedAttempt = Omit<AttemptFacts, 'nowMs' | 'deviceId'>;

/** Screens after which the user is signed in. */
const signedInScreens: ReadonlySet<string> = new Set(['signedIn', 'notNudged', 'resolved']);

/** Distinct values, which records refer to by number. */
class Distinct<T> {
  readonly #numbers = new Map<string, number>();
  readonly #values: T[] = [];

  add(value: T): number {
    const text = JSON.stringify(value);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#values.push(value) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  at(number: number): T {
    const value = this.#values[number];
    if (value === undefined) throw new RangeError('A record of the sign-in log refers to an unknown value.');
    return value;
  }
}

/** Evaluated sign-ins of a sandbox in the order of the journal. */
export class SignInRecords {
  readonly records = new LogRecords();
  readonly #people = new LogRecords();
  readonly #knownPeople = new WeakMap<UserFacts, { readonly profile: object; readonly number: number }>();
  readonly #tenants: TenantFacts[] = [];
  readonly #attempts = new Distinct<SharedAttempt>();
  readonly #origins = new Distinct<SignInOrigin>();
  /** For each record, the entry after which the user was signed in, or 0. */
  readonly #signedInSeqs = new NumberList('uint32');
  /** Records whose user is not signed in yet, by the id of the sign-in. */
  readonly #open = new Map<string, number>();

  /** Adds an evaluated sign-in. */
  add(state: SandboxState, { id, evaluation, origin, userId }: SignInRecord, seq: number): void {
    const user = state.users.get(userId);
    if (evaluation === null || user === undefined) return;
    const { facts, outcome } = evaluation;
    this.#append(state, { id, seq, facts, outcome, origin: origin ?? {}, profile: user.profile });
    if (this.#open.size > openMax) this.#forget(state);
  }

  /** Adds a use of a refresh token, as a noninteractive sign-in by the session that the token continues. */
  addRefresh(state: SandboxState, { userId, attempt, origin }: EventOf<'tokens.refreshed'>, entry: JournalEntry): void {
    const user = state.users.get(userId);
    if (user === undefined) return;
    const { seq, atMs } = entry;
    this.#append(state, {
      id: `r${seq}`,
      seq,
      facts: {
        tenant: state.tenant,
        user: user.facts,
        attempt: completeAttempt({ ...attempt, ssoSession: true }, user.facts, atMs),
      },
      outcome: 'none',
      origin: { ...origin, silent: true },
      profile: user.profile,
    });
  }

  #append(state: SandboxState, { id, seq, facts, outcome, origin, profile }: NewSignIn): void {
    const { nowMs, deviceId, ...attempt } = facts.attempt;
    const { context, askToStaySignedIn } = state.settings;
    const asksToStay = askToStaySignedIn === true && origin.client !== undefined && origin.silent !== true;
    const record: SignInText = [
      id,
      this.#addPerson(facts.user, profile),
      this.#attempts.add(attempt),
      deviceId,
      this.#origins.add(origin),
      outcome,
      this.#addTenant(facts.tenant),
      context?.compliantDevices.includes(deviceId) === true ? 1 : 0,
      asksToStay ? 1 : 0,
    ];
    const leadsMs = listLeads(facts.attempt, asksToStay).map((lead) => lead.leadMs);
    const index = this.records.append({ atMs: nowMs, seq, text: JSON.stringify(record), leadsMs });
    const isSignedIn = outcome === 'none';
    this.#signedInSeqs.push(isSignedIn ? seq : 0);
    if (!isSignedIn) this.#open.set(id, index);
  }

  /** Notes the screen of a sign-in. */
  move(signIn: SignInRecord, seq: number): void {
    const index = this.#open.get(signIn.id);
    if (index === undefined || !signedInScreens.has(getScreen(signIn))) return;
    this.#open.delete(signIn.id);
    this.#signedInSeqs.set(index, seq);
  }

  /** Returns a record as it was after an entry. */
  read(index: number, atSeq: number): LoggedSignIn {
    const [id, person, attempt, deviceId, origin, outcome, tenant, isCompliant, asksToStay] = JSON.parse(
      this.records.read(index),
    ) as SignInText;
    const { facts, userPrincipalName, displayName } = JSON.parse(this.#people.read(person)) as Person;
    const signedInSeq = this.#signedInSeqs.at(index);
    const tenantFacts = this.#tenants[tenant];
    if (tenantFacts === undefined) throw new RangeError('A record of the sign-in log refers to an unknown tenant.');
    return {
      id,
      seq: this.records.getSeq(index),
      attempt: { ...this.#attempts.at(attempt), deviceId, nowMs: this.records.getTime(index) },
      origin: this.#origins.at(origin),
      user: facts,
      userPrincipalName,
      displayName,
      tenant: tenantFacts,
      isCompliant: isCompliant === 1,
      asksToStay: asksToStay === 1,
      getEnd: () => ({ outcome, isSignedIn: signedInSeq > 0 && signedInSeq <= atSeq }),
    };
  }

  #addPerson(facts: UserFacts, profile: UserProfile): number {
    const known = this.#knownPeople.get(facts);
    if (known !== undefined && known.profile === profile) return known.number;
    const { userPrincipalName, displayName } = profile;
    const person: Person = { facts, userPrincipalName, displayName };
    const number = this.#people.append({ atMs: 0, seq: 0, text: JSON.stringify(person) });
    this.#knownPeople.set(facts, { profile, number });
    return number;
  }

  #addTenant(tenant: TenantFacts): number {
    const known = this.#tenants.lastIndexOf(tenant);
    return known === -1 ? this.#tenants.push(tenant) - 1 : known;
  }

  /** Removes the sign-ins that the sandbox no longer stores, which no action can follow. */
  #forget({ signIns }: SandboxState): void {
    for (const id of this.#open.keys()) if (!signIns.has(id)) this.#open.delete(id);
  }
}

/** Number of sign-ins without an end after which those that are no longer stored are removed. */
const openMax = 2 * (finishedSignInsMax + unfinishedSignInsMax);

import type { FactValue } from '../../../machines/own/own-ruleset.ts';
import { rulesAt } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser, type OpenOwnPrompt } from '../../../machines/own/own-state.ts';
import { boundaryAt } from './boundary.ts';
import { chooseInstant, isNowOnly, reachBoundary } from './choose-instant.ts';
import { copyMemory, editionEnd } from './copy-memory.ts';
import { ForecastUser, type UserMemory } from './forecast-user.ts';
import {
  capPasskeys,
  isBlank,
  ledgerTimes,
  listEarlier,
  reduceEarlier,
  reduceEntry,
  sortEntries,
} from './ledger-entries.ts';
import { NotCompiled } from './not-compiled.ts';
import type { OwnPlan, OwnSegment, OwnStart } from './own-plan.ts';
import type { OwnTimes, Role } from './own-times.ts';

/** Stored instant of a user: where it is, and its value in milliseconds. */
export interface Slot {
  readonly at: string;
  readonly role: Role;
  readonly value: number;
}

/** Users that no rule distinguishes, but for how long ago their instants are. */
export interface UserClass {
  readonly index: number;
  readonly segment: number;
  readonly start: number;
  /** Number of the instants of `absolute` that have passed. */
  readonly period: number;
  /** A user of the class, whose instants are replaced by `concrete`. */
  readonly memory: UserMemory;
  readonly slots: readonly (Pick<Slot, 'at' | 'role'> & { readonly passed: readonly boolean[] })[];
  /** True for the class of users whose instants no example was found for. */
  readonly isLost: boolean;
}

/** Event time, as the origin of an instant. Other origins are numbers of slots before the event. */
const eventOrigin = -1;

/** Class of a user after an event, with the origin of each of its instants. */
export interface Arrival {
  readonly index: number;
  readonly origins: readonly number[];
}

const dayMs = 86_400_000;

/** Classes of users, found by what the campaign does. */
export class UserClasses {
  readonly all: UserClass[] = [];
  readonly #plan: OwnPlan;
  readonly #times: OwnTimes;
  readonly #byKey = new Map<string, number>();
  readonly #usesSessions: boolean;
  readonly #absolute = new Map<string, readonly number[]>();
  readonly #cellsMax: number;

  /** Creates an empty list of classes. `cellsMax` limits the classes times the kinds of sign-ins. */
  constructor(plan: OwnPlan, times: OwnTimes, cellsMax: number) {
    this.#plan = plan;
    this.#times = times;
    this.#cellsMax = cellsMax;
    this.#usesSessions = plan.segments.some(({ kinds }) => kinds.some(({ sameSession }) => sameSession));
  }

  /** Returns the instants at which the verdicts of a user can change by themselves, within the forecast. */
  absolute(segment: number, start: number): readonly number[] {
    const key = `${segment} ${start}`;
    const known = this.#absolute.get(key);
    if (known !== undefined) return known;
    const { tenant, startMs, description } = this.#plan;
    const { user, createdAtMs } = this.#start(segment, start);
    const named = (prefix: string, values: Readonly<Record<string, FactValue>>) =>
      Object.entries(values).flatMap(([name, value]) => {
        const role = `${prefix}.${name}`;
        return typeof value === 'number' && !this.#times.changing.has(role) ? [{ role, atMs: value }] : [];
      });
    const { kinds } = this.#segment(segment);
    const constants = [
      { role: 'kept.createdAt', atMs: createdAtMs },
      ...named('tenant.facts', tenant.facts),
      ...named('tenant.settings', tenant.settings),
      ...named('user.facts', user.facts),
      ...kinds.flatMap(({ facts }) => named('attempt.facts', facts)),
    ];
    const endMs = startMs + description.days * dayMs;
    const instants = this.#times.absolute(constants).filter((atMs) => atMs > startMs && atMs <= endMs);
    this.#absolute.set(key, instants);
    return instants;
  }

  /** Returns the class of a user after an event. `before` are the instants before the event. */
  arrive(
    user: ForecastUser,
    place: Pick<UserClass, 'segment' | 'start' | 'period'>,
    { nowMs, before }: { readonly nowMs: number; readonly before: readonly Slot[] },
  ): Arrival {
    const { memory } = user;
    this.#normalize(memory, place);
    const slots = this.listSlots(memory, place);
    const parts = slots.map(({ at, role, value }) => ({
      at,
      role,
      passed: this.#times.of(role).map((one) => boundaryAt(one, value) <= nowMs),
    }));
    return { index: this.#find(memory, place, parts), origins: slots.map((slot) => findOrigin(slot, nowMs, before)) };
  }

  /**
   * Removes what no rule depends on from a memory, in place. Returns a text that is the same for all memories which differ
   * in their instants alone, and these instants.
   */
  describe(
    memory: UserMemory,
    place: Pick<UserClass, 'segment' | 'start' | 'period'>,
  ): { readonly key: string; readonly slots: readonly Slot[] } {
    this.#normalize(memory, place);
    return { key: this.#key(memory, place, []), slots: this.listSlots(memory, place) };
  }

  /** Returns the class of the users of another one after a boundary of a slot has passed, which changes nothing else. */
  pass(from: UserClass, slot: number, boundary: number): Arrival {
    const slots = from.slots.map((one, number) =>
      number === slot ? { ...one, passed: one.passed.map((has, index) => has || index === boundary) } : one,
    );
    return { index: this.#find(from.memory, from, slots), origins: slots.map((_, index) => index) };
  }

  #find(
    memory: UserMemory,
    { segment, start, period }: Pick<UserClass, 'segment' | 'start' | 'period'>,
    slots: UserClass['slots'],
  ): number {
    const place = { segment, start, period };
    const key = this.#key(
      memory,
      place,
      slots.map(({ passed }) => passed),
    );
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const index = this.all.length;
    this.#byKey.set(key, index);
    this.all.push({ index, ...place, memory, slots, isLost: false });
    if ((index + 1) * this.#segment(segment).kinds.length > this.#cellsMax) {
      throw new NotCompiled('RC3', ['ledger', 'keys'], `the users have more than ${this.#cellsMax} states`);
    }
    return index;
  }

  /** Returns the class of the users of a segment that a change of another class without an example leads to. */
  lose(from: UserClass): Arrival {
    const key = `lost ${from.segment}`;
    const index = this.#byKey.get(key) ?? this.all.length;
    this.#byKey.set(key, index);
    if (index === this.all.length) this.all.push({ ...from, index, slots: [], isLost: true });
    return { index, origins: [] };
  }

  /** Lists the instants of a user that a rule depends on, in a fixed order. */
  listSlots({ state }: UserMemory, { segment, start }: Pick<UserClass, 'segment' | 'start'>): readonly Slot[] {
    const owner = getOwnUser(state, this.#start(segment, start).user.id);
    const slots: Slot[] = [];
    const add = (at: string, role: Role, value: FactValue | undefined): void => {
      if (typeof value === 'number') slots.push({ at, role, value });
    };
    for (const entry of sortEntries(state)) {
      for (const role of ledgerTimes) add(`${entry.key}|${role}`, role, entry[role]);
    }
    for (const { id, shownAtMs, leftAtMs, earlier } of owner.prompts) {
      add(`prompt ${id}|shownAtMs`, 'shownAtMs', shownAtMs);
      add(`prompt ${id}|leftAtMs`, 'leftAtMs', leftAtMs);
      for (const { at, field, role } of listEarlier({ id }, this.#times)) add(at, role, earlier[field]);
    }
    for (const path of this.#times.changingInstants) {
      if (this.#times.uses(path)) add(path, path, owner.user.facts[path.slice(path.lastIndexOf('.') + 1)]);
    }
    if (this.#times.uses('previous')) add('previous', 'previous', owner.signInTimesMs.at(-1));
    return slots;
  }

  /**
   * Creates a user of a class at a time, with an instant of its own for each slot. `due` names a slot and a boundary
   * that is reached at exactly this time. Returns `null` if there is no such user.
   */
  concrete(
    { segment, start, memory, slots }: UserClass,
    nowMs: number,
    due: { readonly slot: number; readonly boundary: number } | null = null,
  ): { readonly user: ForecastUser; readonly before: readonly Slot[] } | null {
    const chosen: (Slot & { readonly number: number })[] = [];
    const stored = this.listSlots(memory, { segment, start });
    const inOrder = slots.map((slot, number) => ({ ...slot, number })).toSorted((a, b) => rank(a.role) - rank(b.role));
    const isStoredNow = slots.some(
      ({ role, passed }) => role !== 'shownAtMs' && isNowOnly(this.#times.of(role), role, passed),
    );
    // A page was closed under the edition of that time, and after everything that the campaign has stored.
    let latestMs = nowMs;
    for (const { at, role, passed, number } of inOrder) {
      if (role === 'leftAtMs')
        latestMs = Math.min(latestMs, editionEnd(this.#plan.ruleset, stored[number]?.value ?? nowMs));
      const isNow = role === 'leftAtMs' ? isStoredNow : isNowOnly(this.#times.of(role), role, passed);
      const limits = { passed, nowMs, latestMs: role.includes('.') ? Number.POSITIVE_INFINITY : latestMs };
      const value =
        due?.slot === number
          ? reachBoundary(this.#times.of(role)[due.boundary], nowMs)
          : chooseInstant(this.#times.of(role), { ...limits, isNow }, chosen);
      if (value === null) return null;
      if (role === 'leftAtMs') latestMs = value;
      chosen.push({ at, role, value, number });
    }
    const before = chosen.toSorted((a, b) => a.number - b.number);
    const values = new Map(before.map(({ at, value }) => [at, value]));
    const copy = copyMemory(memory, this.#start(segment, start).user.id, { values, nowMs, times: this.#times });
    return { user: new ForecastUser(this.#segment(segment), this.#start(segment, start), copy), before };
  }

  /** Returns true if users of a class have a closed page whose prompt ends before a time. */
  endsBefore({ segment, start, slots, memory: { state } }: UserClass, nowMs: number): boolean {
    const { ruleset } = this.#plan;
    const { longestLifetimeMs } = this.#times;
    // What has passed since the page was closed has passed within the lifetime of its prompt.
    const passedLongAgo = slots.some(
      ({ role, passed }) =>
        role === 'leftAtMs' &&
        this.#times
          .of(role)
          .some((one, at) => passed[at] === true && boundaryAt(one, nowMs - longestLifetimeMs) > nowMs),
    );
    if (passedLongAgo) return true;
    return getOwnUser(state, this.#start(segment, start).user.id).prompts.some(
      ({ leftAtMs }) => leftAtMs !== null && editionEnd(ruleset, leftAtMs) + longestLifetimeMs <= nowMs,
    );
  }

  /** Removes what no rule depends on, in place. */
  #normalize(
    { state, sessions, promptKinds }: UserMemory,
    { segment, start }: Pick<UserClass, 'segment' | 'start'>,
  ): void {
    const { caps } = this.#times;
    const owner = getOwnUser(state, this.#start(segment, start).user.id);
    const live = new Set(this.#usesSessions ? sessions.values() : []);
    for (const entry of [...state.ledger.values()]) {
      const kept = reduceEntry(entry, this.#times, live);
      if (isBlank(kept)) state.ledger.delete(entry.key);
      else state.ledger.set(entry.key, kept);
    }
    owner.prompts = owner.prompts.map((prompt) => ({ ...prompt, earlier: reduceEarlier(prompt, this.#times) }));
    owner.user = {
      ...owner.user,
      methods: owner.user.methods.toSorted(),
      passkeys: capPasskeys(owner.user.passkeys, caps.passkeys),
      facts: Object.fromEntries(
        Object.entries(owner.user.facts).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.toSorted() : value,
        ]),
      ),
    };
    owner.ended.clear();
    owner.lastAttempt = null;
    const signIns = Math.min(owner.signInTimesMs.length, Math.max(caps.signIns, this.#times.uses('previous') ? 1 : 0));
    owner.signInTimesMs.splice(0, owner.signInTimesMs.length - signIns);
    if (!this.#usesSessions) sessions.clear();
    const open = new Set(owner.prompts.map(({ id }) => id));
    for (const id of [...promptKinds.keys()]) if (!open.has(id)) promptKinds.delete(id);
    this.#refuseManyPrompts(owner.prompts);
    const leftAtMs = Math.min(...owner.prompts.map((prompt) => prompt.leftAtMs ?? Number.POSITIVE_INFINITY));
    if ([...state.ledger.values()].some((entry) => ledgerTimes.some((role) => (entry[role] ?? leftAtMs) > leftAtMs))) {
      throw new NotCompiled('RC3', ['lifetime'], 'a prompt can expire between the end of another one and its answer');
    }
  }

  #refuseManyPrompts(prompts: readonly OpenOwnPrompt[]): void {
    for (const { keys } of prompts) {
      const [first] = keys;
      const same = prompts.filter((other) => other.keys[0]?.key === first?.key).length;
      if (same > promptsOfKeyMax) {
        throw new NotCompiled('RC3', ['lifetime'], `more than ${promptsOfKeyMax} prompts of one key can be open`);
      }
    }
  }

  #key(
    { state, sessions, promptKinds, turnedDown }: UserMemory,
    { segment, start, period }: Pick<UserClass, 'segment' | 'start' | 'period'>,
    passed: readonly (readonly boolean[])[],
  ): string {
    const owner = getOwnUser(state, this.#start(segment, start).user.id);
    const names = [...sessions.keys()].toSorted();
    const session = (id: string): number => names.findIndex((name) => sessions.get(name) === id);
    const facts = Object.entries(owner.user.facts).map(([name, value]) =>
      this.#times.changingInstants.has(`user.facts.${name}`) && typeof value === 'number'
        ? [name, 'time']
        : [name, value],
    );
    const { id, type, groups, methods, passkeys, mfaCapable } = owner.user;
    return JSON.stringify([
      segment,
      period,
      this.absolute(segment, start),
      [id, type, groups, methods, passkeys.map((one) => one.type), mfaCapable, facts],
      this.#times.uses('kept.createdAt') ? owner.createdAtMs : null,
      this.#start(segment, start).deviceIds,
      this.#start(segment, start).browserIds,
      owner.status,
      owner.signInTimesMs.length,
      turnedDown?.kind ?? null,
      names,
      sortEntries(state).map((entry) => [
        entry.key,
        entry.count,
        entry.snoozedBy,
        entry.never,
        entry.sessions.map(session),
        entry.shown,
        entry.qualifying,
        ledgerTimes.map((role) => entry[role] !== null),
      ]),
      owner.prompts.map(({ id: prompt, keys, required, phase, leftAtMs, leftCounts, attempt, earlier }) => [
        promptKinds.get(prompt) ?? null,
        keys.map(({ key }) => key),
        required,
        phase,
        leftAtMs === null ? null : [leftCounts, rulesAt(state.ruleset, leftAtMs).edition],
        Object.values(earlier).map((atMs) => atMs !== null),
        this.#usesSessions ? session(attempt.sessionId) : null,
      ]),
      passed.map((list) => list.map(Number).join('')),
    ]);
  }

  #segment(segment: number): OwnSegment {
    return this.#plan.segments[segment] as OwnSegment;
  }

  #start(segment: number, start: number): OwnStart {
    return this.#segment(segment).users[start] as OwnStart;
  }
}

/** A page is closed after everything that the ledger has, because the next sign-in settles it first. */
function rank(role: Role): number {
  return role === 'leftAtMs' ? 0 : 1;
}

/** Maximum number of open prompts under one key of the ledger. */
const promptsOfKeyMax = 2;

function findOrigin({ at, value }: Slot, nowMs: number, before: readonly Slot[]): number {
  const same = before.findIndex((slot) => slot.at === at && slot.value === value);
  if (same >= 0) return same;
  if (value === nowMs) return eventOrigin;
  const copied = before.findIndex((slot) => slot.value === value);
  if (copied >= 0) return copied;
  throw new NotCompiled('RC2', ['completion'], `the instant ${at} is neither the time of an event nor an earlier one`);
}

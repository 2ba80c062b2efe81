import type { LedgerEntry, LedgerKey } from '../../../machines/own/ledger.ts';
import { OwnCampaign } from '../../../machines/own/own-campaign.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from '../../../machines/own/own-facts.ts';
import { copyOwnState, getOwnUser, type OpenOwnPrompt, type OwnState } from '../../../machines/own/own-state.ts';
import type { LogEventKind } from '../../contract/conformance.schema.ts';
import type { UserEvent } from '../model/log-event.ts';
import type { OwnGiven } from './log-facts.ts';
import {
  type Interval,
  type OpenEntry,
  type OpenField,
  type OpenFields,
  type OpenPast,
  openTimes,
  representative,
} from './open-past.ts';
import { type OwnRejection, type OwnStepResult, ownLogUser } from './own-steps.ts';

/** State of a user with what is not known about it. Open fields of the ledger have their representatives. */
export interface OpenState {
  readonly state: OwnState;
  readonly past: OpenPast;
}

/** Result of one step: the states after it, and the reasons of impossible ones. */
export interface OpenResult {
  readonly next: readonly OpenState[];
  readonly rejected: readonly Pick<OwnRejection, 'rule' | 'code'>[];
}

/** Step from a state without open fields, at a time. */
export type Step = (state: OwnState, atMs: number) => OwnStepResult;

/** Tenant and user of a sign-in. */
export interface OwnerFacts {
  readonly tenant: OwnTenant;
  readonly user: OwnUser;
}

/** Time that a step stores, and the interval in which it may be. */
export interface StoredTime {
  readonly atMs: number;
  /** Interval in which no verdict changes. */
  readonly within: Interval;
}

/** Event that happens at a time. */
export interface Happening extends StoredTime {
  readonly event: UserEvent;
  readonly kind: LogEventKind;
  /** `true` for the first event of a user. */
  readonly isFirst: boolean;
}

/** Step with what it depends on. */
export interface Run extends StoredTime {
  readonly event: UserEvent;
  /** Attempts whose ledger entries are used, besides those of the open prompts. */
  readonly attempts: readonly OwnAttempt[];
  readonly step: Step;
  /** Kind of the event; `null` if only time passes. */
  readonly kind: LogEventKind | null;
  /** Tenant and user with what the event states; `null` if it states nothing. */
  readonly merged: OwnerFacts | null;
  /** `true` for an action at a prompt of a sign-in before the log, whose facts are unknown. */
  readonly isBefore?: boolean;
}

/** Lets time pass. */
export const passTime: Step = (before, atMs) => {
  const state = copyOwnState(before);
  new OwnCampaign(state).passTime(atMs);
  return { next: [state] };
};

/** Settles the closed prompts, as the next sign-in does. */
export const settle: Step = (before, atMs) => {
  const state = copyOwnState(before);
  new OwnCampaign(state).settlePendingCloses(ownLogUser, atMs);
  return { next: [state] };
};

/** Gates that depend on what earlier prompts have left. */
const ledgerGates: readonly string[] = ['X.window', 'X.never', 'X.session', 'X.cadence'];

/** Returns true if a gate stops the prompt of a sign-in whatever earlier prompts have left. */
export function stopsAnyway(before: OwnState, { tenant, user }: OwnerFacts, attempt: OwnAttempt): boolean {
  const state = copyOwnState(before);
  state.tenant = tenant;
  getOwnUser(state, ownLogUser).user = user;
  const { rules } = new OwnCampaign(state).explain(ownLogUser, attempt);
  return rules.some(({ id, outcome }) => outcome === 'stopped' && !ledgerGates.includes(id));
}

/** Returns tenant and user with what an event states of them. */
export function mergeGiven({ tenant, user }: OwnerFacts, given: OwnGiven): OwnerFacts {
  return { tenant, user: { ...user, ...given.user, id: ownLogUser, facts: { ...user.facts, ...given.user.facts } } };
}

/** Returns the key of a text. */
export function readKey(key: string): LedgerKey {
  return { key, parts: key.split(';').map((part) => part.slice(0, part.indexOf('='))) };
}

/** Returns true if a part of a key depends on an unknown fact. */
export function isUnknownPart(part: string, unknown: ReadonlySet<string>): boolean {
  switch (part) {
    case 'user':
    case 'method':
      return false;
    case 'device':
      return unknown.has('attempt.deviceId');
    case 'browser':
      return unknown.has('attempt.browserId');
    case 'ecosystem':
      return unknown.has('attempt.os');
    default:
      return unknown.has(part);
  }
}

/** Returns an entry with the representatives of its open fields. */
export function withRepresentatives(entry: LedgerEntry, open: OpenFields): LedgerEntry {
  const values = Object.entries(open).map(([field, interval]) => [field, representative(field as OpenField, interval)]);
  return { ...entry, ...Object.fromEntries(values) };
}

/** Returns a state with another entry of the ledger. */
export function withEntry({ state, past }: OpenState, { entry, open }: OpenEntry): OpenState {
  const ledger = new Map(state.ledger).set(entry.key, withRepresentatives(entry, open));
  return { state: { ...state, ledger }, past: { ...past, entries: new Map(past.entries).set(entry.key, open) } };
}

/** Returns a state in which nothing is known of some entries of the ledger. */
export function withoutEntries({ state, past }: OpenState, keys: Iterable<string>): OpenState {
  const ledger = new Map(state.ledger);
  const entries = new Map(past.entries);
  for (const key of [...keys]) {
    ledger.delete(key);
    entries.delete(key);
  }
  return { state: { ...state, ledger }, past: { ...past, entries } };
}

/** Returns a state with other values of one open field. */
export function withField(one: OpenState, key: string, field: OpenField, interval: Interval): OpenState {
  const entry = one.state.ledger.get(key);
  const open = one.past.entries.get(key);
  if (entry === undefined || open === undefined) return one;
  return withEntry(one, { entry, open: { ...open, [field]: interval } });
}

/** Returns a state with other open prompts. */
export function withPrompts(before: OwnState, prompts: readonly OpenOwnPrompt[]): OwnState {
  const state = copyOwnState(before);
  getOwnUser(state, ownLogUser).prompts = prompts;
  return state;
}

/** Returns a state whose user was created at a time. */
export function withCreation(state: OwnState, createdAtMs: number): OwnState {
  const owner = getOwnUser(state, ownLogUser);
  return { ...state, users: new Map([[ownLogUser, { ...owner, createdAtMs }]]) };
}

/** Returns true if a step certainly stored a time, which can be the same as the latest possible one. */
function isStored(field: OpenField, before: LedgerEntry, after: LedgerEntry): boolean {
  if (field === 'snoozedAtMs') return before.snoozedBy === null && after.snoozedBy !== null;
  return field === 'lastShownAtMs' && after.shown > before.shown;
}

/**
 * Returns the times of an entry that a step stored, each with the interval in which it may be.
 *
 * @param fields - fields that have an effect
 * @param before - entry before the step
 * @param after - entry after it
 * @param times - times that the step can have stored
 */
export function openStored(
  fields: readonly OpenField[],
  before: LedgerEntry | undefined,
  after: LedgerEntry,
  times: readonly StoredTime[],
): OpenFields {
  const stored = openTimes.flatMap((field) => {
    if (!fields.includes(field)) return [];
    const [from, to] = [before?.[field] ?? null, after[field]];
    if (to === null || (from === to && before !== undefined && !isStored(field, before, after))) return [];
    const within = times.find(({ atMs }) => atMs === to)?.within;
    return within === undefined || within.lo === within.hi ? [] : [[field, within] as const];
  });
  return Object.fromEntries(stored);
}

/** Returns the intervals of the times at which the open prompts of a state were closed, and sets the times to their ends. */
export function keepLeft(
  before: ReadonlyMap<string, Interval>,
  state: OwnState,
  { atMs, within }: StoredTime,
): ReadonlyMap<string, Interval> {
  const owner = getOwnUser(state, ownLogUser);
  const left = new Map<string, Interval>();
  for (const { id, leftAtMs } of owner.prompts) {
    const known = before.get(id);
    if (known !== undefined && known.hi === leftAtMs) left.set(id, known);
    else if (leftAtMs === atMs && within.lo < within.hi) left.set(id, within);
  }
  if (left.size > 0) owner.prompts = withLeft(owner.prompts, left);
  return left;
}

/** Returns prompts that were closed at the ends of intervals. */
export function withLeft(
  prompts: readonly OpenOwnPrompt[],
  left: ReadonlyMap<string, Interval>,
): readonly OpenOwnPrompt[] {
  return prompts.map((prompt) => ({ ...prompt, leftAtMs: left.get(prompt.id)?.hi ?? prompt.leftAtMs }));
}

/** Returns the fields of an entry that are still open after a step: those that it did not store. */
export function keepOpen(
  open: OpenFields,
  before: LedgerEntry | undefined,
  after: LedgerEntry | undefined,
): OpenFields {
  if (before === undefined || after === undefined) return {};
  const kept = (Object.entries(open) as [OpenField, Interval][]).flatMap(([field, { lo, hi }]) => {
    const [from, to] = [before[field], after[field]];
    if (from === null || to === null) return [];
    if ((openTimes as readonly string[]).includes(field)) {
      return from === to && !isStored(field, before, after) ? [[field, { lo, hi }] as const] : [];
    }
    // A count that fell was cleared; otherwise the same number was added to each possible one.
    return to < from ? [] : [[field, { lo: lo + to - from, hi: hi + to - from }] as const];
  });
  return Object.fromEntries(kept);
}

import { addDuration, dayNumber, dayStart, subtractDuration } from '../../../machines/own/calendar.ts';
import { type Given, readDuration, readNumber } from '../../../machines/own/condition.ts';
import { emptyEntry, type LedgerEntry, type LedgerKey } from '../../../machines/own/ledger.ts';
import { listAtoms, listConditions } from '../../../machines/own/list-conditions.ts';
import type { OwnUser } from '../../../machines/own/own-facts.ts';
import type { DurationOperand, OwnDuration, OwnRules, OwnRuleset } from '../../../machines/own/own-ruleset.ts';

import { type EarlierTimes, type RegisteredItem, withRegistered } from '../../../machines/own/own-state.ts';

/** Values of a number that a log admits: all from `lo` to `hi`. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

/** Times and counts of a ledger entry that a past before the log can have stored. */
export const openTimes = ['snoozedAtMs', 'firstShownAtMs', 'lastShownAtMs'] as const;
export const openCounts = ['count', 'shown', 'qualifying'] as const;
export type OpenField = (typeof openTimes)[number] | (typeof openCounts)[number];

/** Facts of the ledger that conditions can read. */
const ledgerFacts = ['shown', 'firstShownAt', 'lastShownAt', 'answeredAt', 'doneAt'] as const;

/** Fields of a ledger entry that are not known, with the values that they may have. */
export type OpenFields = Readonly<Partial<Record<OpenField, Interval>>>;

/** What is not known about a user. */
export interface OpenPast {
  /** `true` for a user without any history before the log: an entry of the ledger that was not used is empty. */
  readonly isFresh: boolean;
  /** Time of the first event in milliseconds; everything before it is unknown. */
  readonly sinceMs: number;
  /** Paths of the facts of the tenant and the user that are unknown. */
  readonly unknown: ReadonlySet<string>;
  /** Open fields of the ledger entries that were used since. Unless the user is fresh, any other is unknown as a whole. */
  readonly entries: ReadonlyMap<string, OpenFields>;
  /** Times at which open prompts may have been closed, by their ids; of others, the state has the time. */
  readonly left: ReadonlyMap<string, Interval>;
  /** Number of prompts that may have been open at that time, at most. */
  readonly pending: number;
  /** Times at which the user may have been created. */
  readonly createdAt: Interval;
}

/** Ledger entry with its open fields. */
export interface OpenEntry {
  readonly entry: LedgerEntry;
  readonly open: OpenFields;
}

/** Longest time before the first event after which something can still have an effect. */
const pastMs = 100 * 365 * 86_400_000;

/** Times before a prompt of which nothing is known. */
export const unknownTimes: EarlierTimes = { previousSignInAtMs: null, firstShownAtMs: null, lastShownAtMs: null };

/** Returns true if rules in JSON can read what was before a prompt. */
export function readsEarlierTimes(text: string): boolean {
  return /"kept\.(previousSignInAt|firstShownAt|lastShownAt)"/.test(text);
}

/** Returns the times of an unknown past. */
export function timesUntil(sinceMs: number): Interval {
  return { lo: sinceMs - pastMs, hi: sinceMs };
}

/** Count that stands for one without an upper bound: further than steps can be counted. */
const distantCount = 1_000_000;

/** Returns the value that stands for all of an interval which no comparison divides. */
export function representative(field: OpenField | 'createdAt', { lo, hi }: Interval): number {
  return Number.isFinite(hi) ? hi : field === 'qualifying' ? distantCount : lo + distantCount;
}

/** Parts of the ledger that have an effect under a ruleset, and the comparisons that divide their values. */
export class LedgerParts {
  readonly fields: readonly OpenField[];
  /** True if the time of creation has an effect. */
  readonly usesCreation: boolean;
  /** True if a condition reads what was before a prompt. */
  readonly readsEarlier: boolean;
  readonly #usesNever: boolean;
  readonly #snoozers: readonly (string | null)[];
  readonly #rules: readonly OwnRules[];
  /** Names of the facts of the ledger that conditions read. */
  readonly #read: ReadonlySet<(typeof ledgerFacts)[number]>;
  readonly #hidesActions: boolean;
  /** Number of equal passkeys above which more of them change no comparison. */
  readonly #passkeysMax: number;

  /** Answers that an open prompt can have had without an event. */
  readonly #silent: readonly string[] | null;

  /**
   * Finds the parts.
   *
   * @param ruleset - ruleset of the log
   * @param isCounted - `true` for a log that states counts
   * @param hidesActions - `true` if actions on prompts can happen without an event
   */
  constructor({ first, editions }: OwnRuleset, isCounted: boolean, hidesActions: boolean) {
    this.#hidesActions = hidesActions;
    this.#silent = hidesActions ? null : ['close', 'expire'];
    const all = [first, ...editions.map(({ rules }) => rules)];
    this.#rules = all;
    this.#passkeysMax = Math.max(1, ...all.flatMap(listPasskeySizes));
    const text = JSON.stringify(all);
    this.#read = new Set(ledgerFacts.filter((name) => text.includes(`kept.${name}`)));
    this.readsEarlier = readsEarlierTimes(text);
    const answers = all.flatMap((rules) => Object.entries(rules.answers));
    const usesFor = answers.some(([, answer]) => answer.for !== null);
    const has = (test: (rules: OwnRules) => boolean): boolean => all.some(test);
    const anchors = (anchor: string) =>
      has(({ cadence }) => cadence.anchor === anchor && cadence.kind !== 'everySignIn' && cadence.kind !== 'once');
    const since = (event: string) =>
      has(({ deadline }) => deadline?.ends.some((end) => 'since' in end && end.since === event) === true);
    const uses: Readonly<Record<OpenField, boolean>> = {
      snoozedAtMs: usesFor || anchors('answer'),
      firstShownAtMs: anchors('firstShown') || since('firstShown'),
      lastShownAtMs: anchors('lastShown'),
      count: isCounted || has(({ limit, cadence }) => limit?.counts === 'snoozes' || cadence.kind === 'growing'),
      shown: has(({ limit, cadence }) => limit?.counts === 'shown' || cadence.kind === 'once'),
      qualifying: has(({ cadence }) => cadence.kind === 'signIns'),
    };
    this.fields = [...openTimes, ...openCounts].filter((field) => uses[field]);
    this.usesCreation = since('created');
    this.#usesNever = answers.some(([, { effects }]) => effects.includes('never'));
    const snoozing = answers.filter(([, { effects }]) => effects.includes('snooze')).map(([id]) => id);
    this.#snoozers = usesFor ? [...new Set(snoozing)] : [null];
  }

  /** Lists what an entry can be about whose past nothing is known. */
  listEntries(key: LedgerKey, sinceMs: number): readonly OpenEntry[] {
    let entries: readonly OpenEntry[] = [{ entry: emptyEntry(key), open: {} }];
    for (const field of this.fields) {
      if (isCount(field)) {
        entries = entries.map(({ entry, open }) => ({
          entry,
          open: { ...open, [field]: { lo: 0, hi: Number.POSITIVE_INFINITY } },
        }));
        continue;
      }
      const times = timesUntil(sinceMs);
      const snoozers = field === 'snoozedAtMs' ? this.#snoozers : [null];
      entries = entries.flatMap((one) => [
        one,
        ...snoozers.map((id) => ({
          entry: { ...one.entry, [field]: times.hi, ...(id === null ? {} : { snoozedBy: id }) },
          open: { ...one.open, [field]: times },
        })),
      ]);
    }
    if (!this.#usesNever) return entries;
    return entries.flatMap((one) => [one, { ...one, entry: { ...one.entry, never: true } }]);
  }

  /**
   * Lists what an entry can be if prompts that were open before the log have been closed or have expired since.
   *
   * @param times - times at which they may have been
   * @param pending - number of such prompts, at most
   */
  listLater({ entry, open }: OpenEntry, { lo: loMs, hi: hiMs }: Interval, pending: number): readonly OpenEntry[] {
    const silent = this.#rules.flatMap(({ answers }) =>
      Object.entries(answers).filter(([id]) => this.#silent?.includes(id) ?? true),
    );
    const effects = silent.flatMap(([, answer]) => answer.effects);
    const counts = silent.some(([, answer]) => answer.counts && !answer.effects.includes('nothing'));
    let entries: readonly OpenEntry[] = [{ entry, open }];
    if (effects.includes('snooze') && this.fields.includes('snoozedAtMs')) {
      const known =
        open.snoozedAtMs ?? (entry.snoozedAtMs === null ? null : { lo: entry.snoozedAtMs, hi: entry.snoozedAtMs });
      const later = { lo: Math.max(known?.lo ?? loMs, loMs), hi: Math.max(known?.hi ?? hiMs, hiMs) };
      const snoozers = this.#snoozers[0] === null ? [entry.snoozedBy] : this.#snoozers;
      entries = [
        ...entries,
        ...snoozers.map((snoozedBy) => ({
          entry: { ...entry, snoozedAtMs: later.hi, snoozedBy },
          open: { ...open, snoozedAtMs: later },
        })),
      ];
    }
    if (counts && this.fields.includes('count')) {
      const known = open.count ?? { lo: entry.count, hi: entry.count };
      entries = entries.map((one) => ({
        ...one,
        open: { ...one.open, count: { lo: known.lo, hi: known.hi + pending } },
      }));
    }
    if (this.fields.includes('qualifying') && effects.includes('snooze')) {
      entries = entries.map((one) => ({
        ...one,
        open: { ...one.open, qualifying: { lo: 0, hi: Number.POSITIVE_INFINITY } },
      }));
    }
    if (!effects.includes('never') || entry.never) return entries;
    return entries.flatMap((one) => [one, { ...one, entry: { ...one.entry, never: true } }]);
  }

  /** Returns `true` if registering something once more changes nothing that a rule can read. */
  hasItem(user: OwnUser, item: RegisteredItem): boolean {
    const after = this.limitPasskeys(withRegistered(user, item));
    return after.methods.length === user.methods.length && after.passkeys.length === user.passkeys.length;
  }

  /** Returns a user without equal passkeys that no rule can count. */
  limitPasskeys(user: OwnUser): OwnUser {
    const counts = new Map<string, number>();
    const kept = user.passkeys.filter(({ type, deviceId }) => {
      const key = `${type} ${deviceId}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= this.#passkeysMax;
    });
    return kept.length === user.passkeys.length ? user : { ...user, passkeys: kept };
  }

  /** Returns `true` if an action stores a time that conditions read and that no interval can stand in for. */
  get readsActionTimes(): boolean {
    return this.#read.has('answeredAt');
  }

  /** Returns `true` if the count of a user is known or has an effect. */
  keepsCount(isFresh: boolean): boolean {
    return (isFresh && !this.#hidesActions) || this.fields.includes('count');
  }

  /**
   * Returns an entry without the parts that have no effect. A fresh user keeps all of them if the log hides no action,
   * because there are few states. Each sign-in of a log is a session of its own.
   */
  reduce(entry: LedgerEntry, isFresh: boolean): LedgerEntry {
    if (isFresh && !this.#hidesActions) return entry;
    const has = (field: OpenField): boolean => this.fields.includes(field);
    // What was before the log counts too, so that these facts of other users are unknown.
    const reads = (name: (typeof ledgerFacts)[number]): boolean => isFresh && this.#read.has(name);
    return {
      ...entry,
      count: has('count') ? entry.count : 0,
      shown: has('shown') || reads('shown') ? entry.shown : 0,
      qualifying: has('qualifying') ? entry.qualifying : 0,
      snoozedAtMs: has('snoozedAtMs') ? entry.snoozedAtMs : null,
      snoozedBy: this.#snoozers[0] === null ? null : entry.snoozedBy,
      firstShownAtMs: has('firstShownAtMs') || reads('firstShownAt') ? entry.firstShownAtMs : null,
      lastShownAtMs: has('lastShownAtMs') || this.#read.has('lastShownAt') ? entry.lastShownAtMs : null,
      answeredAtMs: this.#read.has('answeredAt') ? entry.answeredAtMs : null,
      doneAtMs: this.#read.has('doneAt') ? entry.doneAtMs : null,
      sessions: [],
    };
  }

  /** Lists the largest values below each comparison of a field, at a time and with the facts of a sign-in. */
  listCuts(field: OpenField | 'createdAt', { lo, hi }: Interval, given: Given, closing: number): readonly number[] {
    switch (field) {
      case 'qualifying':
        return [];
      case 'count':
      case 'shown': {
        // Prompts that are closed before the evaluation can raise a count, and a prompt does not count itself when it is
        // answered.
        const last = field === 'shown' ? 0 : -1;
        const length = closing + 1 + last + 1;
        return listSteps(field, given).flatMap((step) => Array.from({ length }, (_, at) => step + last - at));
      }
      default:
        return listEnds(field, given).map(({ endAt, untilMs }) => findLast(endAt, untilMs, lo, hi));
    }
  }
}

/** Lists the sizes next to which a comparison of the number of passkeys changes. */
function listPasskeySizes(rules: OwnRules): readonly number[] {
  return listConditions(rules)
    .flatMap(listAtoms)
    .flatMap(({ fact, operator, value }) => {
      if (fact !== 'user.passkeys' || operator !== 'size') return [];
      const { atLeast = 0, atMost = 0 } = (value ?? {}) as { readonly atLeast?: number; readonly atMost?: number };
      return [atLeast, atMost + 1];
    });
}

function isCount(field: OpenField): boolean {
  return (openCounts as readonly string[]).includes(field);
}

/** Lists the counts from which on a rule gives another result. */
function listSteps(field: 'count' | 'shown', given: Given): readonly number[] {
  const { limit, cadence } = given.rules;
  const isLimited = limit !== null && limit.counts === (field === 'count' ? 'snoozes' : 'shown');
  const at = isLimited ? readNumber(limit.at, given) : null;
  const grows = field === 'count' && cadence.kind === 'growing';
  return [
    ...(at === null ? [] : [Math.ceil(at)]),
    ...(grows ? cadence.durations.map((_, index) => index + 1) : []),
    ...(field === 'shown' && cadence.kind === 'once' ? [1] : []),
  ];
}

/** End that follows from a stored time, and the latest one that has come. */
interface ComparedEnd {
  readonly endAt: (atMs: number) => number;
  readonly untilMs: number;
}

/** Lists the ends that the rules compute from a stored time and compare with now. */
function listEnds(field: (typeof openTimes)[number] | 'createdAt', given: Given): readonly ComparedEnd[] {
  const { cadence, answers, deadline } = given.rules;
  const { nowMs } = given.facts.attempt;
  const anchor = { snoozedAtMs: 'answer', firstShownAtMs: 'firstShown', lastShownAtMs: 'lastShown', createdAt: '' }[
    field
  ];
  const isAnchor = cadence.anchor === anchor;
  const durations: readonly DurationOperand[] = [
    ...(isAnchor ? cadence.durations : []),
    ...(field === 'snoozedAtMs' ? Object.values(answers).flatMap((answer) => answer.for ?? []) : []),
  ];
  const ends = durations.flatMap((operand): readonly ComparedEnd[] => {
    const duration = readDuration(operand, given);
    if (duration === null) return [];
    const untilMs = cadence.boundary === 'inclusive' ? nowMs : nowMs - 1;
    return [{ endAt: (atMs) => addDuration(atMs, duration, cadence), untilMs }];
  });
  const { zone } = cadence;
  const days = isAnchor && cadence.kind === 'daily' ? [dayStart(dayNumber(nowMs, zone), zone) - 1] : [];
  const since = { createdAt: 'created', firstShownAtMs: 'firstShown', snoozedAtMs: '', lastShownAtMs: '' }[field];
  return [
    ...ends,
    ...days.map((untilMs): ComparedEnd => ({ endAt: (atMs) => atMs, untilMs })),
    ...(deadline?.ends ?? []).flatMap((end): readonly ComparedEnd[] => {
      const duration = 'since' in end && end.since === since ? readDuration(end.after, given) : null;
      return duration === null || deadline === null ? [] : listDeadlineEnds(duration, deadline, given);
    }),
  ];
}

function listDeadlineEnds(
  duration: OwnDuration,
  { opens, measure, boundary, zone }: NonNullable<OwnRules['deadline']>,
  given: Given,
): readonly ComparedEnd[] {
  const toUnits = (atMs: number): number => (measure === 'date' ? dayNumber(atMs, zone) : atMs);
  const until = toUnits(given.facts.attempt.nowMs);
  const endAt = (atMs: number): number => addDuration(atMs, duration, { measure: 'elapsed', zone });
  const before = opens === null ? null : readDuration(opens, given);
  return [
    { endAt: (atMs) => toUnits(endAt(atMs)), untilMs: boundary === 'inclusive' ? until : until - 1 },
    ...(before === null
      ? []
      : [{ endAt: (atMs: number) => toUnits(subtractDuration(endAt(atMs), before, zone)), untilMs: until }]),
  ];
}

/** Finds the last time whose end has come, in an interval in which ends never go back; below it if there is none. */
function findLast(endAt: (atMs: number) => number, untilMs: number, lo: number, hi: number): number {
  let [below, above] = [lo - 1, hi + 1];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (endAt(middle) <= untilMs) below = middle;
    else above = middle;
  }
  return below;
}

/** Divides an interval after each of some values. */
export function divide({ lo, hi }: Interval, cuts: readonly number[]): readonly Interval[] {
  const inside = [...new Set(cuts)].filter((cut) => cut >= lo && cut < hi).toSorted((a, b) => a - b);
  return [...inside, hi].map((end, index) => ({ lo: index === 0 ? lo : (inside[index - 1] as number) + 1, hi: end }));
}

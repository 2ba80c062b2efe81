import { type OwnFacts, readFact } from './own-facts.ts';
import type { FactValue, OwnRules, Reset } from './own-ruleset.ts';

/** What the answers under one key left behind (OC24, OC25). Times are milliseconds on the virtual clock. */
export interface LedgerEntry {
  readonly key: string;
  /** Names of the parts of the key, as the ruleset lists them. */
  readonly parts: readonly string[];
  /** Number of counted answers. */
  readonly count: number;
  readonly snoozedAtMs: number | null;
  /** Answer that started the latest snooze, whose own duration may replace the cadence. */
  readonly snoozedBy: string | null;
  readonly answeredAtMs: number | null;
  readonly never: boolean;
  /** Sessions in which the prompt was turned down for the session, the latest last. */
  readonly sessions: readonly string[];
  readonly shown: number;
  readonly firstShownAtMs: number | null;
  readonly lastShownAtMs: number | null;
  readonly doneAtMs: number | null;
  /** Number of qualifying sign-ins since the anchor of the cadence `signIns`. */
  readonly qualifying: number;
}

/** Maximum number of sessions in one entry. Older ones are forgotten, like sessions that a browser ends. */
const ledgerSessionsMax = 32;

/** Key of a ledger with the names of its parts. */
export interface LedgerKey {
  readonly key: string;
  readonly parts: readonly string[];
}

/** Creates an entry without any answer. */
export function emptyEntry({ key, parts }: LedgerKey): LedgerEntry {
  return {
    key,
    parts,
    count: 0,
    snoozedAtMs: null,
    snoozedBy: null,
    answeredAtMs: null,
    never: false,
    sessions: [],
    shown: 0,
    firstShownAtMs: null,
    lastShownAtMs: null,
    doneAtMs: null,
    qualifying: 0,
  };
}

/** Facts that keys are made of. What the ledger keeps is not part of a key. */
export type KeyFacts = Omit<OwnFacts, 'kept'>;

/** Returns the keys of an attempt in the order of the ruleset. A key with an unknown part does not exist (OC25). */
export function ledgerKeys(facts: KeyFacts, rules: OwnRules): readonly LedgerKey[] {
  return rules.ledger.keys.flatMap((parts) => {
    const values = parts.map((part) => partValue(part, facts, rules));
    if (values.some((value) => value === null)) return [];
    return [{ parts, key: parts.map((part, index) => `${part}=${String(values[index])}`).join(';') }];
  });
}

function partValue(part: string, facts: KeyFacts, rules: OwnRules): FactValue {
  switch (part) {
    case 'user':
      return facts.user.id;
    case 'method':
      return rules.ask;
    case 'device':
      return facts.attempt.deviceId;
    case 'browser':
      return facts.attempt.browserId;
    case 'ecosystem':
      return readFact('attempt.ecosystem', facts as OwnFacts, rules);
    default:
      return readFact(part, facts as OwnFacts, rules);
  }
}

/** Stores an answer: its effects and its time. */
export function storeAnswer(
  entry: LedgerEntry,
  id: string,
  { answers }: Pick<OwnRules, 'answers'>,
  { nowMs, sessionId }: { readonly nowMs: number; readonly sessionId: string },
): LedgerEntry {
  const answer = answers[id];
  if (answer === undefined || answer.effects.includes('nothing')) return entry;
  const { effects, counts } = answer;
  const snoozes = effects.includes('snooze');
  return {
    ...entry,
    count: entry.count + (counts ? 1 : 0),
    answeredAtMs: Math.max(entry.answeredAtMs ?? nowMs, nowMs),
    ...(snoozes ? { snoozedAtMs: Math.max(entry.snoozedAtMs ?? nowMs, nowMs), snoozedBy: id, qualifying: 0 } : {}),
    never: entry.never || effects.includes('never'),
    sessions: effects.includes('session')
      ? [...entry.sessions.filter((session) => session !== sessionId), sessionId].slice(-ledgerSessionsMax)
      : entry.sessions,
  };
}

/** Stores that the prompt was shown. */
export function storeShowing(entry: LedgerEntry, { cadence }: Pick<OwnRules, 'cadence'>, nowMs: number): LedgerEntry {
  return {
    ...entry,
    shown: entry.shown + 1,
    firstShownAtMs: entry.firstShownAtMs ?? nowMs,
    lastShownAtMs: nowMs,
    ...(cadence.anchor === 'lastShown' ? { qualifying: 0 } : {}),
  };
}

/** Clears the parts of an entry that a reset names, if the reset applies to its key. */
export function clearEntry(entry: LedgerEntry, { clears, keys }: Pick<Reset, 'clears' | 'keys'>): LedgerEntry {
  if (keys !== null && !keys.some((parts) => parts.join() === entry.parts.join())) return entry;
  return {
    ...entry,
    ...(clears.includes('count') ? { count: 0 } : {}),
    ...(clears.includes('timer') ? { snoozedAtMs: null, snoozedBy: null, qualifying: 0 } : {}),
    ...(clears.includes('never') ? { never: false } : {}),
    ...(clears.includes('session') ? { sessions: [] } : {}),
    ...(clears.includes('shown') ? { shown: 0, firstShownAtMs: null, lastShownAtMs: null } : {}),
  };
}

/** Returns true if beginning the setup snoozes the prompt. */
export function setupSnoozes({ answers }: Pick<OwnRules, 'answers'>): boolean {
  return answers['next']?.effects.includes('snooze') === true;
}

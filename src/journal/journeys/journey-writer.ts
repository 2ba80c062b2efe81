import type { Verdict } from '../../../machines/vocabulary.ts';
import { type JourneyOutcome, journeyVersion } from '../../contract/journey.schema.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { toInstant } from '../../core/clock.ts';
import { computeDigest } from '../../core/digest.ts';
import { applyEvent } from '../apply-event.ts';
import type { JournalEntry, JournalEvent } from '../journal-event.ts';
import { getNudgeState, getScreen, type SandboxState } from '../state.ts';
import { isPartOfJourney, withoutSecrets } from './journey-events.ts';
import { type BareHead, type BareLine, listStateLines } from './journey-state.ts';

/** Seals line after line: each carries a digest of itself and of all before it. */
export class JourneySeal {
  #digest = '';

  /** A line with its digest as its last key, without a line break. */
  line(bare: BareLine): string {
    const text = lineText(bare);
    this.#digest = computeDigest(this.#digest + text);
    return `${text.slice(0, -1)},"digest":"${this.#digest}"}`;
  }
}

/** A line without its digest: `kind` first, then all keys in order. */
function lineText({ kind, ...rest }: BareLine): string {
  const { format, version, ...others } = rest as { format?: string; version?: number };
  const first = format === undefined ? { kind } : { kind, format, version };
  const text = canonicalJson(others);
  return text === '{}' ? JSON.stringify(first) : `${JSON.stringify(first).slice(0, -1)},${text.slice(1)}`;
}

/** An event with the place in the journal that it was taken from. */
export interface PlacedEvent {
  readonly place: number;
  readonly atMs: number;
  readonly event: JournalEvent;
}

/**
 * Folds a journey event by event and tells what was seen of each. It is what writes journeys, replays them and steps through
 * them, so that a replay can only differ where the rules or the fold do.
 */
export class JourneyState {
  readonly state: SandboxState;
  step = 0;
  /** The verdict of the last event, with every gate; `null` where it evaluated nothing. */
  verdict: Verdict | null = null;

  constructor(state: SandboxState) {
    this.state = state;
    state.observer = {
      evaluated: (verdict) => {
        this.verdict = verdict;
      },
      moved: () => undefined,
    };
  }

  /** Applies an event. Returns what was seen of it. Throws `store-corrupt` for an event about no one. */
  apply({ atMs, event }: Pick<PlacedEvent, 'atMs' | 'event'>): JourneyOutcome {
    this.step += 1;
    this.verdict = null;
    const entry: JournalEntry = { seq: this.step + 1, atMs, event };
    applyEvent(this.state, entry);
    return this.#outcome(event);
  }

  #outcome(event: JournalEvent): JourneyOutcome {
    const signIn = 'signInId' in event ? this.state.signIns.get(event.signInId) : undefined;
    const userId = getEventUser(event) ?? signIn?.userId;
    if (userId === undefined) return {};
    const user = this.state.users.get(userId);
    const { verdict } = this;
    return {
      user: userId,
      ...(signIn === undefined ? {} : { screen: getScreen(signIn) }),
      ...(verdict === null
        ? {}
        : { outcome: verdict.outcome, reason: verdict.reason, verdict: computeDigest(canonicalJson(verdict)) }),
      nudgeStatus: user === undefined ? null : { state: getNudgeState(this.state, user), ...user.facts.snooze },
    };
  }
}

/** The user that an event names; `undefined` where it names none. */
function getEventUser(event: JournalEvent): string | undefined {
  if ('userId' in event) return event.userId;
  return event.type === 'user.saved' ? event.user.id : undefined;
}

/** What a journey is written from. */
export interface JourneyParts {
  readonly head: BareHead;
  /** How things stand; the writing goes on from it and changes it. */
  readonly state: SandboxState;
  readonly events: Iterable<PlacedEvent> | AsyncIterable<PlacedEvent>;
}

/**
 * Writes a journey, line by line without line breaks. Takes its parts; what is no part of a journey and what other users did
 * is left out and counted. Throws what the fold throws.
 */
export async function* writeJourney({ head, state, events }: JourneyParts): AsyncGenerator<string, void> {
  const seal = new JourneySeal();
  const { user: only } = head.slice;
  yield seal.line({ ...head, version: journeyVersion });
  for (const line of listStateLines(state, only)) yield seal.line(line);
  const fold = new JourneyState(state);
  const omitted: Record<string, number> = {};
  let otherUsersEvents = 0;
  const mine = new Set<string>(only === null ? [] : signInsOf(state, only));
  for await (const { place, atMs, event } of events) {
    if (!isPartOfJourney(event)) {
      omitted[event.type] = (omitted[event.type] ?? 0) + 1;
    } else if (isAboutAnother(event, only, mine)) {
      otherUsersEvents += 1;
    } else {
      const kept = withoutSecrets(event);
      const outcome = fold.apply({ atMs, event: kept });
      const line = { kind: 'event', step: fold.step, place, at: toInstant(atMs), event: kept, outcome } as const;
      yield seal.line(line as unknown as BareLine);
    }
  }
  yield seal.line({ kind: 'end', steps: fold.step, omitted, otherUsersEvents, state: stateDigest(state, only) });
}

function signInsOf(state: SandboxState, userId: string): readonly string[] {
  return [...state.signIns.values()].filter((signIn) => signIn.userId === userId).map(({ id }) => id);
}

function isAboutAnother(event: JournalEvent, only: string | null, mine: Set<string>): boolean {
  if (only === null) return false;
  const userId = getEventUser(event);
  if (event.type === 'signIn.started' && userId === only) mine.add(event.signInId);
  if ('signInId' in event) return !mine.has(event.signInId);
  return userId !== undefined && userId !== only;
}

/** A digest of how things stand in a state. */
export function stateDigest(state: SandboxState, userId: string | null): string {
  let digest = '';
  for (const line of listStateLines(state, userId)) digest = computeDigest(digest + lineText(line));
  return digest;
}

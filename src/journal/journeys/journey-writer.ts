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

/** Adds a digest to each line, computed from the line and all preceding lines. */
export class JourneySeal {
  #digest = '';

  /** Returns a line with its digest as the last key, without a line break. */
  line(bare: BareLine): string {
    const text = lineText(bare);
    this.#digest = computeDigest(this.#digest + text);
    return `${text.slice(0, -1)},"digest":"${this.#digest}"}`;
  }
}

/** Serializes a line without its digest: `kind` first, then all other keys in order. */
function lineText({ kind, ...rest }: BareLine): string {
  const { format, version, ...others } = rest as { format?: string; version?: number };
  const first = format === undefined ? { kind } : { kind, format, version };
  const text = canonicalJson(others);
  return text === '{}' ? JSON.stringify(first) : `${JSON.stringify(first).slice(0, -1)},${text.slice(1)}`;
}

/** Event with its sequence number in the source journal. */
export interface PlacedEvent {
  readonly place: number;
  readonly atMs: number;
  readonly event: JournalEvent;
}

/**
 * Applies a journey event by event and returns the observations. Writing, replaying and stepping through a journey all
 * use it, so a replay differs only if the rules or the event handling differ.
 */
export class JourneyState {
  readonly state: SandboxState;
  step = 0;
  /** Verdict of the last event, with every gate; `null` if the event had no evaluation. */
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

  /** Applies an event and returns its observations. Throws `store-corrupt` for an event about an unknown user. */
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

/** Returns the user id in an event; `undefined` if there is none. */
function getEventUser(event: JournalEvent): string | undefined {
  if ('userId' in event) return event.userId;
  return event.type === 'user.saved' ? event.user.id : undefined;
}

/** Input for writing a journey. */
export interface JourneyParts {
  readonly head: BareHead;
  /** Initial state; writing the journey changes it. */
  readonly state: SandboxState;
  readonly events: Iterable<PlacedEvent> | AsyncIterable<PlacedEvent>;
}

/**
 * Writes a journey as lines without line breaks. Events outside of the journey's scope and events of other users are
 * only counted.
 * @throws the errors of applying events
 */
export async function* writeJourney({ head, state, events }: JourneyParts): AsyncGenerator<string, void> {
  const seal = new JourneySeal();
  const { user: only } = head.slice;
  yield seal.line({ ...head, version: journeyVersion });
  for (const line of listStateLines(state, only)) yield seal.line(line);
  const fold = new JourneyState(state);
  const omitted: Record<string, number> = {};
  let otherUsersEvents = 0;
  const mine = new Set<string>(only === null ? [] : listSignIns(state, only));
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

function listSignIns(state: SandboxState, userId: string): readonly string[] {
  return [...state.signIns.values()].filter((signIn) => signIn.userId === userId).map(({ id }) => id);
}

function isAboutAnother(event: JournalEvent, only: string | null, mine: Set<string>): boolean {
  if (only === null) return false;
  const userId = getEventUser(event);
  if (event.type === 'signIn.started' && userId === only) mine.add(event.signInId);
  if ('signInId' in event) return !mine.has(event.signInId);
  return userId !== undefined && userId !== only;
}

/** Returns a digest of a state. */
export function stateDigest(state: SandboxState, userId: string | null): string {
  let digest = '';
  for (const line of listStateLines(state, userId)) digest = computeDigest(digest + lineText(line));
  return digest;
}

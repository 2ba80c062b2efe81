import type { Verdict } from '../../machines/vocabulary.ts';
import type { JourneyEvent, JourneyOutcome } from '../contract/journey.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { JourneyState } from '../journal/journeys/journey-writer.ts';
import { deserializeState, serializeState } from '../journal/snapshot.ts';
import { applied } from './migrate-journey.ts';
import type { OpenedJourney, ReadLine } from './read-journey.ts';
import { foldOfJourney, toJournalEvent } from './replay-journey.ts';

/** Maximum number of events held in memory for navigation. */
const walkedEventsMax = 1_000_000;

/** Number of steps between two saved states, which limits the events to replay when going back. */
const checkpointSteps = 500;

/** Position in a journey. */
export interface WalkedStep {
  /** Number of the step; 0 is the initial state before the first event. */
  readonly step: number;
  readonly of: number;
  /** Event of this step, with its line in the file; `null` if this is the initial state. */
  readonly line: number | null;
  readonly at: string;
  readonly place: number | null;
  readonly event: JourneyEvent['event'] | null;
  readonly outcome: JourneyOutcome;
  /** Verdict of this event with every gate; `null` if the event had no evaluation. */
  readonly verdict: Verdict | null;
}

/**
 * Navigates a journey forward and backward. Each position has the state after its events, regardless of the direction
 * of navigation.
 */
export class JourneyWalk {
  readonly #events: readonly ReadLine<JourneyEvent>[];
  readonly #begin: string;
  readonly #at: string;
  readonly #checkpoints = new Map<number, string>();
  #fold: JourneyState;
  #outcome: JourneyOutcome = {};

  private constructor(journey: OpenedJourney, events: readonly ReadLine<JourneyEvent>[]) {
    this.#events = events;
    this.#at = journey.head.line.at;
    this.#fold = foldOfJourney(journey);
    this.#begin = serializeState(this.#fold.state);
  }

  /** Reads a journey into memory. Throws `journey-damaged`, and `bad-request` if it is too long. */
  static async of(journey: OpenedJourney): Promise<JourneyWalk> {
    const events: ReadLine<JourneyEvent>[] = [];
    for await (const { number, text, line } of journey.rest) {
      if (line.kind !== 'event') continue;
      if (events.length >= walkedEventsMax) {
        const message = `a replay can show at most ${walkedEventsMax} steps; export a shorter journey with --from and --to`;
        throw new NudgeLabError('bad-request', { problems: [{ location: 'journey', message }] });
      }
      events.push({ number, text, line });
    }
    return new JourneyWalk(journey, events);
  }

  /** Number of steps. */
  get length(): number {
    return this.#events.length;
  }

  /** Moves to a step, limited to the range of the journey. Returns the resulting position. */
  goTo(step: number): WalkedStep {
    const target = Math.min(Math.max(step, 0), this.length);
    if (target < this.#fold.step) this.#goBack(target);
    while (this.#fold.step < target) this.#forward();
    return this.#here();
  }

  #goBack(target: number): void {
    // The saved state must precede the target, so the target's event is observed when it is applied.
    const from = Math.max(0, Math.floor((target - 1) / checkpointSteps) * checkpointSteps);
    const kept = this.#checkpoints.get(from);
    this.#fold = new JourneyState(deserializeState(kept ?? this.#begin));
    this.#fold.step = kept === undefined ? 0 : from;
    this.#outcome = {};
  }

  #forward(): void {
    const next = this.#events[this.#fold.step];
    if (next === undefined) return;
    this.#outcome = applied(this.#fold, toJournalEvent(next.line), next.number);
    if (this.#fold.step % checkpointSteps === 0 && !this.#checkpoints.has(this.#fold.step)) {
      this.#checkpoints.set(this.#fold.step, serializeState(this.#fold.state));
    }
  }

  #here(): WalkedStep {
    const { step } = this.#fold;
    const read = step === 0 ? undefined : this.#events[step - 1];
    return {
      step,
      of: this.length,
      line: read?.number ?? null,
      at: read?.line.at ?? this.#at,
      place: read?.line.place ?? null,
      event: read?.line.event ?? null,
      outcome: this.#outcome,
      verdict: this.#fold.verdict,
    };
  }
}

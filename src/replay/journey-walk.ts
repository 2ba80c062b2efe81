import type { Verdict } from '../../machines/vocabulary.ts';
import type { JourneyInput, JourneySaw } from '../contract/journey.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { JourneyFold } from '../journal/journeys/journey-writer.ts';
import { deserialise, serialise } from '../journal/snapshot.ts';
import { applied } from './migrate-journey.ts';
import type { OpenedJourney, ReadLine } from './read-journey.ts';
import { foldOfJourney, inputOf } from './replay-journey.ts';

/** Inputs that are held in memory for walking to and fro. */
const walkedInputsMax = 1_000_000;

/** Steps between two kept states: going back folds no more than this. */
const checkpointSteps = 500;

/** Where a walk stands. */
export interface WalkedStep {
  /** 0 is the beginning, before the first input. */
  readonly step: number;
  readonly of: number;
  /** The input that led here, with its line in the file; `null` at the beginning. */
  readonly line: number | null;
  readonly at: string;
  readonly place: number | null;
  readonly input: JourneyInput['input'] | null;
  readonly saw: JourneySaw;
  /** The verdict of this input with every gate; `null` where it judged nothing. */
  readonly verdict: Verdict | null;
}

/** Walks a journey forward and back. Every step is what the fold makes of the inputs up to it, whichever way one came. */
export class JourneyWalk {
  readonly #inputs: readonly ReadLine<JourneyInput>[];
  readonly #begin: string;
  readonly #at: string;
  readonly #checkpoints = new Map<number, string>();
  #fold: JourneyFold;
  #saw: JourneySaw = {};

  private constructor(journey: OpenedJourney, inputs: readonly ReadLine<JourneyInput>[]) {
    this.#inputs = inputs;
    this.#at = journey.head.line.at;
    this.#fold = foldOfJourney(journey);
    this.#begin = serialise(this.#fold.state);
  }

  /** Reads a journey into memory. Throws `journey-damaged`, and `bad-request` for one that is too long to be walked. */
  static async of(journey: OpenedJourney): Promise<JourneyWalk> {
    const inputs: ReadLine<JourneyInput>[] = [];
    for await (const { number, text, line } of journey.rest) {
      if (line.kind !== 'input') continue;
      if (inputs.length >= walkedInputsMax) {
        const message = `${walkedInputsMax} steps are the most that are walked; export a part of it with --from and --to`;
        throw new NudgeLabError('bad-request', { problems: [{ place: 'journey', message }] });
      }
      inputs.push({ number, text, line });
    }
    return new JourneyWalk(journey, inputs);
  }

  /** How many steps there are. */
  get length(): number {
    return this.#inputs.length;
  }

  /** Goes to a step, forward or back; beyond an end it goes to that end. Returns where it stands then. */
  goTo(step: number): WalkedStep {
    const target = Math.min(Math.max(step, 0), this.length);
    if (target < this.#fold.step) this.#goBack(target);
    while (this.#fold.step < target) this.#forward();
    return this.#here();
  }

  #goBack(target: number): void {
    // A state before the target, so that its input is seen as it happens.
    const from = Math.max(0, Math.floor((target - 1) / checkpointSteps) * checkpointSteps);
    const kept = this.#checkpoints.get(from);
    this.#fold = new JourneyFold(deserialise(kept ?? this.#begin));
    this.#fold.step = kept === undefined ? 0 : from;
    this.#saw = {};
  }

  #forward(): void {
    const next = this.#inputs[this.#fold.step];
    if (next === undefined) return;
    this.#saw = applied(this.#fold, inputOf(next.line), next.number);
    if (this.#fold.step % checkpointSteps === 0 && !this.#checkpoints.has(this.#fold.step)) {
      this.#checkpoints.set(this.#fold.step, serialise(this.#fold.state));
    }
  }

  #here(): WalkedStep {
    const { step } = this.#fold;
    const read = step === 0 ? undefined : this.#inputs[step - 1];
    return {
      step,
      of: this.length,
      line: read?.number ?? null,
      at: read?.line.at ?? this.#at,
      place: read?.line.place ?? null,
      input: read?.line.input ?? null,
      saw: this.#saw,
      verdict: this.#fold.verdict,
    };
  }
}

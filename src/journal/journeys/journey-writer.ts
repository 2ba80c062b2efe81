import type { Verdict } from '../../../machines/vocabulary.ts';
import { type JourneySaw, journeyVersion } from '../../contract/journey.schema.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { toInstant } from '../../core/clock.ts';
import { computeDigest } from '../../core/digest.ts';
import { applyEntry } from '../fold.ts';
import type { JournalEntry, JournalInput } from '../input.ts';
import { nudgeStateOf, type SandboxState, screenOf } from '../state.ts';
import { isPartOfJourney, withoutSecrets } from './journey-inputs.ts';
import { type BareHead, type BareLine, standingLines } from './journey-state.ts';

/** Seals line after line: each carries a digest of itself and of all before it. */
export class JourneySeal {
  #sum = '';

  /** A line with its digest as its last key, without a line break. */
  line(bare: BareLine): string {
    const text = lineText(bare);
    this.#sum = computeDigest(this.#sum + text);
    return `${text.slice(0, -1)},"sum":"${this.#sum}"}`;
  }
}

/** A line without its digest: `kind` first, then all keys in order. */
function lineText({ kind, ...rest }: BareLine): string {
  const { format, version, ...others } = rest as { format?: string; version?: number };
  const first = format === undefined ? { kind } : { kind, format, version };
  const text = canonicalJson(others);
  return text === '{}' ? JSON.stringify(first) : `${JSON.stringify(first).slice(0, -1)},${text.slice(1)}`;
}

/** An input with the place in the journal that it was taken from. */
export interface PlacedInput {
  readonly place: number;
  readonly atMs: number;
  readonly input: JournalInput;
}

/**
 * Folds a journey input by input and tells what was seen of each. It is what writes journeys, replays them and steps through
 * them, so that a replay can only differ where the rules or the fold do.
 */
export class JourneyFold {
  readonly state: SandboxState;
  step = 0;
  /** The verdict of the last input, with every gate; `null` where it judged nothing. */
  verdict: Verdict | null = null;

  constructor(state: SandboxState) {
    this.state = state;
    state.watcher = {
      judged: (verdict) => {
        this.verdict = verdict;
      },
      moved: () => undefined,
    };
  }

  /** Applies an input. Returns what was seen of it. Throws `store-corrupt` for an input about nobody. */
  apply({ atMs, input }: Pick<PlacedInput, 'atMs' | 'input'>): JourneySaw {
    this.step += 1;
    this.verdict = null;
    const entry: JournalEntry = { seq: this.step + 1, atMs, input };
    applyEntry(this.state, entry);
    return this.#saw(input);
  }

  #saw(input: JournalInput): JourneySaw {
    const signIn = 'signInId' in input ? this.state.signIns.get(input.signInId) : undefined;
    const userId = userOfInput(input) ?? signIn?.userId;
    if (userId === undefined) return {};
    const user = this.state.users.get(userId);
    const { verdict } = this;
    return {
      user: userId,
      ...(signIn === undefined ? {} : { screen: screenOf(signIn) }),
      ...(verdict === null
        ? {}
        : { outcome: verdict.outcome, reason: verdict.reason, verdict: computeDigest(canonicalJson(verdict)) }),
      ledger: user === undefined ? null : { state: nudgeStateOf(this.state, user), ...user.facts.snooze },
    };
  }
}

/** The user that an input names; `undefined` where it names none. */
function userOfInput(input: JournalInput): string | undefined {
  if ('userId' in input) return input.userId;
  return input.type === 'user.put' ? input.user.id : undefined;
}

/** What a journey is written from. */
export interface JourneyParts {
  readonly head: BareHead;
  /** How things stand; the writing goes on from it and changes it. */
  readonly state: SandboxState;
  readonly inputs: Iterable<PlacedInput> | AsyncIterable<PlacedInput>;
}

/**
 * Writes a journey, line by line without line breaks. Takes its parts; what is no part of a journey and what other users did
 * is left out and counted. Throws what the fold throws.
 */
export async function* writeJourney({ head, state, inputs }: JourneyParts): AsyncGenerator<string, void> {
  const seal = new JourneySeal();
  const { user: only } = head.slice;
  yield seal.line({ ...head, version: journeyVersion });
  for (const line of standingLines(state, only)) yield seal.line(line);
  const fold = new JourneyFold(state);
  const leftOut: Record<string, number> = {};
  let others = 0;
  const mine = new Set<string>(only === null ? [] : signInsOf(state, only));
  for await (const { place, atMs, input } of inputs) {
    if (!isPartOfJourney(input)) {
      leftOut[input.type] = (leftOut[input.type] ?? 0) + 1;
    } else if (isAboutAnother(input, only, mine)) {
      others += 1;
    } else {
      const kept = withoutSecrets(input);
      const saw = fold.apply({ atMs, input: kept });
      const line = { kind: 'input', step: fold.step, place, at: toInstant(atMs), input: kept, saw } as const;
      yield seal.line(line as unknown as BareLine);
    }
  }
  yield seal.line({ kind: 'end', steps: fold.step, leftOut, others, state: stateDigest(state, only) });
}

function signInsOf(state: SandboxState, userId: string): readonly string[] {
  return [...state.signIns.values()].filter((signIn) => signIn.userId === userId).map(({ id }) => id);
}

function isAboutAnother(input: JournalInput, only: string | null, mine: Set<string>): boolean {
  if (only === null) return false;
  const userId = userOfInput(input);
  if (input.type === 'signIn.started' && userId === only) mine.add(input.signInId);
  if ('signInId' in input) return !mine.has(input.signInId);
  return userId !== undefined && userId !== only;
}

/** A digest of how things stand in a state. */
export function stateDigest(state: SandboxState, userId: string | null): string {
  let sum = '';
  for (const line of standingLines(state, userId)) sum = computeDigest(sum + lineText(line));
  return sum;
}

import type { JourneyEvent, JourneyHead, JourneyOutcome } from '../contract/journey.schema.ts';
import type { JourneyDifference, ReplayReport } from '../contract/replay.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { parseInstant } from '../core/clock.ts';
import type { JournalEvent } from '../journal/journal-event.ts';
import { type BareLine, createStateFromLines, listStateLines } from '../journal/journeys/journey-state.ts';
import { JourneySeal, JourneyState, stateDigest } from '../journal/journeys/journey-writer.ts';
import type { ReplayObserver } from '../journal/replay-observer.ts';
import { listRulesetNotices } from '../journal/ruleset-notices.ts';
import { applied } from './migrate-journey.ts';
import type { OpenedJourney, ReadLine } from './read-journey.ts';

/** Maximum number of listed differences in a report; other differences are only counted. */
const differencesMax = 200;

/** Creates the state of a journey before its first event. */
export function foldOfJourney({ head, standing }: Pick<OpenedJourney, 'head' | 'standing'>): JourneyState {
  return new JourneyState(
    createStateFromLines(
      head.line,
      standing.map(({ line }) => line),
    ),
  );
}

/** Converts an event line to a journal event. */
export function toJournalEvent({ at, place, event }: JourneyEvent): {
  place: number;
  atMs: number;
  event: JournalEvent;
} {
  return { place, atMs: parseInstant(at) ?? 0, event: event as unknown as JournalEvent };
}

/**
 * Replays a journey and compares the results with the recorded ones: verdicts with every gate, screens, nudge statuses
 * and the final state, and therefore every byte.
 * @param observer - receives the lifecycle steps of all users
 * @throws `journey-damaged` for an event that cannot be applied
 */
export async function replayJourney(journey: OpenedJourney, observer?: ReplayObserver): Promise<ReplayReport> {
  const { head } = journey;
  const fold = foldOfJourney(journey);
  if (observer !== undefined) fold.state.observer = observer;
  const noted = new Differences();
  noteStanding(journey, fold, noted);
  let verdicts = 0;
  let end: Pick<ReplayReport, 'omitted' | 'otherUsersEvents'> = { omitted: {}, otherUsersEvents: 0 };
  for await (const { number, line } of journey.rest) {
    if (line.kind === 'event') {
      const outcome = applied(fold, toJournalEvent(line), number);
      if (outcome.verdict !== undefined) verdicts += 1;
      noted.compare(number, line.step, line.outcome, outcome);
    } else if (line.kind === 'end') {
      end = { omitted: line.omitted, otherUsersEvents: line.otherUsersEvents };
      const state = stateDigest(fold.state, head.line.slice.user);
      if (state !== line.state)
        noted.add({ line: number, step: null, key: 'state', expected: line.state, actual: state });
    }
  }
  const notices = listRulesetNotices(fold.state);
  return {
    version: journey.version,
    ...toSummary(head.line),
    ...(notices.length === 0 ? {} : { warnings: notices }),
    users: fold.state.users.size,
    steps: fold.step,
    verdicts,
    same: noted.count === 0,
    differenceCount: noted.count,
    differences: noted.listed,
    ...end,
  };
}

function toSummary({
  sandbox,
  ruleset,
  rulesetDigest,
  seed,
  at,
  slice,
}: JourneyHead): Omit<ReplayReport, keyof Counted> {
  return { sandbox, ruleset, ...(rulesetDigest === undefined ? {} : { rulesetDigest }), seed, at, slice };
}

type Counted = Pick<
  ReplayReport,
  | 'version'
  | 'users'
  | 'steps'
  | 'verdicts'
  | 'same'
  | 'differenceCount'
  | 'differences'
  | 'omitted'
  | 'otherUsersEvents'
>;

/**
 * Serializes the initial state again, which must give exactly the lines that were read, and reports the differences.
 */
function noteStanding({ head, standing }: OpenedJourney, fold: JourneyState, noted: Differences): void {
  const seal = new JourneySeal();
  const written = [...listStateLines(fold.state, head.line.slice.user)].map((line) => bareText(seal, line));
  standing.forEach(({ number, text, line }: ReadLine<BareLine>, index) => {
    if (written[index] === text) return;
    noted.add({ line: number, step: null, key: line.kind, expected: text, actual: written[index] ?? null });
  });
}

function bareText(seal: JourneySeal, line: BareLine): string {
  return `${seal.line(line).slice(0, -digestSuffixCharacters)}}`;
}

/** `,"digest":"…"}` with sixteen digits. */
const digestSuffixCharacters = 29;

class Differences {
  readonly listed: JourneyDifference[] = [];
  count = 0;

  add(difference: JourneyDifference): void {
    this.count += 1;
    if (this.listed.length < differencesMax) this.listed.push(difference);
  }

  compare(line: number, step: number, expected: JourneyOutcome, actual: JourneyOutcome): void {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]) as Set<keyof JourneyOutcome>;
    for (const key of keys) {
      if (canonicalJson(expected[key]) === canonicalJson(actual[key])) continue;
      this.add({ line, step, key, expected: expected[key] ?? null, actual: actual[key] ?? null });
    }
  }
}

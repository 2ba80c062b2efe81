import type { FactValue, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import { toInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ownPropertyStatesMax } from '../../core/limits.ts';
import { NotCompiled } from '../../forecast/own/not-compiled.ts';
import { classReader, listComparedTimes, type StateReader } from '../../generate/own/class-walk.ts';
import { type Assignment, type JourneyStep, planJourney, toStep } from '../../generate/own/own-journey.ts';
import { listFactors, type SpaceFactor } from '../../generate/own/own-space.ts';
import {
  listActions,
  listSignIns,
  type WalkAction,
  type WalkPlace,
  type WalkSignIn,
} from '../../generate/own/walk-actions.ts';
import { findPrompting, listGivens } from '../../generate/own/walk-starts.ts';
import { OwnSession } from '../../scenario/own/own-session.ts';
import type { ExploredStates, FactColumn, ModelStep } from '../models/property-model.ts';
import { chooseClock, fitsClock, type OwnClock } from './clock-tick.ts';
import { listFactPaths } from './fact-paths.ts';
import { type FactReading, readStateFacts, type StateFacts } from './session-facts.ts';
import { listStepEvents } from './step-events.ts';

/** Start of the journeys of a model: facts of the tenant and the user, and steps of the clock. */
export interface OwnModelStart {
  readonly name: string;
  readonly given: Assignment;
  readonly steps: readonly JourneyStep[];
  readonly reader: StateReader;
  readonly actions: readonly WalkAction[];
}

/** Everything that one user can do under a ruleset. */
export interface ExploredOwn {
  readonly explored: ExploredStates;
  readonly facts: readonly FactColumn[];
  readonly starts: readonly OwnModelStart[];
  /** Names of all actions. */
  readonly actions: readonly string[];
  readonly clock: OwnClock;
}

const dayMs = 86_400_000;

/** Name of the action by which the clock advances. */
export const tickAction = 'time passes';

/** Counts of snoozes up to this are distinguished, or up to the largest that a rule compares. */
const countsDistinguished = 3;

/** Largest number of different steps: their numbers have 16 bits. */
const stepKindsMax = 65_535;

/**
 * Explores what one user can do under a ruleset: sign-ins with facts, answers, changes of an administrator, and steps of
 * the clock of one duration. States are told apart by all that the rules depend on, with the exact times that are left
 * until a comparison changes.
 *
 * @throws NotCompiled with the first cause for which there are no finitely many states
 */
export function exploreOwn(ruleset: OwnRuleset, tickMs: number | null = null): ExploredOwn {
  const factors = listFactors(ruleset);
  const base = findPrompting(ruleset, factors);
  const attempt = new Map([...base].filter(([path]) => isOfAttempt(path)));
  const signIns = listSignIns(ruleset, factors, attempt);
  const [usual = new Map(), ...others] = listModelGivens(factors, base);
  const chosen = chooseClock(ruleset, [usual, ...others], signIns);
  const clock = tickMs === null ? chosen : { ...chosen, tickMs };
  const varied = listVariedSignIns(factors, attempt, signIns[0]?.device ?? null);
  const listAll = (kinds: readonly WalkSignIn[]): readonly WalkAction[] => [
    ...listActions(ruleset, kinds, factors),
    { name: tickAction, scope: 'plain', step: () => ({ advance: { ms: clock.tickMs } }) },
  ];
  const [first = [], ...pairs] = listPairs(signIns);
  const groups = [
    { givens: [usual], actions: listAll([...first, ...varied]), note: '' },
    { givens: others, actions: listAll(first), note: '' },
    ...pairs.map((pair) => ({ givens: [usual], actions: listAll(pair), note: `, and ${pair.at(-1)?.name}` })),
  ];
  const starts = groups.flatMap(({ givens, actions, note }, number) =>
    listStarts(ruleset, givens, signIns, clock, number === 0).map((start) => ({
      ...start,
      name: `${start.name}${note}`,
      actions,
    })),
  );
  const reading = { ruleset, paths: listFactPaths(ruleset), countMax: countsDistinguished };
  const names = new Set(groups.flatMap(({ actions }) => actions.map(({ name }) => name)));
  return { ...new OwnExploration(reading, starts, clock.usesDays).run(), starts, actions: [...names], clock };
}

function isOfAttempt(path: string): boolean {
  return path.startsWith('attempt.');
}

/** Lists sign-ins with one other fact each. */
function listVariedSignIns(
  factors: readonly SpaceFactor[],
  attempt: Assignment,
  device: string | null,
): readonly WalkSignIn[] {
  return factors
    .filter(({ path, isInstant }) => isOfAttempt(path) && !isInstant && path !== 'attempt.os')
    .flatMap(({ path, values }) =>
      values
        .filter((value) => JSON.stringify(value) !== JSON.stringify(attempt.get(path) ?? values[0]))
        .map(
          (value): WalkSignIn => ({
            name: `signs in, ${path} ${JSON.stringify(value)}`,
            values: new Map([...attempt, [path, value]]),
            device,
            session: 'new',
          }),
        ),
    );
}

/** Divides the kinds of sign-ins that have keys of their own: the usual kind with each other one. */
function listPairs(signIns: readonly WalkSignIn[]): readonly (readonly WalkSignIn[])[] {
  const kinds = [...Map.groupBy(signIns, ({ values, device }) => JSON.stringify([[...values], device])).values()];
  const [usual = [], ...others] = kinds;
  return others.length === 0 ? [usual] : others.map((other) => [...usual, ...other]);
}

/** Distance of an instant from the start of a model, which rules only compare with now. */
const instantDistanceMs = 10 * dayMs;

/** Largest number of values of one fact of the tenant or the user with which journeys begin. */
const startValuesMax = 4;

/** Lists the facts of the starts. Instants are days away from the start, because the clock advances in large steps. */
function listModelGivens(factors: readonly SpaceFactor[], base: Assignment): readonly Assignment[] {
  const instants = new Set(factors.filter(({ isInstant }) => isInstant).map(({ path }) => path));
  const distant = new Map(
    [...base].map(([path, value]) => [
      path,
      instants.has(path) && typeof value === 'number'
        ? usualNowMs + Math.sign(value - usualNowMs) * instantDistanceMs
        : value,
    ]),
  );
  const fewer = factors.map((factor) => ({ ...factor, values: factor.values.slice(0, startValuesMax) }));
  // Instants that differ from the base are later than it.
  const later = (path: string, value: FactValue): FactValue =>
    instants.has(path) && typeof value === 'number' && value !== distant.get(path)
      ? usualNowMs + 2 * instantDistanceMs
      : value;
  const all = listGivens(fewer, distant).map(
    (given) => new Map([...given].map(([path, value]) => [path, later(path, value)])),
  );
  return [...new Map(all.map((given) => [JSON.stringify([...given]), given])).values()];
}

/**
 * Lists the starts: the facts with which the user is prompted, the defaults, and every other value alone; and the same
 * user before each date at which a verdict changes, as long before as a stored instant has an effect.
 */
function listStarts(
  ruleset: OwnRuleset,
  givens: readonly Assignment[],
  signIns: readonly WalkSignIn[],
  clock: OwnClock,
  isNeeded: boolean,
): readonly Omit<OwnModelStart, 'actions'>[] {
  return givens.flatMap((given, number): readonly Omit<OwnModelStart, 'actions'>[] => {
    try {
      const compared = listComparedTimes(ruleset, given, signIns);
      if (!fitsClock(compared, clock)) return [];
      const reader = classReader(ruleset, given, signIns, { times: 'exact' });
      const name = describeGiven(given);
      const far = compared.dates.map((atMs) => atMs - clock.horizonMs).filter((atMs) => atMs > usualNowMs);
      return [
        { name, given, steps: [], reader },
        ...[...new Set(far)].map((atMs) => ({
          name: `${name}, from ${toInstant(atMs)}`,
          given,
          steps: [{ setClock: toInstant(atMs) }],
          reader,
        })),
      ];
    } catch (error) {
      // Only the first of the starts, which prompts, has to be finite.
      if (error instanceof NotCompiled && !(isNeeded && number === 0)) return [];
      throw error;
    }
  });
}

function describeGiven(given: Assignment): string {
  const facts = [...given].map(
    ([path, value]) => `${path} ${typeof value === 'number' ? value : JSON.stringify(value)}`,
  );
  return facts.length === 0 ? 'begins' : `begins with ${facts.join(', ')}`;
}

/** Creates the session of a start. */
export function beginStart(ruleset: OwnRuleset, { given, steps }: Pick<OwnModelStart, 'given' | 'steps'>): OwnSession {
  const session = new OwnSession(planJourney(ruleset, { name: 'property', given, steps: [] }));
  for (const step of steps) session.perform(toStep(step));
  return session;
}

/** Performs an action on a copy of the session of a place. Returns `null` where it is impossible. */
export function takeAction(place: WalkPlace, action: WalkAction) {
  const written = action.step(place);
  if (written === null) return null;
  const step = toStep(written);
  const next = place.session.fork();
  try {
    return { step, written, next, observation: next.perform(step) };
  } catch (error) {
    if (error instanceof NudgeLabError) return null;
    throw error;
  }
}

/** State that was reached and not expanded yet. */
interface OpenState {
  readonly session: OwnSession;
  readonly reader: StateReader;
  readonly start: number;
}

class OwnExploration {
  readonly #reading: FactReading;
  readonly #starts: readonly OwnModelStart[];
  readonly #usesDays: boolean;
  readonly #numbers = new Map<string, number>();
  readonly #facts: StateFacts[] = [];
  readonly #open: OpenState[] = [];
  readonly #steps: ModelStep[] = [];
  readonly #stepNumbers = new Map<string, number>();
  readonly #offsets: number[] = [0];
  readonly #targets: number[] = [];
  readonly #labels: number[] = [];

  constructor(reading: FactReading, starts: readonly OwnModelStart[], usesDays: boolean) {
    this.#reading = reading;
    this.#starts = starts;
    this.#usesDays = usesDays;
  }

  run(): Pick<ExploredOwn, 'explored' | 'facts'> {
    const { ruleset } = this.#reading;
    // State 0 is before the choice of the start, and has the facts of the first one.
    const [first] = this.#starts;
    if (first === undefined) throw new RangeError('A ruleset has a start.');
    this.#facts.push(readStateFacts(this.#reading, beginStart(ruleset, first)));
    for (const [number, start] of this.#starts.entries()) {
      const session = beginStart(ruleset, start);
      this.#add({ action: start.name, events: [{ type: 'journey.begins' }] }, session, start.reader, number);
    }
    this.#offsets.push(this.#targets.length);
    for (let at = 0; at < this.#open.length; at += 1) {
      const { session, reader, start } = this.#open[at] as OpenState;
      const place = reader.place(session);
      for (const action of this.#starts[start]?.actions ?? []) {
        const taken = takeAction(place, action);
        if (taken === null) continue;
        const { step, next, observation } = taken;
        const events = listStepEvents(this.#reading, step, observation, session, next);
        this.#add({ action: action.name, events }, next, reader, start);
      }
      this.#offsets.push(this.#targets.length);
      // The session of an expanded state is not needed any more.
      delete this.#open[at];
    }
    return { explored: this.#states(), facts: this.#columns() };
  }

  #add(step: ModelStep, session: OwnSession, reader: StateReader, start: number): void {
    const facts = readStateFacts(this.#reading, session);
    const time = this.#usesDays ? session.nowMs % dayMs : '';
    const key = `${start} ${time} ${reader.key(session)} ${JSON.stringify(facts)}`;
    let target = this.#numbers.get(key);
    if (target === undefined) {
      target = this.#facts.push(facts) - 1;
      this.#numbers.set(key, target);
      this.#open.push({ session, reader, start });
      if (target >= ownPropertyStatesMax) {
        throw new NotCompiled('RC3', ['cadence'], `the user has more than ${ownPropertyStatesMax} states`);
      }
    }
    const text = JSON.stringify(step);
    const label = this.#stepNumbers.get(text) ?? this.#steps.push(step) - 1;
    this.#stepNumbers.set(text, label);
    if (label >= stepKindsMax)
      throw new NotCompiled('RC3', ['gates'], `sign-ins have more than ${stepKindsMax} results`);
    this.#targets.push(target);
    this.#labels.push(label);
  }

  #states(): ExploredStates {
    return {
      states: this.#facts.length,
      offsets: Uint32Array.from(this.#offsets),
      targets: Int32Array.from(this.#targets),
      labels: Uint16Array.from(this.#labels),
      steps: this.#steps,
    };
  }

  #columns(): readonly FactColumn[] {
    return Object.keys(this.#facts[0] ?? {}).map((name): FactColumn => {
      const values: FactColumn['values'][number][] = [];
      const index = new Map<FactColumn['values'][number], number>();
      const numbers = Uint32Array.from(this.#facts, (facts) => {
        const value = facts[name] ?? null;
        const number = index.get(value) ?? values.push(value) - 1;
        index.set(value, number);
        return number;
      });
      return { name, numbers, values };
    });
  }
}

import { type AnyStateMachine, initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { FactScalar, Formula } from '../../src/properties/language/formula.ts';

/** Position of a word: the event that led there, and the state. */
interface WordPosition {
  readonly event: string | null;
  readonly state: string;
  readonly count: number;
}

/** Infinite word: after the last position it continues at `next`. */
export interface LassoWord {
  readonly positions: readonly WordPosition[];
  readonly next: number;
}

/** Event that advances the clock of random machines by a day. */
export const tickEvent = 'd';
const dayMs = 86_400_000;

/** Decides a formula on a word by its definition: it looks at the positions one after the other. */
export function holdsOn(formula: Formula, word: LassoWord, at = 0, before: number | null = null): boolean {
  const { positions, next } = word;
  const here = positions[at] as WordPosition;
  const succeed = (place: number): number => (place + 1 < positions.length ? place + 1 : next);
  const decide = (part: Formula, place = at, earlier = before): boolean => holdsOn(part, word, place, earlier);
  /** Walks from here until `stop` returns a result; a walk through all positions several times has seen everything. */
  const walk = (
    rounds: number,
    otherwise: boolean,
    stop: (place: number, from: number | null, days: number) => boolean | null,
  ) => {
    let [place, from, days] = [at, before, 0];
    for (let steps = 0; steps < positions.length * rounds; steps += 1) {
      const result = stop(place, from, days);
      if (result !== null) return result;
      from = place;
      place = succeed(place);
      if (positions[place]?.event === tickEvent) days += 1;
    }
    return otherwise;
  };
  switch (formula.kind) {
    case 'compare':
      return compare(here, formula);
    case 'change': {
      if (before === null) return false;
      const [was, is] = [read(positions[before] as WordPosition, formula.fact), read(here, formula.fact)];
      if (formula.change === 'changes') return was !== is;
      if (typeof was !== 'number' || typeof is !== 'number') return false;
      return formula.change === 'rises' ? is > was : is < was;
    }
    case 'event':
    case 'action':
      return here.event !== null && formula.names.includes(here.event);
    case 'time':
      return here.event === tickEvent;
    case 'previously':
      return before !== null && holdsOn(formula.of, word, before);
    case 'not':
      return !decide(formula.of);
    case 'all':
      return formula.of.every((part) => decide(part));
    case 'any':
      return formula.of.some((part) => decide(part));
    case 'when':
      return !decide(formula.when) || decide(formula.implies);
    case 'next':
      return decide(formula.of, succeed(at), at);
    case 'always': {
      const days = formula.forMs === null ? Number.POSITIVE_INFINITY : formula.forMs / dayMs;
      return walk(rounds(days), true, (place, from, passed) => {
        if (passed > days) return true;
        return decide(formula.of, place, from) ? null : false;
      });
    }
    case 'eventually':
      return decideUntil(null, formula.of, formula.withinMs, formula.withinMs === null);
    case 'until':
      return decideUntil(formula.hold, formula.until, formula.withinMs, formula.strong && formula.withinMs === null);
    case 'before':
      return walk(2, true, (place, from) => {
        if (decide(formula.before, place, from)) return false;
        return decide(formula.first, place, from) ? true : null;
      });
    case 'times':
      return walk(2, true, (place, from) => {
        if (!decide(formula.between[0], place, from)) return null;
        return countsFrom(place) ? null : false;
      });
  }

  function decideUntil(hold: Formula | null, goal: Formula, withinMs: number | null, strong: boolean): boolean {
    const days = withinMs === null ? Number.POSITIVE_INFINITY : withinMs / dayMs;
    return walk(rounds(days), !strong, (place, from, passed) => {
      if (passed > days) return false;
      if (decide(goal, place, from)) return true;
      return hold === null || decide(hold, place, from) ? null : false;
    });
  }

  function countsFrom(start: number): boolean {
    if (formula.kind !== 'times') return true;
    let count = 0;
    let [from, place] = [start, succeed(start)];
    for (let steps = 0; steps < positions.length * (formula.max + 3); steps += 1) {
      if (decide(formula.between[1], place, from)) return true;
      if (decide(formula.of, place, from)) count += 1;
      if (count > formula.max) return false;
      [from, place] = [place, succeed(place)];
    }
    return true;
  }
}

function rounds(days: number): number {
  return Number.isFinite(days) ? days + 3 : 2;
}

function read(position: WordPosition, fact: string): FactScalar {
  return fact === 'state' ? position.state : position.count;
}

function compare(position: WordPosition, { fact, by, with: right }: Extract<Formula, { kind: 'compare' }>): boolean {
  const left = read(position, fact);
  const values = 'values' in right ? right.values : ['fact' in right ? read(position, right.fact) : right.value];
  const [value] = values;
  if (by === 'in') return values.includes(left);
  if (by === 'is') return left === value;
  if (by === 'isNot') return left !== value;
  if (typeof left !== 'number' || typeof value !== 'number') return false;
  return { lessThan: left < value, atMost: left <= value, atLeast: left >= value, moreThan: left > value }[by];
}

/** State of a machine, with its key and the states that events lead to, as far as they are known. */
interface Place {
  readonly snapshot: SnapshotFrom<AnyStateMachine>;
  readonly key: string;
  readonly next: Map<string, Place>;
}

/** Runs of one machine: a transition is made once, however many words contain it. */
interface Runs {
  readonly first: Place;
  readonly places: Map<string, Place>;
}

const runs = new WeakMap<AnyStateMachine, Runs>();

function runsOn(machine: AnyStateMachine): Runs {
  const known = runs.get(machine);
  if (known !== undefined) return known;
  const places = new Map<string, Place>();
  const begun = { places, first: toPlace(places, initialTransition(machine)[0]) };
  runs.set(machine, begun);
  return begun;
}

function toPlace(places: Map<string, Place>, snapshot: SnapshotFrom<AnyStateMachine>): Place {
  const key = toKey(snapshot);
  const place = places.get(key) ?? { snapshot, key, next: new Map() };
  places.set(key, place);
  return place;
}

function follow(machine: AnyStateMachine, { snapshot, next }: Place, event: string): Place {
  const known = next.get(event);
  if (known !== undefined) return known;
  const place = toPlace(runsOn(machine).places, transition(machine, snapshot, { type: event })[0]);
  next.set(event, place);
  return place;
}

/** Runs events on a machine, and returns the positions with a key of each state. */
export function runEvents(machine: AnyStateMachine, events: readonly string[]) {
  let place = runsOn(machine).first;
  const positions: WordPosition[] = [toPosition(null, place.snapshot)];
  const keys = [place.key];
  for (const event of events) {
    place = follow(machine, place, event);
    positions.push(toPosition(event, place.snapshot));
    keys.push(place.key);
  }
  return { positions, keys };
}

interface Snapshot {
  readonly value: unknown;
  readonly context: unknown;
}

function toPosition(event: string | null, { value, context }: Snapshot): WordPosition {
  return { event, state: String(value), count: (context as { readonly count: number }).count };
}

function toKey({ value, context }: Snapshot): string {
  return JSON.stringify([value, context]);
}

/** Lists all words of a machine whose path to the end of the first cycle has at most `lengthMax` steps. */
export function listWords(
  machine: AnyStateMachine,
  events: readonly string[],
  lengthMax: number,
): readonly LassoWord[] {
  const words: LassoWord[] = [];
  const extend = (path: readonly string[]): void => {
    const { positions, keys } = runEvents(machine, path);
    const last = keys.length - 1;
    for (let at = 0; at < last; at += 1) if (keys[at] === keys[last]) words.push({ positions, next: at + 1 });
    if (path.length < lengthMax) for (const event of events) extend([...path, event]);
  };
  extend([]);
  return words;
}

import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ownTourStatesMax } from '../../core/limits.ts';
import { OwnSession } from '../../scenario/own/own-session.ts';
import type { StateGraph } from '../exploration/state-graph.ts';
import { type StateReader, tooManyStates } from './class-walk.ts';
import { type Assignment, type JourneyStep, observedStep, planJourney, toStep } from './own-journey.ts';
import type { WalkAction, WalkPlace } from './walk-actions.ts';

/** Start of tours: the facts of the tenant and of the user, with the reader of its states. */
export interface WalkStart {
  readonly given: Assignment;
  readonly reader: StateReader;
  /** Actions that tours from this start have. */
  readonly actions: ReadonlySet<WalkAction>;
}

/** Explored behavior of one user: state 0 is before the start, and its labels are the starts. */
export interface WalkGraph {
  readonly graph: StateGraph;
  readonly starts: readonly WalkStart[];
  readonly actions: readonly WalkAction[];
  /** Shortest path to each state, as labels. */
  readonly paths: readonly (readonly number[])[];
  /** True if states were left out because they are deeper than the maximum depth. */
  readonly isCut: boolean;
  /** Performs labels from the start. Returns the steps and the states that they lead to. */
  readonly perform: (labels: readonly number[]) => {
    readonly start: WalkStart;
    readonly steps: readonly JourneyStep[];
    /** Labels of the steps. Impossible ones are left out. */
    readonly taken: readonly number[];
    /** State before each step, and after the last one. */
    readonly states: readonly number[];
  };
}

interface Node {
  readonly session: OwnSession;
  readonly depth: number;
}

/** Behavior of one start: targets by state and label, -1 where an action is impossible. */
interface Part {
  readonly start: WalkStart;
  readonly keys: readonly string[];
  readonly targets: readonly (readonly number[])[];
  readonly paths: readonly (readonly number[])[];
  readonly isCut: boolean;
}

/**
 * Explores what one user can do from several starts. Starts with the behavior of an earlier one are left out.
 *
 * @param depthMax - maximum number of actions, or infinite
 * @throws NotCompiled `RC3` if there are too many states
 */
export function exploreWalks(
  ruleset: OwnRuleset,
  starts: readonly WalkStart[],
  actions: readonly WalkAction[],
  depthMax: number,
): WalkGraph {
  const parts: Part[] = [];
  const seen = new Set<string>();
  let states = 1;
  for (const start of starts) {
    const { part, behavior } = explorePart(ruleset, start, actions, depthMax, ownTourStatesMax - states);
    if (seen.has(behavior)) continue;
    seen.add(behavior);
    parts.push(part);
    states += part.keys.length;
  }
  return join(ruleset, parts, actions, states);
}

function explorePart(
  ruleset: OwnRuleset,
  start: WalkStart,
  actions: readonly WalkAction[],
  depthMax: number,
  statesMax: number,
): { readonly part: Part; readonly behavior: string } {
  const { reader } = start;
  const first = beginSession(ruleset, start.given);
  const keys = [reader.key(first)];
  const known = new Map([[keys[0] ?? '', 0]]);
  const paths: (readonly number[])[] = [[]];
  const queue: Node[] = [{ session: first, depth: 0 }];
  const targets: number[][] = [];
  const results: unknown[] = [];
  let isCut = false;
  for (let state = 0; state < queue.length; state += 1) {
    const node = queue[state] as Node;
    const row: number[] = [];
    targets.push(row);
    const place = reader.place(node.session);
    const isDeep = node.depth >= depthMax;
    isCut ||= isDeep;
    for (const [label, action] of actions.entries()) {
      const taken = isDeep || !start.actions.has(action) ? null : takeAction(action, place);
      results.push(taken?.seen ?? null);
      if (taken === null) {
        row.push(-1);
        continue;
      }
      const key = reader.key(taken.session);
      const target = known.get(key) ?? keys.length;
      row.push(target);
      if (target < keys.length) continue;
      known.set(key, target);
      keys.push(key);
      paths.push([...(paths[state] ?? []), label]);
      queue.push({ session: taken.session, depth: node.depth + 1 });
      if (keys.length > statesMax) throw tooManyStates();
    }
    // The session of an expanded state is not needed any more.
    queue[state] = { ...node, session: first };
  }
  return { part: { start, keys, targets, paths, isCut }, behavior: JSON.stringify([targets, results]) };
}

function beginSession(ruleset: OwnRuleset, given: Assignment): OwnSession {
  return new OwnSession(planJourney(ruleset, { name: 'tour', given, steps: [] }));
}

function takeAction(action: WalkAction, place: WalkPlace) {
  const step = action.step(place);
  return step === null ? null : take(place.session, step);
}

/** Performs a step on a copy of a session. Returns `null` if the step is impossible. */
function take(session: OwnSession, step: JourneyStep): { readonly session: OwnSession; readonly seen: unknown } | null {
  const copy = session.fork();
  try {
    const observation = copy.perform(toStep(step));
    const { nextPromptAt: _time, deadlineAt: _deadline, ...seen } = observedStep(observation, copy);
    return { session: copy, seen };
  } catch (error) {
    if (error instanceof NudgeLabError) return null;
    throw error;
  }
}

function join(ruleset: OwnRuleset, parts: readonly Part[], actions: readonly WalkAction[], states: number): WalkGraph {
  const labels = actions.length + parts.length;
  const targets = new Int32Array(states * labels);
  const paths: (readonly number[])[] = [[]];
  const offsets: number[] = [];
  let offset = 1;
  targets.fill(-1, 0, labels);
  for (const [number, part] of parts.entries()) {
    const begin = actions.length + number;
    offsets.push(offset);
    targets[begin] = offset;
    for (const [state, row] of part.targets.entries()) {
      const from = offset + state;
      for (let label = 0; label < labels; label += 1) {
        const target = row[label] ?? -1;
        targets[from * labels + label] = target < 0 ? -1 : offset + target;
      }
      paths.push([begin, ...(part.paths[state] ?? [])]);
    }
    offset += part.keys.length;
  }
  const numbers = parts.map(({ keys }) => new Map(keys.map((key, state) => [key, state])));
  const perform = (taken: readonly number[]) => {
    const [begin = actions.length, ...rest] = taken;
    const number = begin - actions.length;
    const { start } = parts[number] as Part;
    let session = beginSession(ruleset, start.given);
    const findState = (one: OwnSession): number =>
      (offsets[number] ?? 0) + (numbers[number]?.get(start.reader.key(one)) ?? Number.NaN);
    const steps: JourneyStep[] = [];
    const done: number[] = [];
    const reached = [findState(session)];
    for (const label of rest) {
      const action = actions[label] as WalkAction;
      const step = start.actions.has(action) ? action.step(start.reader.place(session)) : null;
      const next = step === null ? null : take(session, step);
      if (next === null || step === null) continue;
      session = next.session;
      steps.push(step);
      done.push(label);
      reached.push(findState(session));
    }
    return { start, steps, taken: done, states: reached };
  };
  return {
    graph: { states, labels, targets },
    starts: parts.map(({ start }) => start),
    actions,
    paths,
    isCut: parts.some((part) => part.isCut),
    perform,
  };
}

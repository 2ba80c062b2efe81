import { describe, expect, test } from 'vitest';
import { getAdjacencyMap, getShortestPaths } from 'xstate/graph';
import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import { nudgeQuotient } from '../../machines/nudge-quotient.ts';
import { type NudgeState, nudgeStates } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { minuteMs, type NudgeSnapshot } from './nudge-lifecycle.ts';

const timed = { nowMs: 0, limited: true, snoozeDays: 1 };
const method = 'vendorAuthenticator';

const p1 = { promptId: 'p1' };

/** Edge of the adjacency map, as the package returns it. */
interface Edge {
  readonly event: NudgeEvent;
  readonly state: NudgeSnapshot;
}

/**
 * Small finite alphabet of events. One tab has every event, and a second tab is only shown and skipped. The limit is
 * on, the snooze duration is one day, and time moves only past the expiry of every prompt.
 */
const events: readonly NudgeEvent[] = [
  { type: 'prompt.shown', ...p1, method, required: false, nowMs: 0 },
  { type: 'prompt.nextSelected', ...p1 },
  { type: 'prompt.skipped', ...p1, ...timed },
  { type: 'browser.closed', ...p1, nowMs: 0 },
  { type: 'prompt.resumed', ...p1 },
  { type: 'setup.completed', ...p1 },
  { type: 'setup.failed', ...p1 },
  { type: 'errorScreen.skipped', ...p1, ...timed },
  { type: 'prompt.shown', promptId: 'p2', method, required: true, nowMs: 0 },
  { type: 'prompt.skipped', promptId: 'p2', ...timed },
  { type: 'pendingClose.settled', ...timed },
  { type: 'time.passed', ...timed, nowMs: 15 * minuteMs },
  { type: 'method.removed', method, ...timed },
  { type: 'method.registered', method },
  { type: 'snooze.set', count: 0, snoozedAtMs: null },
];

const stepsMax = 20_000;

/** Options that identify a state by its quotient, which is finite, and by the ids of its open prompts. */
const options = {
  input: { count: 0, snoozedAtMs: null },
  events: [...events],
  limit: stepsMax,
  serializeState: (snapshot: { readonly value: unknown; readonly context: Parameters<typeof nudgeQuotient>[1] }) =>
    JSON.stringify([
      nudgeQuotient(snapshot.value as NudgeState, snapshot.context, 0),
      snapshot.context.openPrompts.map(({ id }) => id),
    ]),
};

describe('Graph of the nudge machine', () => {
  const edges = Object.values(getAdjacencyMap(nudgeMachine, options)).flatMap(({ state, transitions }) =>
    (Object.values(transitions) as readonly Edge[]).map(({ event, state: next }) => ({
      event: event.type,
      from: state.value as NudgeState,
      to: next.value as NudgeState,
    })),
  );

  test('A38: every state is reachable from every other state', () => {
    for (const state of nonEmpty(nudgeStates)) {
      const found = new Set<NudgeState>([state]);
      for (const one of found) for (const { from, to } of edges) if (from === one) found.add(to);
      expect([...found].sort()).toEqual([...nudgeStates].sort());
    }
  });

  test('A1 to A48: the state space is finite and was explored completely', () => {
    expect(edges.length).toBeGreaterThan(1000);
    expect(edges.length).toBeLessThan(stepsMax);
  });

  /**
   * State changes allowed for each event by the table and the assumptions of the specification, without self-loops.
   * Handwritten.
   */
  const moves: Readonly<Record<NudgeEvent['type'], readonly string[]>> = {
    'prompt.shown': [
      'notPrompted>prompted',
      'notPrompted>registrationRequired',
      'prompted>registrationRequired',
      'registered>prompted',
      'registered>registrationRequired',
      'registrationRequired>prompted',
      'snoozed>prompted',
      'snoozed>registrationRequired',
    ],
    'prompt.nextSelected': [],
    'prompt.resumed': [],
    'browser.closed': [],
    'setup.failed': [],
    'prompt.skipped': [
      'prompted>registrationRequired',
      'prompted>snoozed',
      'registrationRequired>snoozed',
      'snoozed>registrationRequired',
    ],
    'setup.completed': ['prompted>registered', 'registrationRequired>registered', 'snoozed>registered'],
    'method.registered': [
      'notPrompted>registered',
      'prompted>registered',
      'registrationRequired>registered',
      'snoozed>registered',
    ],
    'errorScreen.skipped': ['prompted>notPrompted', 'prompted>snoozed'],
    'pendingClose.settled': ['prompted>notPrompted', 'prompted>snoozed', 'registrationRequired>snoozed'],
    'time.passed': ['prompted>notPrompted', 'prompted>snoozed', 'registrationRequired>snoozed'],
    'method.removed': ['registered>notPrompted', 'registered>snoozed'],
    // A reset snooze is not running if another prompt was open, so that prompt determines the state.
    'snooze.set': ['registrationRequired>notPrompted', 'snoozed>notPrompted', 'snoozed>prompted'],
  };

  test.for(Object.entries(moves))('A38: %s changes the state only as the table specifies', ([type, allowed]) => {
    const seen = edges.filter(({ event, from, to }) => event === type && from !== to);
    expect([...new Set(seen.map(({ from, to }) => `${from}>${to}`))].sort()).toEqual(allowed);
  });

  test.for([
    ['notPrompted', 0],
    ['prompted', 1],
    ['registrationRequired', 1],
    ['registered', 1],
    ['snoozed', 2],
  ] as const)('A38: the shortest path to %s has %i steps', ([state, steps]) => {
    const paths = getShortestPaths(nudgeMachine, options).filter((path) => path.state.value === state);
    // Every path starts with the step that starts the machine.
    expect(Math.min(...paths.map((path) => path.steps.length)) - 1).toBe(steps);
  });
});

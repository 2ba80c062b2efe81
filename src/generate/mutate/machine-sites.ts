import { createMachine } from 'xstate';
import type { AnyStateMachine } from '../../compiled/model.ts';
import { isPlainObject } from '../../core/merge-patch.ts';

/** Transition as written in a configuration, in its long form. */
export interface WrittenTransition {
  readonly guard?: unknown;
  readonly target?: unknown;
  readonly actions?: readonly unknown[];
  readonly reenter?: boolean;
}

/** Location of an event's transitions in a configuration; they are tried in order. */
export interface TransitionList {
  /** Keys from the root of the configuration to the list. */
  readonly path: readonly string[];
  /** Keys of the state that contains them; empty for the root. */
  readonly state: readonly string[];
  /** Event name, or `always` or `onDone`. */
  readonly event: string;
  readonly transitions: readonly WrittenTransition[];
}

/** Location of the entry or exit actions of a state. */
export interface ActionList {
  readonly path: readonly string[];
  readonly state: readonly string[];
  readonly event: 'entry' | 'exit';
  readonly actions: readonly unknown[];
}

type Config = Readonly<Record<string, unknown>>;

/** Lists all transition lists of a machine, in the order of its configuration. */
export function transitionLists(machine: AnyStateMachine): readonly TransitionList[] {
  return listNodes(machine.config as Config, [], []).flatMap(({ config, path, state }) => [
    ...Object.entries((config['on'] ?? {}) as Config).map(([event, written]) => ({
      path: [...path, 'on', event],
      state,
      event,
      transitions: spelt(written),
    })),
    ...(['always', 'onDone'] as const)
      .filter((event) => config[event] !== undefined)
      .map((event) => ({ path: [...path, event], state, event, transitions: spelt(config[event]) })),
  ]);
}

/** Lists all entry and exit action lists of a machine. */
export function actionLists(machine: AnyStateMachine): readonly ActionList[] {
  return listNodes(machine.config as Config, [], []).flatMap(({ config, path, state }) =>
    (['entry', 'exit'] as const)
      .filter((event) => config[event] !== undefined)
      .map((event) => ({ path: [...path, event], state, event, actions: listed(config[event]) })),
  );
}

/**
 * Returns the machine with one value of its configuration replaced and the same implementations.
 * @param path - keys of the value
 */
export function machineWith<M extends AnyStateMachine>(machine: M, path: readonly string[], value: unknown): M {
  const config = replaced(machine.config as Config, path, value);
  return createMachine(config as never, machine.implementations as never) as unknown as M;
}

/**
 * Returns the ids in `meta.rules` of a state; empty if it has none.
 * @param state - keys of the state
 */
export function listRules(machine: AnyStateMachine, state: readonly string[]): readonly string[] {
  const rules = (findConfig(machine, state)?.['meta'] as Config | undefined)?.['rules'];
  return Array.isArray(rules) ? rules.filter((id): id is string => typeof id === 'string') : [];
}

/** Returns the ids in `meta.rules` of the source and target states of a transition. */
export function rulesAround(machine: AnyStateMachine, state: readonly string[], target: unknown): readonly string[] {
  if (typeof target !== 'string') return listRules(machine, state);
  const aim = target.startsWith('.') ? [...state, target.slice(1)] : [...state.slice(0, -1), target];
  return [...new Set([...listRules(machine, state), ...listRules(machine, aim)])];
}

/** Returns the names of the child states of a state. */
export function listChildren(machine: AnyStateMachine, state: readonly string[]): readonly string[] {
  return Object.keys((findConfig(machine, state)?.['states'] ?? {}) as Config);
}

function findConfig(machine: AnyStateMachine, state: readonly string[]): Config | undefined {
  let config = machine.config as Config | undefined;
  for (const key of state) config = (config?.['states'] as Config | undefined)?.[key] as Config | undefined;
  return config;
}

interface Node {
  readonly config: Config;
  readonly path: readonly string[];
  readonly state: readonly string[];
}

function listNodes(config: Config, path: readonly string[], state: readonly string[]): readonly Node[] {
  const children = Object.entries((config['states'] ?? {}) as Readonly<Record<string, Config>>);
  return [
    { config, path, state },
    ...children.flatMap(([key, child]) => listNodes(child, [...path, 'states', key], [...state, key])),
  ];
}

function spelt(written: unknown): readonly WrittenTransition[] {
  if (written === undefined) return [];
  return (Array.isArray(written) ? written : [written]).map((one: unknown) => {
    if (!isPlainObject(one)) return { target: one };
    const { actions, ...rest } = one;
    return { ...rest, ...(actions === undefined ? {} : { actions: listed(actions) }) };
  });
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function replaced(config: Config, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  return { ...config, [key]: replaced((config[key] ?? {}) as Config, rest, value) };
}

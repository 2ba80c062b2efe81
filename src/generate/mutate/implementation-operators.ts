import { type AnyStateMachine, assign } from 'xstate';
import { type LeafChange, type LeafPath, leafChanges, numberPaths, reapplied, withNumbers } from './leaf-paths.ts';
import type { MachineMutant, MachineOperator, Population } from './machine-mutant.ts';
import { rulesAround, transitionLists } from './machine-sites.ts';
import { getImplementationName } from './transition-operators.ts';

/** Arguments of a guard or an action. */
interface Given {
  readonly context: unknown;
  readonly event: { readonly type: string };
}

type Guard = (given: Given, params: unknown) => unknown;
type Assignment = ((given: Given, params: unknown) => object) | Readonly<Record<string, unknown>>;

interface Use {
  /** Rules of the states that use it. */
  readonly rules: readonly string[];
  readonly events: ReadonlySet<string>;
  readonly params: unknown;
}

/**
 * Creates mutants of named guards and actions for every use in the machine: a guard that reads a number as one more or
 * one less, and an action that omits or repeats one of its changes. Calls on the population show what they read and
 * change.
 */
export function implementationMutants<M extends AnyStateMachine>(
  machine: M,
  population: Population<M>,
): readonly MachineMutant<M>[] {
  const { guards, actions } = machine.implementations as {
    readonly guards?: Readonly<Record<string, unknown>>;
    readonly actions?: Readonly<Record<string, unknown>>;
  };
  return [
    ...Object.entries(guards ?? {}).flatMap(([name, guard]) =>
      typeof guard === 'function' && !('check' in guard) ? guardMutants(machine, name, guard as Guard, population) : [],
    ),
    ...Object.entries(actions ?? {}).flatMap(([name, action]) => {
      const assignment = findAssignment(action);
      return assignment === null ? [] : actionMutants(machine, name, assignment, population);
    }),
  ];
}

function guardMutants<M extends AnyStateMachine>(
  machine: M,
  name: string,
  guard: Guard,
  population: Population<M>,
): readonly MachineMutant<M>[] {
  const use = findUse(machine, name, 'guard');
  const paths = numbersThatDecide(guard, use, population);
  return paths.flatMap((path) =>
    [1, -1].map((by): MachineMutant<M> => {
      const bent: Guard = (given, params) =>
        guard(withNumbers(pick(given), path, (number) => number + by) as Given, params);
      return {
        id: `${machine.id} guard ${name}: ${path.join('.')} read as one ${by > 0 ? 'more' : 'less'}`,
        operator: 'guard-off-by-one',
        place: `${machine.id} guard ${name}`,
        rules: use.rules,
        machine: machine.provide({ guards: { [name]: bent } } as never) as unknown as M,
      };
    }),
  );
}

/** Lists the numbers of context and event that a guard reads, recorded through a proxy. */
function numbersThatDecide(guard: Guard, use: Use, population: Population): readonly LeafPath[] {
  const found = new Map<string, LeafPath>();
  for (const given of listCalls(use, population)) {
    const read = new Set<string>();
    try {
      guard(
        { context: watched(given.context, ['context'], read), event: watched(given.event, ['event'], read) } as Given,
        use.params,
      );
    } catch {
      // A guard can throw for an event that it was not written for.
      continue;
    }
    for (const path of numberPaths(given)) if (read.has(path.join('.'))) found.set(path.join('.'), path);
  }
  return [...found.values()];
}

function actionMutants<M extends AnyStateMachine>(
  machine: M,
  name: string,
  assignment: Assignment,
  population: Population<M>,
): readonly MachineMutant<M>[] {
  const use = findUse(machine, name, 'action');
  return changesBy(assignment, use, population).flatMap((change) =>
    listFaults(change).map(({ operator, what, instead }): MachineMutant<M> => {
      const bent = assign(((given: Given, params: unknown) => {
        const context = given.context as object;
        const after = { ...context, ...assigned(assignment, given, params) };
        return reapplied(context, after, change.path, instead);
      }) as never);
      return {
        id: `${machine.id} action ${name}: ${change.path.join('.')} ${what}`,
        operator,
        place: `${machine.id} action ${name}`,
        rules: use.rules,
        machine: machine.provide({ actions: { [name]: bent } } as never) as unknown as M,
      };
    }),
  );
}

interface ActionFault {
  readonly operator: MachineOperator;
  readonly what: string;
  readonly instead: (before: unknown, after: unknown) => unknown;
}

function listFaults({ kind }: LeafChange): readonly ActionFault[] {
  const kept = (before: unknown): unknown => before;
  const twice = (before: unknown, after: unknown): unknown =>
    typeof before === 'number' && typeof after === 'number' && after > before ? after + (after - before) : after;
  switch (kind) {
    case 'raised':
      return [
        { operator: 'counter-not-incremented', what: 'is not raised', instead: keptIf('raised') },
        { operator: 'counter-incremented-twice', what: 'is raised twice', instead: twice },
      ];
    case 'lowered':
      return [{ operator: 'counter-not-reset', what: 'is not lowered', instead: keptIf('lowered') }];
    case 'cleared':
      return [{ operator: 'counter-not-reset', what: 'is not cleared', instead: kept }];
    case 'changed':
      return [{ operator: 'change-dropped', what: 'stays as it is', instead: kept }];
  }
}

function keptIf(kind: 'raised' | 'lowered') {
  return (before: unknown, after: unknown): unknown => {
    if (typeof before !== 'number' || typeof after !== 'number') return after;
    return (kind === 'raised' ? after > before : after < before) ? before : after;
  };
}

function changesBy(assignment: Assignment, use: Use, population: Population): readonly LeafChange[] {
  const found = new Map<string, LeafChange>();
  for (const given of listCalls(use, population)) {
    let after: object;
    try {
      after = { ...(given.context as object), ...assigned(assignment, given, use.params) };
    } catch {
      // An action can throw for an event that it was not written for.
      continue;
    }
    for (const change of leafChanges(given.context, after)) {
      found.set(`${change.path.join('.')} ${change.kind}`, change);
    }
  }
  return [...found.values()];
}

/** Yields the possible calls of a guard or an action: the states of the population with the events that use it. */
function* listCalls({ events }: Use, population: Population): Iterable<Given> {
  const used = population.events.filter(({ type }) => events.size === 0 || events.has(type) || events.has('*'));
  for (const { context } of population.states as readonly { readonly context: unknown }[]) {
    for (const event of used) yield { context, event };
  }
}

function findUse(machine: AnyStateMachine, name: string, kind: 'guard' | 'action'): Use {
  const uses = transitionLists(machine).flatMap(({ state, event, transitions }) =>
    transitions.flatMap(({ guard, actions = [], target }) => {
      const used = (kind === 'guard' ? [guard] : actions).find((one) => getImplementationName(one) === name);
      return used === undefined ? [] : [{ used, event, rules: rulesAround(machine, state, target) }];
    }),
  );
  const rules = new Set(uses.flatMap((use) => use.rules));
  return {
    rules: rules.size > 0 ? [...rules] : [machine.id],
    events: new Set(uses.map(({ event }) => event)),
    params: uses
      .map(({ used }) => (used as { readonly params?: unknown }).params)
      .find((params) => params !== undefined),
  };
}

function findAssignment(action: unknown): Assignment | null {
  const { type, assignment } = (action ?? {}) as { readonly type?: unknown; readonly assignment?: Assignment };
  return type === 'xstate.assign' && assignment !== undefined ? assignment : null;
}

function assigned(assignment: Assignment, given: Given, params: unknown): object {
  if (typeof assignment === 'function') return assignment(given, params);
  const entries = Object.entries(assignment).map(([key, value]) => [
    key,
    typeof value === 'function' ? (value as (given: Given, params: unknown) => unknown)(given, params) : value,
  ]);
  return Object.fromEntries(entries) as object;
}

/** Returns only context and event, in which numbers are changed. */
function pick({ context, event }: Given): Given {
  return { context, event };
}

/** Wraps a value in a proxy that records the path of every key that is read; all array items share one path. */
function watched(value: unknown, path: LeafPath, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, key) => {
      const held: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || typeof held === 'function') return held;
      const inner = [...path, Array.isArray(target) && /^\d+$/.test(key) ? '*' : key];
      read.add(inner.join('.'));
      return watched(held, inner, read);
    },
  });
}

import { not } from 'xstate';
import type { AnyStateMachine } from '../../compiled/model.ts';
import type { MachineMutant, MachineOperator } from './machine-mutant.ts';
import {
  actionLists,
  listChildren,
  listRules,
  machineWith,
  rulesAround,
  type TransitionList,
  transitionLists,
  type WrittenTransition,
} from './machine-sites.ts';

/** Maximum number of other target states per transition, each for one mutant. */
const otherTargetsMax = 2;

/** Creates the mutants of single transitions: guards, targets, actions, order and presence. */
export function transitionMutants<M extends AnyStateMachine>(machine: M): readonly MachineMutant<M>[] {
  return [
    ...transitionLists(machine).flatMap((list) => mutantsOfList(machine, list)),
    ...actionLists(machine).flatMap(({ path, state, event, actions }) =>
      actions.map((action, at): MachineMutant<M> => {
        const place = `${machine.id} ${stateName(state)} ${event}`;
        return {
          id: `${place}: ${getImplementationName(action)} is not done`,
          operator: 'action-dropped',
          place,
          rules: orMachine(listRules(machine, state), machine),
          machine: machineWith(machine, path, actions.toSpliced(at, 1)),
        };
      }),
    ),
  ];
}

interface Fault {
  readonly operator: MachineOperator;
  readonly what: string;
  readonly transitions: readonly WrittenTransition[];
}

function mutantsOfList<M extends AnyStateMachine>(machine: M, list: TransitionList): readonly MachineMutant<M>[] {
  const { path, state, event, transitions } = list;
  return transitions.flatMap((transition, at) => {
    const place = `${machine.id} ${stateName(state)} on ${event}${transitions.length > 1 ? ` [${at + 1}]` : ''}`;
    const rules = orMachine(rulesAround(machine, state, transition.target), machine);
    return listFaults(machine, list, transition, at).map(
      ({ operator, what, transitions: changed }): MachineMutant<M> => ({
        id: `${place}: ${what}`,
        operator,
        place,
        rules,
        machine: machineWith(machine, path, changed),
      }),
    );
  });
}

function listFaults(
  machine: AnyStateMachine,
  list: TransitionList,
  transition: WrittenTransition,
  at: number,
): readonly Fault[] {
  const { transitions } = list;
  const put = (...others: readonly WrittenTransition[]) => transitions.toSpliced(at, 1, ...others);
  const { guard, target, actions = [] } = transition;
  const next = transitions[at + 1];
  const faults: Fault[] = [];
  const add = (operator: MachineOperator, what: string, changed: readonly WrittenTransition[]) =>
    faults.push({ operator, what, transitions: changed });
  if (guard === undefined) add('transition-removed', 'missing', put());
  else {
    add(
      'guard-negated',
      `taken unless ${getImplementationName(guard)}`,
      put({ ...transition, guard: not(guard as never) }),
    );
    const { guard: _dropped, ...unguarded } = transition;
    add('guard-dropped', `taken whatever ${getImplementationName(guard)} says`, put(unguarded));
    add(
      'guard-never',
      `never taken, whatever ${getImplementationName(guard)} says`,
      put({ ...transition, guard: () => false }),
    );
  }
  if (next !== undefined) {
    add('transitions-swapped', 'tried after the next one', transitions.toSpliced(at, 2, next, transition));
  }
  if (target !== undefined) {
    const { target: _left, ...staying } = transition;
    add('target-dropped', 'leads nowhere', put(staying));
    for (const other of otherTargets(machine, list, target)) {
      add('target-changed', `leads to ${other.replace(/^\./, '')}`, put({ ...transition, target: other }));
    }
  }
  for (const [place, action] of actions.entries()) {
    const rest = actions.toSpliced(place, 1);
    add('action-dropped', `${getImplementationName(action)} is not done`, put({ ...transition, actions: rest }));
  }
  return faults;
}

/** Lists the states that follow a target in the order of the machine, in the notation of the transition. */
function otherTargets(machine: AnyStateMachine, { state }: TransitionList, target: unknown): readonly string[] {
  const [, dot, name] = typeof target === 'string' ? (/^(\.?)([\w-]+)$/.exec(target) ?? []) : [];
  if (dot === undefined || name === undefined) return [];
  const beside = listChildren(machine, dot === '.' ? state : state.slice(0, -1));
  const at = beside.indexOf(name);
  if (at < 0) return [];
  const others = [...beside.slice(at + 1), ...beside.slice(0, at)];
  return others.slice(0, otherTargetsMax).map((other) => `${dot}${other}`);
}

function orMachine(rules: readonly string[], machine: AnyStateMachine): readonly string[] {
  return rules.length > 0 ? rules : [machine.id];
}

function stateName(state: readonly string[]): string {
  return state.length === 0 ? 'anywhere' : state.join('.');
}

/** Returns a readable name of a guard or an action. */
export function getImplementationName(implementation: unknown): string {
  if (typeof implementation === 'string') return implementation;
  const { type, name } = (implementation ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  if (typeof type === 'string' && typeof implementation !== 'function') return type;
  return typeof name === 'string' && name !== '' && !name.startsWith('check') ? name : 'an inline function';
}

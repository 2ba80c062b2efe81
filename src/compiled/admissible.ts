import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import type { AnyStateMachine } from './model.ts';

type Node = AnyStateMachine['root'];

/**
 * Throws an error if events alone cannot explore a machine: `alphabet-empty` without events, and
 * `machine-not-explorable` with the name of the state for `after` and `invoke`.
 */
export function assertExplorable(machine: AnyStateMachine, events: readonly { readonly type: string }[]): void {
  if (events.length === 0) {
    throw new NudgeLabError('alphabet-empty', { message: `No events are defined for the machine "${machine.id}".` });
  }
  const problems = findProblems(machine.root);
  if (problems.length > 0) throw new NudgeLabError('machine-not-explorable', { problems });
}

function findProblems(node: Node): readonly ValidationProblem[] {
  const found: ValidationProblem[] = [];
  const place = `state "${node.id}"`;
  const config = node.config as { readonly after?: object };
  if (config.after !== undefined && Object.keys(config.after).length > 0) {
    const delays = Object.keys(config.after).join(', ');
    found.push({
      location: place,
      message: `has a delayed transition (${delays}); use an event for the elapsed time instead`,
    });
  }
  if (node.invoke.length > 0) {
    const sources = node.invoke.map(({ src }) => (typeof src === 'string' ? src : 'an inline actor')).join(', ');
    found.push({ location: place, message: `invokes ${sources}; use an event for the result instead` });
  }
  if (found.length === 0) found.push(...hiddenIn(node).map((message) => ({ location: place, message })));
  return [...found, ...Object.values(node.states).flatMap((child) => findProblems(child as Node))];
}

/** Lists effects of a state's actions that no event of the alphabet causes: delayed events and spawned actors. */
function hiddenIn({ entry, exit, transitions, machine }: Node): readonly string[] {
  const named = machine.implementations.actions as Readonly<Record<string, unknown>>;
  const given: readonly unknown[] = [
    ...entry,
    ...exit,
    ...[...transitions.values()].flatMap((definitions) => definitions.flatMap(({ actions }) => actions)),
  ];
  const messages = given.flatMap((action) => {
    const name = typeof action === 'string' ? action : (action as { readonly type?: string } | null)?.type;
    const { type, delay } = (named[name ?? ''] ?? action) as { readonly type?: string; readonly delay?: unknown };
    if (type === 'xstate.spawnChild') return ['starts an actor; use an event for its result instead'];
    const isLate = type === 'xstate.raise' && delay !== undefined && delay !== 0;
    return isLate ? ['raises a delayed event; use an event for the elapsed time instead'] : [];
  });
  return [...new Set(messages)];
}

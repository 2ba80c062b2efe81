import type { AnyStateMachine, Model } from '../../compiled/model.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';

/** Description of the exports that a user's module needs. */
const wanted = 'export `machine`, an XState 5 machine, and `events`, an array of the events to send';

/**
 * Creates a model from a module's exports: `machine` and `events`, and optionally `input`, `serialize` and
 * `invariants`.
 * @throws `config-invalid` if exports are missing; the error lists them
 */
export function givenModel(name: string, exported: Readonly<Record<string, unknown>>): Model {
  const { machine, events, input, serialize, invariants } = exported;
  const problems: ValidationProblem[] = [];
  const refuse = (place: string, message: string) => problems.push({ location: `${name}: ${place}`, message });
  if (!isMachine(machine)) refuse('machine', `is not a machine; ${wanted}`);
  if (!Array.isArray(events) || !events.every(isEvent))
    refuse('events', `must be a list of events with a type; ${wanted}`);
  if (serialize !== undefined && typeof serialize !== 'function')
    refuse('serialize', 'must be a function that takes a snapshot');
  for (const [index, invariant] of (Array.isArray(invariants) ? invariants : []).entries()) {
    if (!isInvariant(invariant))
      refuse(`invariants.${index}`, 'must have id, sentence, of ("state" or "edge") and holds');
  }
  if (invariants !== undefined && !Array.isArray(invariants)) refuse('invariants', 'must be a list');
  if (problems.length > 0) throw new NudgeLabError('config-invalid', { problems });
  return { name, machine, events, input, serialize: serialize, invariants } as Model;
}

function isMachine(value: unknown): value is AnyStateMachine {
  const { root, transition } = (value ?? {}) as { readonly root?: unknown; readonly transition?: unknown };
  return typeof root === 'object' && typeof transition === 'function';
}

function isEvent(value: unknown): boolean {
  return typeof (value as { readonly type?: unknown } | null)?.type === 'string';
}

function isInvariant(value: unknown): boolean {
  const { id, sentence, of, holds } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof id === 'string' &&
    typeof sentence === 'string' &&
    (of === 'state' || of === 'edge') &&
    typeof holds === 'function'
  );
}

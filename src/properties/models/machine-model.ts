import { getInitialState } from '../../compiled/bounded-step.ts';
import type { AnyStateMachine, Model, SnapshotFrom } from '../../compiled/model.ts';
import { eventsSent } from '../../generate/exploration/product.ts';
import type { FactScalar } from '../language/formula.ts';
import type { ModelFact, ProductModel } from './property-model.ts';

/** Deepest part of a context that is a fact. */
const depthMax = 4;

/** Event of a machine that advances its clock. */
export interface MachineClock {
  /** Type of the event. */
  readonly event: string;
  /** Duration of one such event in milliseconds. */
  readonly stepMs: number;
}

/**
 * Creates the model of one machine. Its facts are `state`, `page` and the values of its context, such as
 * `context.count`; a list is a fact by its `length`.
 *
 * @param model - the machine with its alphabet
 * @param clock - event by which time passes; `null` without a clock
 * @returns the model
 */
export function machinePropertyModel(model: Model, clock: MachineClock | null = null): ProductModel {
  const { name, machine, events, from, input } = model;
  const types = events.map(({ type }) => String(type));
  const actions = events.map((event, at) => {
    const isOnly = types.filter((type) => type === types[at]).length === 1;
    return { name: isOnly ? (types[at] as string) : JSON.stringify(event), moves: [eventsSent(name, event)] };
  });
  const first = from ?? getInitialState(machine, input as never);
  const read = (fact: string, view: (state: SnapshotFrom<AnyStateMachine>) => FactScalar): ModelFact => ({
    name: fact,
    reads: [{ part: name, view }],
    value: ([value]) => value as FactScalar,
  });
  return {
    name,
    product: { name, parts: [model], actions, invariants: [] },
    facts: [
      read('state', ({ value }) => formatState(value)),
      read('page', (state) => findPage(state)),
      ...listContextFacts(first.context).map((path) =>
        read(['context', ...path].join('.'), ({ context }) => readPath(context, path)),
      ),
    ],
    clock:
      clock === null
        ? null
        : { stepMs: clock.stepMs, advances: ({ events: sent }) => sent.some(({ type }) => type === clock.event) },
    takenWithoutEvent: new Set(),
    toJourney: null,
    ...(model.limitStates === undefined ? {} : { limitStates: model.limitStates }),
  };
}

/** Formats the value of a state: the names of nested states with dots, and parallel ones in braces. */
function formatState(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return `${only[0]}.${formatState(only[1])}`;
  return `{${entries.map(([name, inner]) => `${name}.${formatState(inner)}`).join(', ')}}`;
}

function findPage(state: SnapshotFrom<AnyStateMachine>): string | null {
  const descriptions = Object.values(
    state.getMeta() as Readonly<Record<string, { readonly page?: unknown } | undefined>>,
  );
  const pages = descriptions.map((meta) => meta?.page).filter((page) => typeof page === 'string');
  return pages.at(-1) ?? null;
}

function listContextFacts(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (Array.isArray(value)) return [[...path, 'length']];
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  if (path.length >= depthMax) return [];
  return Object.entries(value).flatMap(([name, part]) => listContextFacts(part, [...path, name]));
}

function readPath(value: unknown, path: readonly string[]): FactScalar {
  let part = value;
  for (const key of path) part = (part as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return typeof part === 'object' || part === undefined ? null : (part as FactScalar);
}

import { initialTransition, transition } from 'xstate';
import type { AnyStateMachine, EventFrom, Model, SnapshotFrom } from '../../compiled/model.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { type Artefact, createSlug, type Heading } from './artefact.ts';
import { literal } from './code-literal.ts';

/** Tests of a user's own machine, as lists of events. */
export interface MachineTests {
  readonly model: Model;
  /** Import path of the module that exports the machine. */
  readonly module: string;
  /** Name of the tests, such as their coverage criterion. */
  readonly what: string;
  readonly tests: readonly (readonly EventFrom<AnyStateMachine>[])[];
}

/** Expected state after an event: its value, and its context if that is plain data. */
interface Seen {
  readonly value: unknown;
  readonly context?: unknown;
}

/** Generates a Vitest spec of a machine that depends only on the machine's module, XState and Vitest. */
export function machineSpec(given: MachineTests, { title, comment }: Heading): Artefact {
  const { model, module, what, tests } = given;
  const input = model.input === undefined ? '' : ', { input }';
  const digits = String(tests.length).length;
  const bodies = tests.map((events, index) => {
    const [first, ...seen] = listStates(model, events);
    const lines = [
      `  const actor = createActor(machine${input}).start();`,
      `  expect(actor.getSnapshot()).toMatchObject(${literal(first, 2, 47)});`,
      ...events.flatMap((event, at) => [
        '',
        `  actor.send(${literal(event, 2, 13)});`,
        `  expect(actor.getSnapshot()).toMatchObject(${literal(seen[at], 2, 47)});`,
      ]),
    ];
    const name = `${what}, test ${String(index + 1).padStart(digits, '0')} of ${tests.length}`;
    return `test(${literal(name)}, () => {\n${lines.join('\n')}\n});`;
  });
  const exported = model.input === undefined ? 'machine' : 'input, machine';
  const head = [
    ...comment.split('\n').map((line) => `// ${line}`.trimEnd()),
    "import { expect, test } from 'vitest';",
    "import { createActor } from 'xstate';",
    `import { ${exported} } from ${literal(module)};`,
  ];
  return { path: `${createSlug(title)}.test.ts`, text: `${head.join('\n')}\n\n${bodies.join('\n\n')}\n` };
}

/** Returns the states on the path of an event list, including the initial state. */
function listStates({ machine, input }: Model, events: readonly EventFrom<AnyStateMachine>[]): readonly Seen[] {
  let [state] = initialTransition(machine, input as never) as readonly [SnapshotFrom<AnyStateMachine>, unknown];
  const states = [toSeen(state)];
  for (const event of events) {
    [state] = transition(machine, state, event) as readonly [SnapshotFrom<AnyStateMachine>, unknown];
    states.push(toSeen(state));
  }
  return states;
}

function toSeen({ value, context }: SnapshotFrom<AnyStateMachine>): Seen {
  return isPlain(context) && Object.keys(context as object).length > 0 ? { value, context } : { value };
}

/** Checks whether a value is unchanged by a JSON round trip. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlain);
  const isData = isPlainObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return isData && Object.values(value).every(isPlain);
}

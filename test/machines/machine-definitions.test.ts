import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, createMachine, setup } from 'xstate';
import { campaignMachine } from '../../machines/campaign.machine.ts';
import { documentMachine } from '../../machines/document.machine.ts';
import { nudgeMachine } from '../../machines/nudge.machine.ts';
import { passkeyEligibilityMachine } from '../../machines/passkey-eligibility.machine.ts';
import { signInMachine } from '../../machines/sign-in.machine.ts';
import { nonEmpty } from '../non-empty.ts';

const machines = new Map<string, AnyStateMachine>([
  ['campaign.machine.ts', campaignMachine],
  ['document.machine.ts', documentMachine],
  ['nudge.machine.ts', nudgeMachine],
  ['passkey-eligibility.machine.ts', passkeyEligibilityMachine],
  ['sign-in.machine.ts', signInMachine],
]);

/** Configuration of a node with the properties that the check reads. */
interface NodeConfig {
  readonly [key: string]: unknown;
  readonly states?: Readonly<Record<string, NodeConfig>>;
  readonly on?: Readonly<Record<string, unknown>>;
  readonly meta?: { readonly page?: unknown; readonly rules?: unknown };
}

const pages =
  'name password mfa mfa-choice external-mfa security-info terms-of-use custom-controls blocked prompt required setup setup-test setup-name error-screen closed signed-in not-nudged campaign document'.split(
    ' ',
  );
const ruleId = /^(?:[ADR]\d+(?:\.\d+)?|S[123]|C1|M1)$/;

/**
 * Lists every violation of the machine conventions: no automatic transitions, no unnamed guards or actions, and
 * metadata on every state.
 */
function findFaults(machine: AnyStateMachine): readonly string[] {
  return faultsIn(machine.config as NodeConfig, machine.id, true);
}

function faultsIn(node: NodeConfig, path: string, isRoot: boolean): readonly string[] {
  const moving = ['after', 'always', 'invoke', 'entry', 'exit', 'onDone', 'activities', 'spawn'].filter(
    (key) => key in node,
  );
  const transitions = Object.entries(node.on ?? {}).flatMap(([event, written]) =>
    [written]
      .flat()
      .flatMap((transition: unknown) => inlineIn(transition).map((kind) => `${path}: ${kind} of ${event}`)),
  );
  const meta = isRoot || hasMeta(node) ? [] : [`${path}: meta`];
  const below = Object.entries(node.states ?? {}).flatMap(([name, child]) => faultsIn(child, `${path}.${name}`, false));
  return [...moving.map((key) => `${path}: ${key}`), ...transitions, ...meta, ...below];
}

/** Lists the inline functions and anonymous objects of a transition. */
function inlineIn(transition: unknown): readonly string[] {
  if (typeof transition === 'string' || transition === undefined) return [];
  const { guard, actions, ...rest } = transition as { readonly guard?: unknown; readonly actions?: unknown };
  return [
    ...([guard].flat().every((one) => one === undefined || typeof one === 'string') ? [] : ['inline guard']),
    ...([actions].flat().every((one) => one === undefined || typeof one === 'string') ? [] : ['inline action']),
    ...Object.keys(rest).filter((key) => key !== 'target'),
  ];
}

function hasMeta({ meta }: NodeConfig): boolean {
  return (
    pages.includes(String(meta?.page)) &&
    Array.isArray(meta?.rules) &&
    meta.rules.every((id) => typeof id === 'string' && ruleId.test(id))
  );
}

/** Lists the names of guards or actions that the transitions of a machine use. */
function namesUsed(node: NodeConfig, key: 'guard' | 'actions'): readonly unknown[] {
  const own = Object.values(node.on ?? {}).flatMap((written) =>
    [written]
      .flat()
      .flatMap((transition: unknown) => [(transition as Record<string, unknown> | undefined)?.[key]].flat()),
  );
  const below = Object.values(node.states ?? {}).flatMap((child) => namesUsed(child, key));
  return [...own, ...below].filter((name) => name !== undefined);
}

describe('machine definitions', () => {
  test('A1: every machine of the folder is checked here', () => {
    const files = readdirSync(new URL('../../machines/', import.meta.url)).filter((name) =>
      name.endsWith('.machine.ts'),
    );
    expect(files.sort()).toEqual([...machines.keys()].sort());
  });

  test.for(nonEmpty(machines))(
    'R5: %s changes only by events and names all guards and actions, and every state has a page and rules',
    ([, machine]) => {
      expect(findFaults(machine)).toEqual([]);
    },
  );

  test.for(nonEmpty(machines))('R5: every guard and action of %s is used', ([, machine]) => {
    const { guards, actions } = machine.implementations;
    const config = machine.config as NodeConfig;
    expect([...new Set(namesUsed(config, 'guard'))].sort()).toEqual(Object.keys(guards).sort());
    expect([...new Set(namesUsed(config, 'actions'))].sort()).toEqual(Object.keys(actions).sort());
  });

  const meta = { page: 'prompt', rules: ['R1'] };
  const canaries: readonly (readonly [string, AnyStateMachine])[] = [
    ['a delay', createMachine({ initial: 'a', states: { a: { meta, after: { 10: 'b' } }, b: { meta } } })],
    ['an eventless transition', createMachine({ initial: 'a', states: { a: { meta, always: 'b' }, b: { meta } } })],
    ['an invocation', createMachine({ invoke: { src: 'network' } })],
    ['an entry action', createMachine({ initial: 'a', states: { a: { meta, entry: 'count' } } })],
    ['a state without meta', createMachine({ initial: 'a', states: { a: {} } })],
    [
      'a page that does not exist',
      createMachine({ initial: 'a', states: { a: { meta: { page: 'start', rules: [] } } } }),
    ],
    [
      'a rule that does not exist',
      createMachine({ initial: 'a', states: { a: { meta: { page: 'setup', rules: ['X1'] } } } }),
    ],
    ['an inline guard', createMachine({ on: { go: { guard: () => true, actions: 'count' } } })],
    ['an inline action', setup({}).createMachine({ on: { go: [{ actions: [() => undefined] }] } })],
    [
      'a fault deep inside',
      createMachine({
        initial: 'a',
        states: { a: { meta, initial: 'b', states: { b: { meta, on: { go: { actions: () => undefined } } } } } },
      }),
    ],
  ];

  test.for(canaries)('R5 canary: %s is reported', ([, machine]) => {
    expect(findFaults(machine)).not.toEqual([]);
  });
});

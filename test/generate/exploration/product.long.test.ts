import { describe, expect, test } from 'vitest';
import { nudgeMachine } from '../../../machines/nudge.machine.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { RuleId } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { exploreProduct } from '../../../src/generate/exploration/explorations.ts';
import { CompiledProduct, exploreProductByReference } from '../../../src/generate/exploration/explore-product.ts';
import type { Product } from '../../../src/generate/exploration/product.ts';
import { tenantInvariants } from '../../../src/generate/models/tenant-invariants.ts';
import { type TenantAlphabet, tenantProduct } from '../../../src/generate/models/tenant-product.ts';

/** Alphabet that is small enough for `getAdjacencyMap`: one snooze duration, one tab and two users. */
const small: TenantAlphabet = {
  snoozeDays: [1],
  methods: ['vendorAuthenticator'],
  switches: [],
  prompts: ['p1'],
  users: ['included', 'excluded'],
};

function without(...gates: readonly RuleId[]): TenantAlphabet {
  const order = seedRuleset.order.filter((id) => !gates.includes(id));
  return { ...small, ruleset: { ...seedRuleset, order } };
}

/** Returns the product with a nudge machine that never rejects a skip. */
function withSkipNeverRefused(product: Product): Product {
  const machine = nudgeMachine.provide({ guards: { skipIsRefused: () => false } } as never);
  return {
    ...product,
    parts: product.parts.map((part) => (part.name === 'nudge' ? { ...part, machine } : part)) as never,
  };
}

describe('product of campaign, user and lifecycle', () => {
  const product = tenantProduct(small);
  const compiled = new CompiledProduct(product);
  const explored = compiled.search();

  test('R5: the product has as many states and edges as `getAdjacencyMap` finds', () => {
    const { states, edges } = explored;
    expect({ states, edges }).toEqual(exploreProductByReference(product, 20_000));
    expect(states).toBeGreaterThan(5000);
  });

  test('R5: the actions of a path lead to its state, and no path is longer than the path to the last state', () => {
    const last = explored.states - 1;
    for (const number of [0, 1, 17, 500, 4000, last]) {
      const path = explored.pathTo(number);
      expect(walked(product, path)).toEqual(keys(product, explored.getState(number)));
      expect(path.length).toBeLessThanOrEqual(explored.pathTo(last).length);
    }
  });

  test('R5: two explorations of the same product return the same bytes', () => {
    const [one, other] = [exploreProduct(product), exploreProduct(tenantProduct(small))];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    const again = new CompiledProduct(tenantProduct(small)).search();
    expect(again.pathTo(again.states - 1)).toEqual(explored.pathTo(explored.states - 1));
  });

  test('R5: the invariants of the product and of its parts hold', () => {
    const { invariants, violations } = exploreProduct(product);
    expect(violations).toEqual([]);
    expect(invariants.length).toBeGreaterThan(tenantInvariants.length + 10);
  });

  test('state-space-too-large: a limit below the number of states is rejected', () => {
    expect(() => compiled.search(explored.states - 1)).toThrow(NudgeLabError);
    expect(compiled.search(explored.states).states).toBe(explored.states);
    expect(() => exploreProductByReference(product, 10)).toThrow(NudgeLabError);
  });
});

/** Invariants, each with a faulty product that violates it. */
const canaries: readonly (readonly [string, Product])[] = [
  ['tenant.no-prompt-while-snoozed', tenantProduct(without('R5'))],
  ['tenant.excluded-never-prompted', tenantProduct(without('S2'))],
  ['tenant.disabled-never-prompts', tenantProduct(without('C1'))],
  ['tenant.registered-not-prompted', tenantProduct(without('R10.1'))],
  ['tenant.required-by-limit', withRequiredAlways(tenantProduct(small))],
  ['nudge.limit-holds', withSkipNeverRefused(tenantProduct(small))],
];

/** Returns the product with a sign-in that shows every prompt as required. */
function withRequiredAlways(product: Product): Product {
  const actions = product.actions.map((action) =>
    action.name === 'signs in'
      ? {
          ...action,
          moves: action.moves.map((move) => ({
            ...move,
            event: (views: readonly unknown[]) => {
              const sent = move.event(views);
              return sent === null ? null : { ...sent, required: true };
            },
          })),
        }
      : action,
  );
  return { ...product, actions };
}

describe('invariants of the product', () => {
  test('R5: every invariant has a canary', () => {
    const broken = new Set(canaries.map(([id]) => id));
    expect(tenantInvariants.filter(({ id }) => !broken.has(id))).toEqual([]);
  });

  test.for(canaries)(
    'R5 canary: a faulty rule or machine violates %s, and the violation has a path',
    ([id, product]) => {
      const violation = exploreProduct(product).violations.find((one) => one.id === id);
      expect(violation?.path.length).toBeGreaterThan(0);
    },
  );

  test('R5 canary: the shortest path to a prompt while snoozed is to skip a prompt and sign in again', () => {
    const { violations } = exploreProduct(tenantProduct(without('R5')));
    expect(violations.find(({ id }) => id === 'tenant.no-prompt-while-snoozed')?.path).toEqual([
      'signs in',
      'p1: skips',
      'signs in',
    ]);
  });
});

/** Returns the keys of the part states after some actions, computed by the machines themselves. */
function walked(product: Product, path: readonly string[]): readonly string[] {
  const parts = new Map(
    product.parts.map((part) => [
      part.name,
      new CompiledProduct({ ...product, parts: [part], actions: [], invariants: [] }),
    ]),
  );
  let states = new Map(product.parts.map(({ name }) => [name, 0]));
  for (const name of path) {
    const before = states;
    const after = new Map(before);
    const getState = (part: string) => parts.get(part)?.parts[0]?.compiled.states[before.get(part) ?? 0];
    for (const move of product.actions.find((action) => action.name === name)?.moves ?? []) {
      const event = move.event(move.reads.map((reading) => reading.view(getState(reading.part) as never)));
      const compiled = parts.get(move.part)?.parts[0]?.compiled;
      const index = compiled?.events.findIndex((one) => JSON.stringify(one) === JSON.stringify(event)) ?? -1;
      if (event !== null) after.set(move.part, compiled?.target(before.get(move.part) ?? 0, index) ?? -1);
    }
    states = after;
  }
  return keys(
    product,
    new Map([...states].map(([name, at]) => [name, parts.get(name)?.parts[0]?.compiled.states[at]])),
  );
}

function keys(product: Product, states: ReadonlyMap<string, unknown>): readonly string[] {
  return product.parts.map((part) => {
    const state = states.get(part.name) as { readonly value: unknown; readonly context: unknown };
    return part.serialize?.(state as never) ?? JSON.stringify([state.value, state.context]);
  });
}

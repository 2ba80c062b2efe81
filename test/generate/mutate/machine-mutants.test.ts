import { describe, expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { explore } from '../../../src/generate/exploration/explore.ts';
import { type MachineOperator, machineOperators } from '../../../src/generate/mutate/machine-mutant.ts';
import { machineMutants } from '../../../src/generate/mutate/machine-mutants.ts';
import { mutants } from '../../../src/generate/mutate/mutants.ts';

/** Turnstile: up to three coins open it, a person closes it, and a key resets it. */
const turnstile = setup({
  types: {
    context: {} as { coins: number; by: string | null },
    events: {} as { type: 'coin' | 'push' | 'key' | 'bell' },
  },
  guards: { hasRoom: ({ context }) => context.coins < 3, isPaid: ({ context }) => context.coins > 0 },
  actions: {
    takeCoin: assign({ coins: ({ context }) => context.coins + 1, by: ({ event }) => event.type }),
    payOne: assign({ coins: ({ context }) => context.coins - 1 }),
    empty: assign({ coins: 0, by: null }),
    ring: () => undefined,
  },
}).createMachine({
  id: 'turnstile',
  context: { coins: 0, by: null },
  initial: 'closed',
  states: {
    closed: {
      meta: { rules: ['T1'] },
      on: {
        coin: [{ guard: 'hasRoom', target: 'open', actions: 'takeCoin' }, { actions: 'ring' }],
        key: 'kept',
      },
    },
    open: {
      meta: { rules: ['T2'] },
      on: {
        coin: { guard: 'hasRoom', actions: 'takeCoin' },
        push: [{ guard: 'isPaid', actions: 'payOne' }, { target: 'closed' }],
        key: { target: 'kept', actions: 'empty' },
      },
    },
    kept: { on: { key: 'closed', bell: { actions: 'ring' } } },
  },
});
const events = (['coin', 'push', 'key', 'bell'] as const).map((type) => ({ type }));
const options = { events };
const all = machineMutants(turnstile, explore(turnstile, options));

describe('mutants of a machine', () => {
  test('machine-mutants: every operator creates a mutant of this machine, and ids are unique and reproducible', () => {
    expect(new Set(all.map(({ operator }) => operator))).toEqual(new Set(Object.keys(machineOperators)));
    const ids = all.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(machineMutants(turnstile, explore(turnstile, options)).map(({ id }) => id)).toEqual(ids);
  });

  test('machine-mutants: the original machine is not changed', () => {
    const [first] = mutants(turnstile, options).mutants;
    expect(first?.machine).not.toBe(turnstile);
    expect(explore(turnstile, options).states).toHaveLength(8);
  });

  test('machine-mutants: a mutant names the rules of the adjacent states', () => {
    const named = all.find(({ id }) => id === 'turnstile closed on coin [1]: taken unless hasRoom');
    expect(named?.rules).toEqual(['T1', 'T2']);
  });

  /** Mutant of each operator and the shortest list of events that kills it. */
  const canaries: Readonly<Record<MachineOperator, readonly [string, readonly string[]]>> = {
    'guard-negated': ['turnstile open on push [1]: taken unless isPaid', ['coin', 'push']],
    'guard-dropped': ['turnstile open on coin: taken whatever hasRoom says', ['coin', 'coin', 'coin', 'coin']],
    'guard-never': ['turnstile closed on coin [1]: never taken, whatever hasRoom says', ['coin']],
    'guard-off-by-one': ['turnstile guard hasRoom: context.coins read as one more', ['coin', 'coin', 'coin']],
    'transition-removed': ['turnstile kept on key: missing', ['key', 'key']],
    'transitions-swapped': ['turnstile open on push [1]: tried after the next one', ['coin', 'push']],
    'target-changed': ['turnstile closed on key: leads to closed', ['key']],
    'target-dropped': ['turnstile open on push [2]: leads nowhere', ['coin', 'push', 'push']],
    'action-dropped': ['turnstile closed on coin [1]: takeCoin is not done', ['coin']],
    'counter-not-incremented': ['turnstile action takeCoin: coins is not raised', ['coin']],
    'counter-incremented-twice': ['turnstile action takeCoin: coins is raised twice', ['coin']],
    'counter-not-reset': ['turnstile action empty: by is not cleared', ['coin', 'key']],
    'change-dropped': ['turnstile action takeCoin: by stays as it is', ['coin']],
  };

  test.for(Object.entries(canaries))(
    'machine-mutants: %s is killed by the shortest possible events',
    ([, [id, killer]]) => {
      const found = mutants(turnstile, options).mutants.find((mutant) => mutant.id === id);
      expect(found).toMatchObject({ verdict: 'survived', killer: killer.map((type) => ({ type })) });
    },
  );

  test('machine-mutants: a missing action without effect is an equivalent mutant', () => {
    const report = mutants(turnstile, options);
    expect(report.mutants.find(({ id }) => id === 'turnstile kept on bell: ring is not done')?.verdict).toBe(
      'equivalent',
    );
  });

  test('machine-mutants: a suite of the shortest killing tests kills every mutant that is not equivalent', () => {
    const survivors = mutants(turnstile, options).mutants.flatMap((one) =>
      one.verdict === 'survived' ? [one.killer] : [],
    );
    const report = mutants(turnstile, { ...options, suite: survivors });
    expect(report.survived).toBe(0);
    expect(report.score).toBe(1);
    expect(report.killed).toBe(survivors.length);
    expect(report.killed + report.equivalent).toBe(all.length);
  });

  test('machine-mutants: values that are not visible do not kill a mutant', () => {
    const visible = ({ value }: { value: unknown }) => value;
    const report = mutants(turnstile, { ...options, visible });
    const by = report.mutants.find(({ id }) => id === 'turnstile action takeCoin: by stays as it is');
    expect(by?.verdict).toBe('equivalent');
  });

  test('config-invalid: a test with an event outside the alphabet is rejected', () => {
    expect(() => mutants(turnstile, { events: events.slice(0, 2), suite: [[{ type: 'key' }]] })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    );
  });

  test('machine-mutants: a mutant with too many state pairs is undecided and never equivalent', () => {
    const report = mutants(turnstile, { ...options, limitPairs: 2 });
    expect(report.undecided).toBeGreaterThan(0);
    expect(report.mutants.find(({ verdict }) => verdict === 'undecided')).toMatchObject({
      message: expect.any(String),
    });
  });
});

import { describe, expect, it } from 'vitest';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { substituteExample } from '../../src/scenario/examples.ts';
import { checkClock, checkPatches } from '../../src/scenario/patch-check.ts';
import { toTenantPatch } from '../../src/scenario/tenant-patch.ts';

const source = { place: (path: readonly PropertyKey[]) => path.join('/') } as never;
const plan = planSandbox({ users: [{ id: 'ada', methods: ['sms'] }] });
const createSteps = (list: readonly (readonly [kind: string, say: unknown])[]) =>
  list.map(([kind, say], index) => ({ kind, say, index })) as never;

/** Lists the locations of the problems that a check reports. */
function places(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    const { code, problems } = error as { code: string; problems: readonly { location: string }[] };
    expect(code).toBe('scenario-invalid');
    return problems.map(({ location }) => location);
  }
}

describe('patches in steps', () => {
  it.for([
    [[['setTenant', { campaign: { state: 'enabled' } }]], []],
    [[['setTenant', { campaign: { state: 'on' } }]], ['steps/0/setTenant/campaign/state']],
    [[['setTenant', { settings: { askToStaySignedIn: true } }]], []],
    [[['setTenant', { settings: { askToStaySignedIn: 7 } }]], ['steps/0/setTenant/settings/askToStaySignedIn']],
    [
      [['setTenant', { campaign: { state: 'on' }, settings: { none: 1 } }]],
      ['steps/0/setTenant/campaign/state', 'steps/0/setTenant/settings'],
    ],
    [[['setUser', { user: 'ada', methods: ['voice'] }]], []],
    [
      [
        ['skip', {}],
        ['setUser', { user: 'ada', methods: ['pigeon'] }],
      ],
      ['steps/1/setUser/methods/0'],
    ],
    [[['setUser', { user: 'eve', methods: ['pigeon'] }]], []],
    [
      [
        ['setUser', { user: 'ada', type: 'robot' }],
        ['setTenant', { groups: 1 }],
      ],
      ['steps/0/setUser/type', 'steps/1/setTenant/groups'],
    ],
    [[['patchPolicy', { campaign: { state: 'on' } }]], []],
  ] as const)('scenario-invalid: %j has errors at %j', ([steps, expected]) => {
    expect(places(() => checkPatches(createSteps(steps), plan, source))).toEqual(expected);
  });

  it.for([
    [{ campaign: {} }, { facts: { campaign: {} }, settings: null }],
    [{ settings: { a: 1 } }, { facts: null, settings: { a: 1 } }],
    [
      { campaign: {}, settings: { a: 1 } },
      { facts: { campaign: {} }, settings: { a: 1 } },
    ],
    [{ settings: 7 }, { facts: null, settings: {} }],
    [{}, { facts: {}, settings: null }],
    [null, { facts: {}, settings: null }],
    ['settings', { facts: {}, settings: null }],
    [['settings'], { facts: {}, settings: null }],
  ] as const)('%j is the tenant patch of the step %j', ([said, patch]) => {
    expect(toTenantPatch(said)).toEqual(patch);
  });
});

describe('clock of steps', () => {
  const startMs = Date.parse('2026-01-05T09:00:00.000Z');
  const lastMs = 253_402_300_799_999;

  it.for([
    [startMs, [['advance', { days: 1 }]], []],
    [startMs, [['setClock', '9999-12-31T23:59:59.999Z']], []],
    [startMs, [['setClock', '1970-01-01T00:00:00.000Z']], []],
    [lastMs - 1, [['advance', { ms: 1 }]], []],
    [lastMs, [['advance', { ms: 1 }]], ['steps/0/advance']],
    [
      lastMs,
      [
        ['skip', {}],
        ['advance', { ms: 1 }],
      ],
      ['steps/1/advance'],
    ],
    [
      startMs,
      [
        ['setClock', '9999-12-31T23:59:59.999Z'],
        ['advance', { hours: 1 }],
        ['advance', { hours: 1 }],
      ],
      ['steps/1/advance'],
    ],
    [
      lastMs,
      [
        ['setClock', '2026-01-05T09:00:00.000Z'],
        ['advance', { days: 1 }],
      ],
      [],
    ],
  ] as const)(
    'scenario-invalid: starting at %i, the steps %j leave the supported date range at %j',
    ([beginMs, steps, expected]) => {
      expect(places(() => checkClock(createSteps(steps), beginMs, source))).toEqual(expected);
    },
  );
});

/** Formats a reference to a column of the row, as scenarios write it. */
const ref = (name: string): string => `\${${name}}`;

describe('examples of a scenario', () => {
  const filled = (data: unknown, row: unknown) =>
    substituteExample({ data, place: (path: readonly PropertyKey[]) => path.join('/') } as never, row);

  it('a reference that is the whole value keeps the type of the row; inside text it becomes text', () => {
    const data = {
      examples: [1],
      a: ref('n'),
      b: `x ${ref('n')} ${ref('t')}`,
      c: [ref('list'), { d: ref('o') }],
      e: 7,
      f: '$n $',
      g: null,
    };
    const row = { n: 3, t: 'y', list: [1], o: { p: null } };
    expect(filled(data, row)).toEqual({ a: 3, b: 'x 3 y', c: [[1], { d: { p: null } }], e: 7, f: '$n $', g: null });
    expect(filled({ a: `${ref('list')} ${ref('o')}` }, row)).toEqual({ a: '[1] {"p":null}' });
  });

  it('without a row, the data and its examples are unchanged', () => {
    const data = { examples: [], a: ref('n') };
    expect(filled(data, null)).toBe(data);
    expect(filled([ref('n')], { n: 1 })).toEqual([ref('n')]);
  });

  it.for([
    [{ a: { b: ['x', ref('m')] } }, 'a/b/1'],
    [{ a: `x ${ref('m')}` }, 'a'],
    [{ a: ref('toString') }, 'a'],
  ] as const)('scenario-invalid: an unknown column in %j is reported with its location', ([data, place]) => {
    expect(places(() => filled(data, { n: 1 }))).toEqual([place]);
  });
});

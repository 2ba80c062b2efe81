import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultFixtures } from '../../src/cli/serve/default-fixtures.ts';
import { defaultSandboxPlan } from '../../src/cli/serve/default-sandbox.ts';
import { type ServeArguments, serveOptions } from '../../src/cli/serve/serve-options.ts';
import type { SandboxPlan } from '../../src/sandbox/sandbox.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../../src/scenario/shipped.ts';
import { nonEmpty } from '../non-empty.ts';

const named = Object.entries(defaultFixtures).flatMap(([kind, fixtures]) =>
  Object.entries(fixtures).map(([name, data]) => ({ kind: kind as keyof typeof defaultFixtures, name, data })),
);
const nowMs = 1_767_603_600_000;
const config = (fixtures: readonly string[]) => ({ fixtures }) as never;
const initial = Object.fromEntries(Object.entries(serveOptions).map(([name, option]) => [name, option.initial]));
const args = { ...initial, frozen: true } as unknown as ServeArguments;

describe('fixtures of the default sandbox', () => {
  it.each(nonEmpty(named))('$kind/$name equals its file', ({ kind, name, data }) => {
    expect(data).toEqual(new FixtureLibrary([shippedFixturesFolder]).resolve(kind, name));
  });

  it('the built-in fixtures create the same sandbox as the files', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
    const given = { nowMs, cwd: empty };
    const plan = await defaultSandboxPlan(args, config([shippedFixturesFolder]), given);
    expect(await defaultSandboxPlan(args, config([shippedFixturesFolder, empty]), given)).toEqual(plan);
  });

  it.each([
    ['no option', true, {}],
    ['a clock that is frozen, and a random seed', true, { clock: nowMs + 1, frozen: true, seed: 7 }],
    ['users', false, { users: ['guest'] }],
    ['a tenant', false, { tenant: 'disabled' }],
    ['synthetic users', false, { syntheticUsers: 2 }],
    ['clients', false, { clients: 'web-site' }],
    ['faults', false, { faults: ['slow-tokens'] }],
    ['a lookup', false, { lookup: 'known-people' }],
    ['a dialect', false, { dialect: 'entra' }],
  ])('the plan of the build and that of the sources are the same bytes for %s', async (_name, isUsed, options) => {
    const plan = async (built: SandboxPlan | null): Promise<string> => {
      const chosen = { ...args, frozen: false, ...options } as ServeArguments;
      const given = { nowMs, cwd: shippedFixturesFolder, built };
      return JSON.stringify(await defaultSandboxPlan(chosen, config([shippedFixturesFolder]), given));
    };
    const built = await defaultSandboxPlan(args, config([]), { nowMs: 0, cwd: shippedFixturesFolder, built: null });
    expect(JSON.parse(JSON.stringify(built))).toStrictEqual(built);
    expect(await plan(built)).toBe(await plan(null));
    expect((await plan({ ...built, ruleset: 'of the build' })).includes('of the build')).toBe(isUsed);
  });
});

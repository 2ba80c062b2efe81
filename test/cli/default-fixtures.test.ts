import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultFixtures } from '../../src/cli/serve/default-fixtures.ts';
import { defaultSandboxPlan } from '../../src/cli/serve/default-sandbox.ts';
import { type ServeArguments, serveOptions } from '../../src/cli/serve/serve-options.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { shippedFixturesFolder } from '../../src/scenario/shipped.ts';
import { nonEmpty } from '../non-empty.ts';

const named = Object.entries(defaultFixtures).flatMap(([kind, fixtures]) =>
  Object.entries(fixtures).map(([name, data]) => ({ kind: kind as keyof typeof defaultFixtures, name, data })),
);
const nowMs = 1_767_603_600_000;
const initial = Object.fromEntries(Object.entries(serveOptions).map(([name, option]) => [name, option.initial]));
const args = { ...initial, frozen: true } as unknown as ServeArguments;

describe('fixtures of the default sandbox', () => {
  it.each(nonEmpty(named))('$kind/$name equals its file', ({ kind, name, data }) => {
    expect(data).toEqual(new FixtureLibrary([shippedFixturesFolder]).resolve(kind, name));
  });

  it('the built-in fixtures create the same sandbox as the files', async () => {
    const config = (fixtures: readonly string[]) => ({ fixtures }) as never;
    const empty = mkdtempSync(join(tmpdir(), 'nudgelab-test-'));
    const plan = await defaultSandboxPlan(args, config([shippedFixturesFolder]), nowMs, empty);
    expect(await defaultSandboxPlan(args, config([shippedFixturesFolder, empty]), nowMs, empty)).toEqual(plan);
  });
});

import { expect, test } from 'vitest';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { planJourney } from '../../../src/generate/own/own-journey.ts';
import { JourneyMaker } from '../../../src/generate/own/random-journey.ts';
import { rememberOwnRuleset } from '../../../src/journal/ruleset-registry.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { OwnSandboxSession } from '../../../src/scenario/own/own-sandbox-session.ts';
import { readAnyFile } from '../../../src/scenario/rulesets/read-ruleset-file.ts';

const files = ['agency-addresses', 'passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline'];
const journeysPerRuleset = 40;
const dayMs = 86_400_000;

function load(name: string): OwnRuleset {
  const { read } = readAnyFile(`rulesets/${name}.ruleset.yaml`, name);
  if (read?.base !== 'own') throw new Error(`${name} is no own ruleset.`);
  return read.ruleset;
}

/** Runs a random journey without the steps that are impossible. */
async function run(ruleset: OwnRuleset, seed: number): Promise<Sandbox> {
  const plan = planJourney(ruleset, new JourneyMaker(ruleset).make(seed));
  rememberOwnRuleset(ruleset);
  const session = await OwnSandboxSession.open(plan);
  for (const step of plan.steps) await session.perform(step).catch(() => null);
  return session.sandbox;
}

/** Returns true if the next sign-in at a time has a prompt. */
async function promptsAt(sandbox: Sandbox, user: string, nowMs: number): Promise<boolean> {
  await sandbox.clock.set({ nowMs });
  const { outcome } = sandbox.explainOwn(user, {});
  return outcome === 'skippable' || outcome === 'required';
}

test.each(files)('OC47 the time from which %s prompts is the first one in the sandbox itself', async (name) => {
  const ruleset = load(name);
  const found = { later: 0, never: 0 };
  for (let seed = 1; seed <= journeysPerRuleset; seed += 1) {
    const sandbox = await run(ruleset, seed);
    const [user] = sandbox.directory.users({ limit: 1 });
    const id = user?.id ?? '';
    const counterfactual = await sandbox.findCounterfactual(id, {});
    if (counterfactual === null) continue;
    const startMs = sandbox.clock.nowMs();
    const { promptedFrom } = counterfactual;
    const atMs = promptedFrom === null ? startMs + 400 * dayMs : Date.parse(promptedFrom);
    // Times in between, in order, because time passes in the sandbox.
    for (const share of [0.1, 0.37, 0.5, 0.8]) {
      const nowMs = Math.floor(startMs + share * (atMs - startMs));
      expect({ seed, nowMs, prompts: await promptsAt(sandbox, id, nowMs) }).toEqual({ seed, nowMs, prompts: false });
    }
    expect({ seed, before: await promptsAt(sandbox, id, atMs - 1) }).toEqual({ seed, before: false });
    expect({ seed, at: await promptsAt(sandbox, id, atMs) }).toEqual({ seed, at: promptedFrom !== null });
    found[promptedFrom === null ? 'never' : 'later'] += 1;
  }
  expect(found.later + found.never).toBeGreaterThan(0);
});

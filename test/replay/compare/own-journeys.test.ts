import { expect, test } from 'vitest';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { planJourney } from '../../../src/generate/own/own-journey.ts';
import { JourneyMaker } from '../../../src/generate/own/random-journey.ts';
import { rememberOwnRuleset } from '../../../src/journal/ruleset-registry.ts';
import { compareOwnJourney } from '../../../src/replay/compare/compare-own-journey.ts';
import { OwnSandboxSession } from '../../../src/scenario/own/own-sandbox-session.ts';
import type { OwnScenarioPlan } from '../../../src/scenario/own/own-scenario.ts';
import { readAnyFile } from '../../../src/scenario/rulesets/read-ruleset-file.ts';
import { byTier } from '../../tier.ts';
import { journeyText, openText } from '../journey-text.ts';

const files = ['agency-addresses', 'passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline'];
const journeysPerRuleset = byTier({ quick: 15, all: 150 });

function load(name: string): OwnRuleset {
  const { read } = readAnyFile(`rulesets/${name}.ruleset.yaml`, name);
  if (read?.base !== 'own') throw new Error(`${name} is no own ruleset.`);
  return read.ruleset;
}

/** Runs a journey on a sandbox, without the steps that are impossible, and returns it as text with its outcomes. */
async function record(plan: OwnScenarioPlan): Promise<{ readonly text: string; readonly outcomes: readonly string[] }> {
  rememberOwnRuleset(plan.ruleset);
  const session = await OwnSandboxSession.open(plan);
  const outcomes: string[] = [];
  for (const step of plan.steps) {
    try {
      const { verdict } = await session.perform(step);
      if (step.kind === 'signIn' && verdict !== undefined) outcomes.push(verdict.outcome);
    } catch {
      outcomes.push('impossible');
    }
  }
  const text = await journeyText(await session.sandbox.journal({ after: 0, limit: 10_000 }));
  return { text, outcomes: outcomes.filter((outcome) => outcome !== 'impossible') };
}

test.each(files)(
  'OC50 journeys under %s have the recorded verdicts again, and the same ruleset changes nothing',
  async (name) => {
    const ruleset = load(name);
    const maker = new JourneyMaker(ruleset);
    let verdicts = 0;
    for (let seed = 1; seed <= journeysPerRuleset; seed += 1) {
      const { text, outcomes } = await record(planJourney(ruleset, maker.make(seed)));
      const { attempts, variants } = await compareOwnJourney(await openText(text), name, {
        baseline: ruleset,
        variants: [{ name, ruleset }],
        assumedAction: 'skip',
      });
      const [variant] = variants;
      const counts = { skippable: 0, required: 0, blocked: 0, none: 0 };
      for (const outcome of outcomes) counts[outcome as keyof typeof counts] += 1;
      const seen = { skippable: 0, required: 0, blocked: 0, none: 0 };
      for (const { before, certain } of variant?.byRule ?? []) seen[before.outcome] += certain;
      expect({ seed, attempts, seen }).toEqual({ seed, attempts: outcomes.length, seen: counts });
      expect(variant).toMatchObject({
        users: { changed: 0 },
        actions: { inapplicable: 0, assumed: 0 },
        own: { defaults: { verdicts: 0, facts: [] }, changedUsers: [] },
      });
      verdicts += attempts;
    }
    expect(verdicts).toBeGreaterThan(0);
  },
);

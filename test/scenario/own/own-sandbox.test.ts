import { expect, test } from 'vitest';
import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { planJourney } from '../../../src/generate/own/own-journey.ts';
import { JourneyMaker } from '../../../src/generate/own/random-journey.ts';
import { rebuildState } from '../../../src/journal/apply-event.ts';
import { forkState } from '../../../src/journal/fork-state.ts';
import { settleEndedPrompts } from '../../../src/journal/prompts.ts';
import { shippedModel } from '../../../src/journal/sandbox-model.ts';
import { deserializeState, serializeState } from '../../../src/journal/snapshot.ts';
import type { OwnObservation } from '../../../src/scenario/own/own-run.ts';
import { OwnSandboxSession } from '../../../src/scenario/own/own-sandbox-session.ts';
import type { OwnScenarioPlan, OwnStep } from '../../../src/scenario/own/own-scenario.ts';
import { OwnSession } from '../../../src/scenario/own/own-session.ts';
import { readAnyFile } from '../../../src/scenario/rulesets/read-ruleset-file.ts';
import { nonEmpty } from '../../non-empty.ts';
import { byTier } from '../../tier.ts';

const files = ['agency-addresses', 'passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline'];
const journeysPerRuleset = byTier({ quick: 25, all: 250 });

function load(name: string): OwnRuleset {
  const { read } = readAnyFile(`rulesets/${name}.ruleset.yaml`, name);
  if (read?.base !== 'own') throw new Error(`${name} is no own ruleset.`);
  return read.ruleset;
}

/** Returns what a step shows, without the page of a step that the campaign refused. */
function observed({ page, status = 200, verdict }: OwnObservation): unknown {
  const shown = status === 200 ? { page } : {};
  if (verdict === undefined) return { code: status, ...shown };
  const { outcome, reason, answers, deadlineAtMs, edition, variant, rules } = verdict;
  return { code: status, ...shown, outcome, reason, answers, deadlineAtMs, edition, variant, rules };
}

async function seenBySandbox(session: OwnSandboxSession, step: OwnStep): Promise<unknown> {
  try {
    return { ...(observed(await session.perform(step)) as object), status: await session.status('ada') };
  } catch {
    return { impossible: step.kind };
  }
}

function seenByCampaign(session: OwnSession, step: OwnStep): unknown {
  try {
    const seen = observed(session.perform(step)) as object;
    const { nextPromptAtMs, ...status } = session.status('ada');
    return { ...seen, status: { ...status, nextPromptAtMs } };
  } catch {
    return { impossible: step.kind };
  }
}

function comparable(seen: unknown): unknown {
  const { status, ...rest } = seen as { status?: Record<string, unknown> };
  if (status === undefined) return rest;
  const { nextPromptAt, nextPromptAtMs, snoozedAt: _only, openPrompts: _here, ...common } = status;
  const atMs = typeof nextPromptAt === 'string' ? Date.parse(nextPromptAt) : (nextPromptAtMs ?? null);
  return { ...rest, status: { ...common, atMs } };
}

function plansFor(ruleset: OwnRuleset): readonly OwnScenarioPlan[] {
  const maker = new JourneyMaker(ruleset);
  return Array.from({ length: journeysPerRuleset }, (_, index) => planJourney(ruleset, maker.make(index + 1)));
}

test.each(files)('OC20-OC30 the sandbox moves %s as the campaign itself does', async (name) => {
  for (const plan of nonEmpty(plansFor(load(name)))) {
    const sandbox = await OwnSandboxSession.open(plan);
    const campaign = new OwnSession(plan);
    for (const step of nonEmpty(plan.steps)) {
      const [one, other] = [await seenBySandbox(sandbox, step), seenByCampaign(campaign, step)];
      expect({ step, seen: comparable(one) }).toEqual({ step, seen: comparable(other) });
    }
  }
});

test.each(files)('OC35 the journal, a snapshot and a fork of %s give the same state', async (name) => {
  for (const plan of nonEmpty(plansFor(load(name)))) {
    const session = await OwnSandboxSession.open(plan);
    for (const step of plan.steps) await seenBySandbox(session, step);
    const { recorder } = session.sandbox;
    const text = serializeState(recorder.state());
    expect(serializeState(forkState(recorder.state(), shippedModel))).toBe(text);
    expect(serializeState(deserializeState(text))).toBe(text);
    const entries = await session.sandbox.journal({ after: 0, limit: 10_000 });
    const rebuilt = rebuildState(entries);
    if (rebuilt === null) throw new Error('The journal is empty.');
    const { lastAtMs } = recorder.state();
    settleEndedPrompts(rebuilt, lastAtMs);
    expect(serializeState(rebuilt)).toBe(text);
  }
});

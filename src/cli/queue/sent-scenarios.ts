import { packJson, unpackJson } from '../../queue/queue-job.ts';
import type { OwnScenarioPlan } from '../../scenario/own/own-scenario.ts';
import { createSentCampaign, createSentRuleset, type SentRuleset } from '../../scenario/rulesets/sent-ruleset.ts';
import type { SentRulesets } from '../../scenario/rulesets/sent-rulesets.ts';
import type { Scenario } from '../../scenario/scenario.ts';

/** Scenarios of a job with the rulesets of files that evaluate them. */
export interface SentScenarios {
  /** Packed scenarios, in which an own ruleset is replaced by its digest. */
  readonly scenarios: string;
  /** Rulesets of files; those of the program are not sent. */
  readonly rulesets: readonly SentRuleset[];
}

/** Packs scenarios for a job with their rulesets (OC37). */
export function packScenarios(scenarios: readonly Scenario[]): SentScenarios {
  return { scenarios: packJson(scenarios.map(withoutRuleset)), rulesets: listSentRulesets(scenarios) };
}

/** Returns the rulesets of files that evaluate the scenarios, as a job carries them. */
export function listSentRulesets(scenarios: readonly Scenario[]): readonly SentRuleset[] {
  const rulesets = new Map<string, SentRuleset>();
  for (const { own, plan } of scenarios) {
    const key = own === undefined ? plan.ruleset : own.ruleset.digest;
    if (rulesets.has(key)) continue;
    const sent = own === undefined ? createSentCampaign(plan.ruleset) : createSentRuleset(own.ruleset);
    if (sent !== null) rulesets.set(key, sent);
  }
  return [...rulesets.values()];
}

/**
 * Unpacks the scenarios of a job, and makes their rulesets known to this process.
 *
 * @throws NudgeLabError `ruleset-digest-differs`
 */
export function unpackScenarios(
  { scenarios, rulesets: sent }: SentScenarios,
  rulesets: SentRulesets,
): readonly Scenario[] {
  const byDigest = new Map(sent.map((one) => [one.digest, rulesets.receive(one)]));
  return (unpackJson(scenarios) as readonly UnboundScenario[]).map(({ own, ...scenario }) => {
    if (own === undefined) return scenario;
    const loaded = byDigest.get(own.ruleset);
    if (loaded?.base !== 'own') throw new RangeError('The job does not contain the ruleset of a scenario.');
    return { ...scenario, own: { ...own, ruleset: loaded.ruleset } };
  });
}

/** Scenario whose own ruleset is replaced by its digest. */
export type UnboundScenario = Omit<Scenario, 'own'> & {
  readonly own?: Omit<OwnScenarioPlan, 'ruleset'> & { readonly ruleset: string };
};

/** Returns a scenario whose own ruleset is replaced by its digest. */
export function withoutRuleset({ own, ...scenario }: Scenario): UnboundScenario {
  return own === undefined ? { ...scenario } : { ...scenario, own: { ...own, ruleset: own.ruleset.digest } };
}

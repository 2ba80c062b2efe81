import { effectiveCampaign } from '../../../machines/effective-campaign.ts';
import { deriveGateFacts, evaluate, findDemand, getPromptOutcome } from '../../../machines/evaluate.ts';
import type { EffectiveCampaign, Facts, Ruleset, TenantFacts, VerdictOutcome } from '../../../machines/vocabulary.ts';
import { completeFacts } from '../../contract/attempt-facts.ts';
import { factsSchema } from '../../contract/facts.schema.ts';

/** Facts of a sign-in that a log states beside the lifecycle. Equal facts are the same object. */
export interface AttemptVariant {
  readonly number: number;
  /** Facts by section, in the format of `explain --facts`. */
  readonly given: Readonly<Record<'tenant' | 'user' | 'attempt', Readonly<Record<string, unknown>>>>;
  /** Facts that a ruleset with the base `own` declares, by path and as the log writes them. */
  readonly declared?: ReadonlyMap<string, unknown>;
}

/** Variant of a log that states no facts of sign-ins. */
export const plainVariant: AttemptVariant = { number: 0, given: { tenant: {}, user: {}, attempt: {} } };

/** Settings of the campaign. Equal settings need not be the same object. */
export interface CampaignSettings {
  readonly number: number;
  readonly tenant: TenantFacts;
  /** `true` if the log states no facts of sign-ins, so only the gates that depend on the lifecycle are evaluated. */
  readonly isLifecycleOnly: boolean;
}

/** Gates that depend on the campaign and the lifecycle alone. */
const lifecycleGates: ReadonlySet<string> = new Set(['C1', 'R5', 'R10.1']);

/** What the rules say about a sign-in. */
export interface SignInVerdict {
  readonly outcome: VerdictOutcome;
  /** Id of the rule that suppresses the prompt; `null` if the user is prompted. */
  readonly rule: string | null;
  readonly reason: string | null;
  /** `true` if the ruleset demands the registration (OC23). */
  readonly demanded: boolean;
}

/** Nudge status that a verdict depends on. */
export interface VerdictStatus {
  readonly count: number;
  readonly snoozed: boolean;
  readonly running: boolean;
  readonly registered: boolean;
}

const nowMs = 4_000_000_000_000;

/** Verdicts of the rules in force at a time, compiled on demand: each combination is evaluated once. */
export class VerdictTable {
  readonly rules: Ruleset;
  readonly #verdicts = new Map<number, SignInVerdict>();
  readonly #campaigns = new Map<number, EffectiveCampaign>();

  /** Creates the table of rules that hold at any time. */
  constructor(rules: Ruleset) {
    this.rules = rules;
  }

  /** Returns the campaign in effect under settings. */
  campaign({ number, tenant }: CampaignSettings): EffectiveCampaign {
    const known = this.#campaigns.get(number);
    if (known !== undefined) return known;
    const campaign = effectiveCampaign(tenant, this.rules);
    this.#campaigns.set(number, campaign);
    return campaign;
  }

  /** Evaluates a sign-in. Counts above the limit are alike. */
  evaluate(settings: CampaignSettings, variant: AttemptVariant, status: VerdictStatus): SignInVerdict {
    const { snoozeLimit } = this.rules.limits;
    const count = Math.min(status.count, snoozeLimit);
    const bits = (status.snoozed ? 1 : 0) | (status.running ? 2 : 0) | (status.registered ? 4 : 0);
    const key = ((settings.number * variantsMax + variant.number) * (snoozeLimit + 1) + count) * 8 + bits;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = this.#compile(settings, variant, { ...status, count });
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  #compile(settings: CampaignSettings, variant: AttemptVariant, status: VerdictStatus): SignInVerdict {
    const facts = this.#facts(settings, variant, status);
    const { outcome, rules } = evaluate(facts, this.rules);
    const stopped = rules.find(
      (rule) => rule.outcome === 'stopped' && (!settings.isLifecycleOnly || lifecycleGates.has(rule.id)),
    );
    const demanded = findDemand(facts, this.rules) !== null;
    if (stopped?.outcome === 'stopped') return { outcome: 'none', rule: stopped.id, reason: stopped.reason, demanded };
    const prompted = outcome === 'none' ? getPromptOutcome(deriveGateFacts(facts, this.rules), this.rules) : outcome;
    return { outcome: prompted, rule: null, reason: null, demanded };
  }

  #facts(settings: CampaignSettings, { given }: AttemptVariant, status: VerdictStatus): Facts {
    const { count, snoozed, running, registered } = status;
    const campaign = this.campaign(settings);
    const longAgo = nowMs - (campaign.snoozeDays + 1) * this.rules.limits.dayMs;
    const ofApp = registered && campaign.method === 'vendorAuthenticator';
    const { facts } = completeFacts(
      factsSchema.parse({
        user: { id: 'user', ...(ofApp ? { methods: ['sms', 'authenticator-push'] } : {}), ...given.user },
        attempt: { mfa: { completed: true, provider: 'service', method: 'sms' }, ...given.attempt, nowMs },
      }),
    );
    const snoozedAtMs = snoozed ? (running ? nowMs : longAgo) : null;
    return {
      ...facts,
      tenant: { ...settings.tenant, ...(given.tenant as Partial<TenantFacts>) },
      user: { ...facts.user, snooze: { count, snoozedAtMs } },
    };
  }
}

/** Maximum number of combinations of facts that a log can state. */
export const variantsMax = 10_000;

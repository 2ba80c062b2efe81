import type { TargetedMethod, TenantFacts } from '../../../machines/vocabulary.ts';
import type { ConformanceMapping, PolicySettings } from '../../contract/conformance.schema.ts';
import { tenantFactsSchema } from '../../contract/facts.schema.ts';
import { parseInstant } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { CampaignSettings } from './verdict-table.ts';

/** Settings with the interval of time in which they began to apply. */
interface Period {
  readonly lo: number;
  readonly hi: number;
  readonly settings: CampaignSettings;
}

/** Maximum number of changes of the policy in a log. */
const policyChangesMax = 10_000;

/** Settings of the campaign over time. The log and the mapping add changes. */
export class PolicyTimeline {
  readonly #periods: Period[];
  readonly #numbers = new Map<string, CampaignSettings>();

  readonly #isLifecycleOnly: boolean;
  readonly #isOrdered: boolean;

  /**
   * Creates the timeline from the facts of the tenant at the start of the log.
   * @param isLifecycleOnly - `true` if the log states no facts of sign-ins
   * @param isOrdered - `true` if the latest settings may always apply, because the clock of the log can be set back
   */
  constructor(tenant: TenantFacts, isLifecycleOnly: boolean, isOrdered = false) {
    this.#isOrdered = isOrdered;
    this.#isLifecycleOnly = isLifecycleOnly;
    const settings = this.#intern(tenant);
    this.#periods = [{ lo: Number.NEGATIVE_INFINITY, hi: Number.NEGATIVE_INFINITY, settings }];
  }

  /** Facts of the tenant that apply last. */
  get latest(): TenantFacts {
    return this.#last.settings.tenant;
  }

  get #last(): Period {
    return this.#periods.at(-1) as Period;
  }

  /**
   * Adds a change. A change before an earlier one takes its time.
   * @throws NudgeLabError `log-too-large` above the limit of changes
   */
  change(tenant: TenantFacts, lo: number, hi: number): void {
    const last = this.#last;
    const settings = this.#intern(tenant);
    if (settings === last.settings) return;
    if (this.#periods.length >= policyChangesMax) {
      throw new NudgeLabError('log-too-large', {
        message: `The log has more than ${policyChangesMax} policy changes.`,
      });
    }
    this.#periods.push({ lo: Math.max(lo, last.lo), hi: Math.max(hi, last.hi), settings });
  }

  /** Returns the settings that may apply at a time within an interval, the latest first. */
  during(lo: number, hi: number): readonly CampaignSettings[] {
    const last = this.#last;
    if (lo >= last.hi) return [last.settings];
    const found: CampaignSettings[] = [];
    for (let at = this.#periods.length - 1; at >= 0; at -= 1) {
      const period = this.#periods[at] as Period;
      const next = this.#periods[at + 1];
      if (period.lo > hi || (next !== undefined && next.hi <= lo)) continue;
      if (!found.includes(period.settings)) found.push(period.settings);
    }
    if (this.#isOrdered && !found.includes(last.settings)) found.unshift(last.settings);
    return found;
  }

  #intern(tenant: TenantFacts): CampaignSettings {
    const key = JSON.stringify([
      tenant.campaign,
      tenant.rollout,
      tenant.subscription,
      tenant.methodsPolicy,
      tenant.settings,
    ]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const settings = { number: this.#numbers.size, tenant, isLifecycleOnly: this.#isLifecycleOnly };
    this.#numbers.set(key, settings);
    return settings;
  }
}

/** Creates the timeline of a mapping: its settings at the start, and the changes that it states. */
export function createTimeline({
  policy,
  method,
  attempt,
}: Pick<ConformanceMapping, 'policy' | 'method' | 'attempt'>): PolicyTimeline {
  const { changes, enabled, ...settings } = policy;
  const state = enabled === 'provider-managed' ? 'default' : enabled ? 'enabled' : 'disabled';
  const start = tenantFactsSchema.parse({ campaign: { state, includeTargets: [everybody(method)] } });
  const timeline = new PolicyTimeline(withSettings(start, settings), Object.keys(attempt).length === 0);
  for (const { at, ...changed } of changes) {
    const atMs = parseInstant(at) ?? 0;
    timeline.change(withSettings(timeline.latest, changed), atMs, atMs);
  }
  return timeline;
}

function everybody(method: TargetedMethod) {
  return { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method } as const;
}

/** Returns the facts of a tenant with changed settings of the campaign. */
export function withSettings(tenant: TenantFacts, { enabled, days, limited }: PolicySettings): TenantFacts {
  return {
    ...tenant,
    campaign: {
      ...tenant.campaign,
      ...(enabled === undefined ? {} : { state: enabled ? 'enabled' : 'disabled' }),
      ...(days === undefined ? {} : { snoozeDurationInDays: days }),
      ...(limited === undefined ? {} : { enforceRegistrationAfterAllowedSnoozes: limited }),
    },
  };
}

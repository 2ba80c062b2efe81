import { pinRules, rulesInForce } from '../../../machines/ruleset-gates.ts';
import type { EffectiveCampaign, Ruleset } from '../../../machines/vocabulary.ts';
import type { Hypothesis } from './hypothesis.ts';
import type { PolicyTimeline } from './policy-timeline.ts';
import { type CampaignSettings, plainVariant, VerdictTable } from './verdict-table.ts';

/** Rules and settings that apply to a step. */
export interface Force {
  readonly settings: CampaignSettings;
  readonly verdicts: VerdictTable;
  readonly campaign: EffectiveCampaign;
}

/** Rules of a ruleset with the settings of a timeline, by time. */
export class RulesInForce {
  readonly ruleset: Ruleset;
  readonly #timeline: PolicyTimeline;
  readonly #verdicts = new Map<Ruleset, VerdictTable>();
  /** What applied last, while settings and rules stay the same. */
  #latest: { readonly settings: CampaignSettings; readonly forces: readonly Force[] } | null = null;

  constructor(ruleset: Ruleset, timeline: PolicyTimeline) {
    this.ruleset = ruleset;
    this.#timeline = timeline;
  }

  /** Returns the rules and settings that may apply at a time within an interval, the latest first. */
  during(lo: number, hi: number): readonly Force[] {
    const settings = this.#timeline.during(lo, hi);
    const [first] = settings;
    const isSteady = settings.length === 1 && this.ruleset.editions === undefined;
    if (isSteady && this.#latest !== null && this.#latest.settings === first) return this.#latest.forces;
    const forces = this.#list(settings, lo, hi);
    if (isSteady && first !== undefined) this.#latest = { settings: first, forces };
    return forces;
  }

  /** Returns the campaign that applies at a time. */
  campaignAt(atMs: number): EffectiveCampaign {
    const [force] = this.during(atMs, atMs);
    return (force as Force).campaign;
  }

  #list(settings: readonly CampaignSettings[], lo: number, hi: number): readonly Force[] {
    const early = rulesInForce(this.ruleset, lo);
    const late = rulesInForce(this.ruleset, hi);
    return (early === late ? [early] : [late, early]).flatMap((rules) => {
      const verdicts = this.#listVerdicts(rules, rules === early ? lo : hi);
      return settings.map((each) => ({ settings: each, verdicts, campaign: verdicts.campaign(each) }));
    });
  }

  #listVerdicts(rules: Ruleset, atMs: number): VerdictTable {
    const known = this.#verdicts.get(rules);
    if (known !== undefined) return known;
    const table = new VerdictTable(pinRules(this.ruleset, atMs));
    this.#verdicts.set(rules, table);
    return table;
  }
}

/** Checks whether the ruleset demands the registration of a user (OC23). */
export function isDemanded({ shape, count }: Hypothesis, { settings, verdicts }: Force): boolean {
  if (verdicts.rules.extension === undefined) return false;
  const { snoozed, registered } = shape;
  return verdicts.evaluate(settings, plainVariant, { count, snoozed, running: false, registered }).demanded;
}

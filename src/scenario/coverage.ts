import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { rules as gates } from '../../machines/rules/rule-registry.ts';
import { assumptions } from '../contract/assumptions.ts';
import type { Observation } from '../contract/coverage-evidence.ts';
import type { AssumptionCoverage, CoverageReport, RuleCoverage } from '../contract/result.schema.ts';
import { type CataloguedRule, ruleCatalogue } from '../contract/rule-catalogue.ts';
import { nudgeStatusKeys } from '../contract/step-names.ts';
import { suggestName } from '../core/nearest-name.ts';
import { Evidence, ScenarioEvidence } from './evidence.ts';
import { OwnCoverage, type ScenarioCoverage } from './own/own-coverage.ts';
import type { Scenario } from './scenario.ts';

/** Collects the evidence that scenario runs produce. */
export interface CoverageEvidenceSink {
  /** Returns the evidence of one scenario, which observes the run or receives the journal afterward. */
  begin(): ScenarioEvidence;
  /** Adds the evidence of a completed scenario. */
  note(scenario: Scenario, evidence: ScenarioEvidence): void;
  /** Begins the coverage of a ruleset with the base own by one scenario. */
  beginRuleset?(ruleset: OwnRuleset): ScenarioCoverage;
  /** Adds what a scenario covered of a ruleset in another process. */
  noteRuleset?(ruleset: OwnRuleset, items: readonly string[]): void;
}

/** Adds what only the expectations of a scenario show: responses of APIs, and reported nudge statuses. */
export function addExpectations(evidence: Evidence, { steps }: Scenario): void {
  for (const { kind, expect } of steps) {
    if (kind === 'getPolicy' || kind === 'patchPolicy') evidence.policyAnswers += 1;
    if (kind === 'lookup' && expect?.status !== undefined) evidence.lookedUp(expect.status);
    if (kind === 'document' && expect?.status !== undefined) evidence.answeredOnDocuments(expect.status);
    if (expect !== null && nudgeStatusKeys.some((key) => key in expect)) evidence.nudgeStatuses += 1;
  }
}

/** Measures from evaluation traces which rules and assumptions a run covered. */
export class CoverageRecorder implements CoverageEvidenceSink {
  readonly #all = new Evidence();
  readonly #claimed = new Set<string>();
  /** Evidence of the scenarios in each file on the current driver. */
  readonly #byFile = new Map<string, Evidence>();
  /** Coverage of rulesets with the base own, by their digests. */
  readonly #rulesets = new Map<string, OwnCoverage>();
  #blind = false;

  /** Begins the coverage of a ruleset with the base own by one scenario. */
  beginRuleset(ruleset: OwnRuleset): ScenarioCoverage {
    return this.#getCoverage(ruleset).begin();
  }

  /** Adds what a scenario covered of a ruleset in another process. */
  noteRuleset(ruleset: OwnRuleset, items: readonly string[]): void {
    const coverage = this.#getCoverage(ruleset);
    for (const item of items) coverage.add(item);
  }

  #getCoverage(ruleset: OwnRuleset): OwnCoverage {
    const known = this.#rulesets.get(ruleset.digest) ?? new OwnCoverage(ruleset);
    this.#rulesets.set(ruleset.digest, known);
    return known;
  }

  /** Returns the evidence of one scenario, which observes the run or receives the journal afterward. */
  begin(): ScenarioEvidence {
    return new ScenarioEvidence();
  }

  /** Adds the evidence of a completed scenario. */
  note(scenario: Scenario, evidence: ScenarioEvidence): void {
    addExpectations(evidence, scenario);
    this.#blind ||= evidence.blind;
    this.#all.add(evidence);
    const ofFile = this.#byFile.get(scenario.file) ?? new Evidence();
    ofFile.add(evidence);
    this.#byFile.set(scenario.file, ofFile);
  }

  /**
   * Returns the ids that a file claims to cover without evidence from its scenarios, all of which must have been
   * added. Evidence is not required for assumptions without an observable effect, and for lifecycle rules on a system
   * without a journal.
   */
  unconfirmedClaims({ file, covers }: Scenario): readonly string[] {
    const evidence = this.#byFile.get(file) ?? new Evidence();
    return covers.filter((id) => {
      const { confirmedBy } = getEntry(id);
      if (confirmedBy.some((observation) => evidence.seen(observation) > 0)) return false;
      const unobservable = confirmedBy.some(({ kind }) => kind === 'claimed' || (this.#blind && kind === 'lifecycle'));
      if (unobservable) this.#claimed.add(id);
      return !unobservable;
    });
  }

  /** Resets the evidence per file, because each driver must confirm the claims itself. Totals are kept. */
  nextDriver(): void {
    this.#byFile.clear();
    this.#blind = false;
  }

  /** Returns the coverage of all added evidence. */
  report(): CoverageReport {
    const outcomes = gates.map((gate) => {
      const count = this.#all.gates.get(gate.id);
      return {
        seen: (count !== undefined && count.met > 0 ? 1 : 0) + (count?.reasons.size ?? 0),
        possible: 1 + gate.reasons.length,
      };
    });
    return {
      rules: ruleCatalogue.map((rule) => this.#ruleCoverage(rule)),
      assumptions: assumptions.map(({ id, question, confirmedBy }): AssumptionCoverage => {
        const confirmed = confirmedBy.some((confirmation) => this.#all.seen(confirmation) > 0);
        return { id, question, state: confirmed ? 'confirmed' : this.#claimed.has(id) ? 'claimedOnly' : 'uncovered' };
      }),
      outcomesCovered: sum(outcomes.map(({ seen }) => seen)),
      outcomesTotal: sum(outcomes.map(({ possible }) => possible)),
      ...(this.#rulesets.size === 0
        ? {}
        : { rulesets: [...this.#rulesets.values()].map((coverage) => coverage.report()) }),
    };
  }

  #ruleCoverage({ id, summary, kind, gate, confirmedBy }: CataloguedRule): RuleCoverage {
    const count = gate === undefined ? undefined : this.#all.gates.get(gate);
    const seen = sum(
      confirmedBy.map((confirmation) => (confirmation.kind === 'gate' ? 0 : this.#all.seen(confirmation))),
    );
    return {
      id,
      summary,
      kind,
      met: count?.met ?? 0,
      stopped: count?.stopped ?? 0,
      notApplicable: count?.notApplicable ?? 0,
      observed: seen,
    };
  }
}

const entries = new Map([...ruleCatalogue, ...assumptions].map((entry) => [entry.id, entry]));

/** Returns true if a scenario can claim to cover an id, which must belong to a rule or an assumption. */
export function isCoverable(id: string): boolean {
  return entries.has(id);
}

/** Describes an id that a scenario cannot claim to cover, with the ids that it can. */
export function describeUnknownCoverage(id: string): string {
  return `"${id}" is not the id of a rule or an assumption; the ids are ${coverableIds}${suggestName(id, [...entries.keys()])}`;
}

/** All ids that a scenario can claim to cover. Ids without a part, such as R1 and R2, are written as a range. */
const coverableIds: string = Object.entries(
  Object.groupBy([...entries.keys()], (id) => (id.includes('.') ? 'part' : id.charAt(0))),
)
  .map(([letter, ids = []]) => {
    if (letter === 'part') return `parts such as ${ids[0]}`;
    const numbers = ids.map((id) => Number(id.slice(1)));
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    return first === last ? `${letter}${first}` : `${letter}${first} to ${letter}${last}`;
  })
  .join(', ');

function getEntry(id: string): { readonly confirmedBy: readonly Observation[] } {
  return entries.get(id) ?? { confirmedBy: [] };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

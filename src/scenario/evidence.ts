import type { RuleId, Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import { type CountedTransition, matches, type Observation } from '../contract/coverage-evidence.ts';
import { TransitionCounts } from '../contract/transition-counts.ts';

interface GateCount {
  met: number;
  stopped: number;
  notApplicable: number;
  /** Number of times the gate was not applicable although the campaign targets its method. */
  setAside: number;
  /** Reason codes with which the gate was the first to stop. */
  readonly reasons: Set<string>;
}

/** Evidence of a scenario as serializable data. */
export interface EvidenceData {
  readonly gates: readonly (readonly [RuleId, Omit<GateCount, 'reasons'> & { readonly reasons: readonly string[] }])[];
  readonly transitions: readonly CountedTransition[];
  readonly outcomes: readonly (readonly [VerdictOutcome, number])[];
  readonly blind: boolean;
}

/** Evidence of one scenario or of a whole run. */
export class Evidence {
  readonly gates = new Map<RuleId, GateCount>();
  /** Executed lifecycle transitions. */
  readonly transitions = new TransitionCounts();
  readonly outcomes = new Map<VerdictOutcome, number>();
  nudgeStatuses = 0;
  policyAnswers = 0;
  /** Statuses of the lookup API, with the number of times each was expected and observed. */
  readonly lookupStatuses = new Map<number, number>();

  /** Statuses of the document records API, with the number of times each was expected and observed. */
  readonly documentStatuses = new Map<number, number>();

  /** Counts the outcome of each gate. A gate counts as stopped only if it was the primary reason. */
  evaluated(verdict: Verdict): void {
    this.outcomes.set(verdict.outcome, (this.outcomes.get(verdict.outcome) ?? 0) + 1);
    const first = verdict.rules.find(({ outcome }) => outcome === 'stopped');
    for (const trace of verdict.rules) {
      const count = gateCount(this.gates, trace.id);
      if (trace.outcome === 'met') count.met += 1;
      else if (trace.outcome === 'not-applicable') {
        count.notApplicable += 1;
        if (!('targetedMethod' in trace.saw)) count.setAside += 1;
      } else if (trace === first) {
        count.stopped += 1;
        count.reasons.add(trace.reason);
      }
    }
  }

  /** Counts a response of the lookup API. */
  lookedUp(status: number, times = 1): void {
    this.lookupStatuses.set(status, (this.lookupStatuses.get(status) ?? 0) + times);
  }

  /** Counts a response of the document records API. */
  answeredOnDocuments(status: number, times = 1): void {
    this.documentStatuses.set(status, (this.documentStatuses.get(status) ?? 0) + times);
  }

  /**
   * Returns the number of observations that confirm a rule or an assumption. A gate that is not applicable for its
   * own reasons also confirms its rule: for example, restricted profiles have no effect while the campaign is
   * enabled.
   */
  seen(observation: Observation): number {
    switch (observation.kind) {
      case 'gate': {
        const count = this.gates.get(observation.gate);
        return count === undefined ? 0 : count.met + count.stopped + count.setAside;
      }
      case 'lifecycle':
        return sum(
          this.transitions.list().map(({ taken, times }) => (matches(taken, observation.transition) ? times : 0)),
        );
      case 'verdict':
        return this.outcomes.get(observation.outcome) ?? 0;
      case 'nudgeStatus':
        return this.nudgeStatuses;
      case 'policy':
        return this.policyAnswers;
      case 'lookup':
        return sum(observation.statuses.map((status) => this.lookupStatuses.get(status) ?? 0));
      case 'document':
        return sum(observation.statuses.map((status) => this.documentStatuses.get(status) ?? 0));
      case 'claimed':
        return 0;
    }
  }

  add(other: Evidence): void {
    for (const [id, { met, stopped, notApplicable, setAside, reasons }] of other.gates) {
      const count = gateCount(this.gates, id);
      count.met += met;
      count.stopped += stopped;
      count.notApplicable += notApplicable;
      count.setAside += setAside;
      for (const reason of reasons) count.reasons.add(reason);
    }
    for (const { taken, times } of other.transitions.list()) this.transitions.add(taken, times);
    for (const [outcome, times] of other.outcomes)
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times);
    this.nudgeStatuses += other.nudgeStatuses;
    this.policyAnswers += other.policyAnswers;
    for (const [status, times] of other.lookupStatuses) this.lookedUp(status, times);
    for (const [status, times] of other.documentStatuses) this.answeredOnDocuments(status, times);
  }
}

/** Evidence of one scenario, collected during the run. */
export class ScenarioEvidence extends Evidence {
  /** True if the lifecycle could not be observed because the system has no journal. */
  blind = false;

  /**
   * Returns the evidence so far as data, without the parts that `CoverageRecorder` adds from the text of the
   * scenario.
   */
  toData(): EvidenceData {
    return {
      gates: [...this.gates].map(([id, count]) => [id, { ...count, reasons: [...count.reasons] }]),
      transitions: this.transitions.list(),
      outcomes: [...this.outcomes],
      blind: this.blind,
    };
  }

  /** Restores the evidence of another process from the data that `toData` returned there. */
  static ofData({ gates, transitions, outcomes, blind }: EvidenceData): ScenarioEvidence {
    const evidence = new ScenarioEvidence();
    for (const [id, count] of gates) evidence.gates.set(id, { ...count, reasons: new Set(count.reasons) });
    evidence.addTransitions(transitions);
    for (const [outcome, times] of outcomes) evidence.outcomes.set(outcome, times);
    evidence.blind = blind;
    return evidence;
  }

  /** Adds the transitions that a system in another process has counted. */
  addTransitions(transitions: readonly CountedTransition[]): void {
    for (const { taken, times } of transitions) this.transitions.add(taken, times);
  }
}

function gateCount(counts: Map<RuleId, GateCount>, id: RuleId): GateCount {
  const known = counts.get(id);
  if (known !== undefined) return known;
  const count: GateCount = { met: 0, stopped: 0, notApplicable: 0, setAside: 0, reasons: new Set() };
  counts.set(id, count);
  return count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

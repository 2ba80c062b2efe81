import { rules as gates } from '../../machines/rules/register.ts';
import type { GateId, Verdict, VerdictOutcome } from '../../machines/vocabulary.ts';
import { assumptions } from '../contract/assumptions.ts';
import { matches, type Observation, type TakenTransition } from '../contract/observation.ts';
import type { AssumptionCoverage, CoverageReport, RuleCoverage } from '../contract/result.ts';
import { type CataloguedRule, ruleCatalogue } from '../contract/rule-catalogue.ts';
import { ledgerKeys } from '../contract/step-words.ts';
import { foldWatched, type JournalEntry, type Watcher } from '../sandbox/watched-journal.ts';
import type { Scenario } from './scenario.ts';
import { takenFrom } from './taken-transition.ts';

interface GateCount {
  met: number;
  stopped: number;
  notApplicable: number;
  /** Not applicable although the campaign asks for the method that the gate is about. */
  setAside: number;
  /** Reasons with which it stopped as the first. */
  readonly reasons: Set<string>;
}

/** What one scenario, or a whole run, showed. */
class Evidence {
  readonly gates = new Map<GateId, GateCount>();
  /** Lifecycle transitions that were taken, as `TakenTransition` texts, with how often. */
  readonly transitions = new Map<string, { readonly taken: TakenTransition; times: number }>();
  readonly outcomes = new Map<VerdictOutcome, number>();
  ledgers = 0;
  policyAnswers = 0;
  /** Statuses of the lookup API, with how often each was expected and seen. */
  readonly lookupStatuses = new Map<number, number>();

  /** Statuses of the document records API, with how often each was expected and seen. */
  readonly documentStatuses = new Map<number, number>();

  /** A gate counts per outcome, and as stopped only where it was the primary reason. */
  judged(verdict: Verdict): void {
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

  /** An answer of the lookup API. */
  lookedUp(status: number, times = 1): void {
    this.lookupStatuses.set(status, (this.lookupStatuses.get(status) ?? 0) + times);
  }

  /** An answer of the document records API. */
  answeredOnDocuments(status: number, times = 1): void {
    this.documentStatuses.set(status, (this.documentStatuses.get(status) ?? 0) + times);
  }

  /** A step of a lifecycle, by the guard and the actions that the machine itself names for it. */
  moved(taken: TakenTransition, times = 1): void {
    const key = `${taken.event} ${taken.from} ${taken.guard} ${taken.actions.join()}`;
    const known = this.transitions.get(key);
    if (known === undefined) this.transitions.set(key, { taken, times });
    else known.times += times;
  }

  /**
   * How often something that confirms a rule or an assumption was seen. A gate that set itself aside confirms its rule too: that
   * restricted profiles do not matter while the campaign is enabled, for example.
   */
  seen(observation: Observation): number {
    switch (observation.kind) {
      case 'gate': {
        const count = this.gates.get(observation.gate);
        return count === undefined ? 0 : count.met + count.stopped + count.setAside;
      }
      case 'lifecycle':
        return sum(
          [...this.transitions.values()].map(({ taken, times }) =>
            matches(taken, observation.transition) ? times : 0,
          ),
        );
      case 'verdict':
        return this.outcomes.get(observation.outcome) ?? 0;
      case 'ledger':
        return this.ledgers;
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
    for (const { taken, times } of other.transitions.values()) this.moved(taken, times);
    for (const [outcome, times] of other.outcomes)
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times);
    this.ledgers += other.ledgers;
    this.policyAnswers += other.policyAnswers;
    for (const [status, times] of other.lookupStatuses) this.lookedUp(status, times);
    for (const [status, times] of other.documentStatuses) this.answeredOnDocuments(status, times);
  }
}

/** What one scenario showed, collected while it runs. */
export class ScenarioEvidence extends Evidence {
  /** Nothing could be seen of the lifecycle: the system has no journal. */
  blind = false;

  /** Watches a fold; the verdicts are noted apart, with those of hypothetical sign-ins. */
  readonly watcher: Watcher = {
    judged: () => undefined,
    moved: (before, event) => {
      const taken = takenFrom(before, event);
      if (taken !== null) this.moved(taken);
    },
  };

  /** Reads the lifecycle off a journal, for systems that could not be watched; `null` where there is none. */
  read(journal: readonly JournalEntry[] | null): void {
    if (journal === null) this.blind = true;
    else foldWatched(journal, this.watcher);
  }
}

/** Measures from traces which rules and assumptions a run has shown. */
export class CoverageLog {
  readonly #all = new Evidence();
  readonly #claimed = new Set<string>();
  /** What the scenarios of one file showed on one driver, by file. */
  readonly #byFile = new Map<string, Evidence>();
  #blind = false;

  /** What one scenario will show; it watches, or is given the journal afterwards. */
  begin(): ScenarioEvidence {
    return new ScenarioEvidence();
  }

  /** Notes what a scenario showed. */
  note(scenario: Scenario, evidence: ScenarioEvidence): void {
    for (const { kind, expect } of scenario.steps) {
      if (kind === 'getPolicy' || kind === 'patchPolicy') evidence.policyAnswers += 1;
      if (kind === 'lookup' && expect?.status !== undefined) evidence.lookedUp(expect.status);
      if (kind === 'document' && expect?.status !== undefined) evidence.answeredOnDocuments(expect.status);
      if (expect !== null && ledgerKeys.some((key) => key in expect)) evidence.ledgers += 1;
    }
    this.#blind ||= evidence.blind;
    this.#all.add(evidence);
    const ofFile = this.#byFile.get(scenario.file) ?? new Evidence();
    ofFile.add(evidence);
    this.#byFile.set(scenario.file, ofFile);
  }

  /**
   * The ids that a file claims to cover and its scenarios did not show; all of them must have been noted. An assumption
   * without an observable point is only claimed, and so is a lifecycle rule on a system that has no journal.
   */
  unconfirmed({ file, covers }: Scenario): readonly string[] {
    const evidence = this.#byFile.get(file) ?? new Evidence();
    return covers.filter((id) => {
      const { confirmedBy } = entryOf(id);
      if (confirmedBy.some((observation) => evidence.seen(observation) > 0)) return false;
      const unseeable = confirmedBy.some(({ kind }) => kind === 'claimed' || (this.#blind && kind === 'lifecycle'));
      if (unseeable) this.#claimed.add(id);
      return !unseeable;
    });
  }

  /** Begins anew with the claims of files, as each driver has to confirm them itself; totals go on. */
  nextDriver(): void {
    this.#byFile.clear();
    this.#blind = false;
  }

  /** The coverage of all that was noted. */
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
        return { id, question, state: confirmed ? 'confirmed' : this.#claimed.has(id) ? 'claimed' : 'open' };
      }),
      outcomesSeen: sum(outcomes.map(({ seen }) => seen)),
      outcomesPossible: sum(outcomes.map(({ possible }) => possible)),
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
      seen,
    };
  }
}

const entries = new Map([...ruleCatalogue, ...assumptions].map((entry) => [entry.id, entry]));

/** Whether a scenario can claim to cover an id: one of a rule or of an assumption. */
export function isCoverable(id: string): boolean {
  return entries.has(id);
}

function entryOf(id: string): { readonly confirmedBy: readonly Observation[] } {
  return entries.get(id) ?? { confirmedBy: [] };
}

function gateCount(counts: Map<GateId, GateCount>, id: GateId): GateCount {
  const known = counts.get(id);
  if (known !== undefined) return known;
  const count: GateCount = { met: 0, stopped: 0, notApplicable: 0, setAside: 0, reasons: new Set() };
  counts.set(id, count);
  return count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

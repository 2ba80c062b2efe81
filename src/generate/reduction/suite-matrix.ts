import { rules as gates } from '../../../machines/rules/rule-registry.ts';
import { assumptions } from '../../contract/assumptions.ts';
import { ruleCatalogue } from '../../contract/rule-catalogue.ts';
import type { StepKind } from '../../contract/step-names.ts';
import { addExpectations, type CoverageEvidenceSink } from '../../scenario/coverage.ts';
import { type Evidence, ScenarioEvidence } from '../../scenario/evidence.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { ModelMutant } from '../mutate/model-mutant.ts';
import { MutationSuite } from '../mutate/mutation-suite.ts';

/** What a suite shows: the coverage of a point, or the detection of a mutant. */
export interface SuiteGoal {
  readonly kind: 'point' | 'mutant';
  readonly id: string;
}

/** Scenario that was measured, with the numbers of the goals that it reaches. */
export interface MeasuredScenario {
  readonly id: string;
  readonly steps: number;
  readonly reaches: readonly number[];
}

/** Goals that a suite reaches, and the scenarios that reach each. */
export interface SuiteMatrix {
  /** Goals that at least one scenario reaches. */
  readonly goals: readonly SuiteGoal[];
  readonly scenarios: readonly MeasuredScenario[];
  /**
   * Ids of scenarios about which neither coverage nor mutants say enough: those of other APIs, of ruleset files, and
   * those that need another driver than the model.
   */
  readonly unmeasured: readonly string[];
  /** Ids of scenarios that fail on the model. */
  readonly failing: readonly string[];
  /** False if the time ended before all mutants were run. */
  readonly complete: boolean;
}

/** Options for measuring a suite. */
export interface MatrixOptions {
  /** Called before each mutant. If it returns false, the remaining mutants are left out. */
  readonly canContinue: () => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Kinds of steps whose responses no mutant changes. */
const unmeasuredKinds: ReadonlySet<StepKind> = new Set<StepKind>(['callApi', 'lookup', 'document']);

/** Runs all scenarios on the model and on every mutant. */
export async function measureSuite(
  scenarios: readonly Scenario[],
  mutants: readonly ModelMutant[],
  { canContinue, onProgress }: MatrixOptions,
): Promise<SuiteMatrix> {
  const isMeasured = ({ own, steps }: Scenario) =>
    own === undefined && !steps.some(({ kind }) => unmeasuredKinds.has(kind));
  const measured = scenarios.filter(isMeasured);
  const points = new PointRecorder();
  const suite = await MutationSuite.of(measured, points);
  const goals: SuiteGoal[] = [];
  const reaches = new Map<string, number[]>();
  const add = (goal: SuiteGoal, ids: readonly string[]): void => {
    if (ids.length === 0) return;
    const number = goals.push(goal) - 1;
    for (const id of ids) reaches.set(id, [...(reaches.get(id) ?? []), number]);
  };
  const passing = new Set(measured.map(({ id }) => id)).difference(new Set([...suite.failing, ...suite.skipped]));
  for (const [id, shownBy] of points.points()) {
    add(
      { kind: 'point', id },
      shownBy.filter((scenario) => passing.has(scenario)),
    );
  }
  let done = 0;
  for (const mutant of mutants) {
    if (!canContinue()) break;
    add({ kind: 'mutant', id: mutant.id }, await suite.killers(mutant));
    done += 1;
    onProgress?.(done, mutants.length);
  }
  return {
    goals,
    scenarios: measured
      .filter(({ id }) => passing.has(id))
      .map(({ id, steps }) => ({ id, steps: steps.length, reaches: reaches.get(id) ?? [] })),
    unmeasured: [...scenarios.filter((scenario) => !isMeasured(scenario)).map(({ id }) => id), ...suite.skipped],
    failing: suite.failing,
    complete: done === mutants.length,
  };
}

/** Records the coverage points of each scenario: outcomes of gates, rules, assumptions and lifecycle transitions. */
class PointRecorder implements CoverageEvidenceSink {
  readonly #points = new Map<string, string[]>();

  begin(): ScenarioEvidence {
    return new ScenarioEvidence();
  }

  note(scenario: Scenario, evidence: ScenarioEvidence): void {
    addExpectations(evidence, scenario);
    for (const point of listPoints(evidence)) {
      this.#points.set(point, [...(this.#points.get(point) ?? []), scenario.id]);
    }
  }

  /** Returns the ids of the scenarios that cover each point. */
  points(): ReadonlyMap<string, readonly string[]> {
    return this.#points;
  }
}

/** Lists the points that the evidence of a scenario covers. */
function listPoints(evidence: Evidence): readonly string[] {
  const ofGates = gates.flatMap(({ id }) => {
    const count = evidence.gates.get(id);
    if (count === undefined) return [];
    return [
      ...(count.met > 0 ? [`${id} met`] : []),
      ...(count.notApplicable > 0 ? [`${id} not applicable`] : []),
      ...[...count.reasons].map((reason) => `${id} ${reason}`),
    ];
  });
  const confirmed = [...ruleCatalogue, ...assumptions]
    .filter(({ confirmedBy }) => confirmedBy.some((observation) => evidence.seen(observation) > 0))
    .map(({ id }) => `${id} confirmed`);
  return [...ofGates, ...confirmed, ...evidence.transitions.keys()];
}

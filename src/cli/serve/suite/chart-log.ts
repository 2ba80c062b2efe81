import { effectiveCampaign } from '../../../../machines/effective-campaign.ts';
import { type MachineId, machines } from '../../../../machines/machine-registry.ts';
import { passkeyEligibility } from '../../../../machines/passkey-eligibility.machine.ts';
import { rulesInForce } from '../../../../machines/ruleset-gates.ts';
import { type ChartDefinition, chartDefinitions, chartNodes, formatChartId } from '../../../../machines/statechart.ts';
import type { Facts, Ruleset } from '../../../../machines/vocabulary.ts';
import { chartScenariosMax } from '../../../contract/statechart.schema.ts';
import { rebuildStateWithObserver } from '../../../journal/apply-event.ts';
import type { JournalEntry } from '../../../journal/journal-event.ts';
import { type ModelStepFrom, SandboxModel } from '../../../journal/sandbox-model.ts';
import type { RunCharts } from '../../../server/suite-service.ts';

/** Number of executions of a state or transition, and the scenarios that executed it. */
interface Taken {
  times: number;
  scenarioCount: number;
  readonly scenarios: string[];
  latest: string;
}

/**
 * Coverage data available for each state machine. Some machines run during a scenario, others when its journal is
 * replayed.
 */
const measured: Readonly<Record<MachineId, RunCharts['machines'][number]['measured']>> = {
  nudge: 'transitions',
  signIn: 'transitions',
  campaign: 'transitions',
  passkeyEligibility: 'states',
  document: 'nothing',
};

/** Counts the states and transitions that scenarios execute, by replaying their journals with an observer. */
export class ChartLog {
  readonly #charts = new Map(machines.map(({ id, machine }) => [id, new ChartCount(machine)]));
  /** Model that replays the journals. */
  readonly #folding: SandboxModel;
  #scenario = '';
  #seesCampaign = false;

  constructor() {
    this.#folding = this.#tapped('signIn', (facts, ruleset) => this.#evaluated(facts, ruleset));
  }

  /**
   * Returns the model for a driver. It is needed for the campaign, because a campaign changes when an update is
   * evaluated and no journal repeats that. With other drivers the campaign is not counted.
   */
  modelForDriver(): SandboxModel {
    this.#seesCampaign = true;
    return this.#tapped('campaign', () => undefined);
  }

  /** Sets the scenario that the next steps belong to. */
  begin(scenarioId: string): void {
    this.#scenario = scenarioId;
  }

  /** Counts the transitions in the journal of a scenario. */
  note(scenarioId: string, journal: readonly JournalEntry[]): void {
    this.#scenario = scenarioId;
    const moved = (before: ModelStepFrom, event: { readonly type: string }): void =>
      this.#charts.get('nudge')?.stepped(before, event, scenarioId);
    rebuildStateWithObserver(journal, { evaluated: () => undefined, moved }, this.#folding);
  }

  /** Returns the counts. */
  charts(): RunCharts['machines'] {
    return machines.map(({ id }) => {
      const chart = this.#charts.get(id);
      const measuredParts = id === 'campaign' && !this.#seesCampaign ? 'nothing' : measured[id];
      return { id, measured: measuredParts, states: chart?.states() ?? [], transitions: chart?.transitions() ?? [] };
    });
  }

  /**
   * Creates a model that counts the steps of one machine. The lifecycle machine is counted separately, because the
   * model also steps it to predict states.
   */
  #tapped(counted: 'signIn' | 'campaign', judging: (facts: Facts, ruleset: Ruleset) => void): SandboxModel {
    return new SandboxModel({
      observer: {
        evaluating: judging,
        stepping: (machine, from, event) => {
          if (machine === counted) this.#charts.get(machine)?.stepped(from, event, this.#scenario);
        },
      },
    });
  }

  /** Counts passkey eligibility only if the campaign prompts for passkeys. */
  #evaluated(facts: Facts, ruleset: Ruleset): void {
    if (effectiveCampaign(facts.tenant, rulesInForce(ruleset, facts.attempt.nowMs)).method !== 'fido2') return;
    this.#charts.get('passkeyEligibility')?.entered(passkeyEligibility({ facts, ruleset }), this.#scenario);
  }
}

type Machine = (typeof machines)[number]['machine'];

class ChartCount {
  readonly #machine: Machine;
  readonly #stateIds: readonly string[];
  readonly #definitions: readonly ChartDefinition[];
  readonly #states = new Map<string, Taken>();
  readonly #taken = new Map<ChartDefinition, Taken>();

  constructor(machine: Machine) {
    this.#machine = machine;
    const nodes = chartNodes(machine);
    this.#stateIds = nodes.slice(1).map(formatChartId);
    this.#definitions = chartDefinitions(nodes);
  }

  /** Counts a step: the transitions that the event selects, and the states that it exits and enters. */
  stepped(from: ModelStepFrom, event: { readonly type: string }, scenario: string): void {
    const state = String(from.value);
    const before = this.#machine.resolveState({ value: state, context: from.context } as never);
    const chosen = this.#machine.getTransitionData(before as never, event as never) as unknown as ChartDefinition[];
    // No step enters the initial state of a scenario.
    if (this.#states.get(state)?.latest !== scenario) this.entered(state, scenario);
    for (const definition of chosen) {
      const taken = this.#taken.get(definition) ?? nothing();
      this.#taken.set(definition, taken);
      add(taken, scenario);
      const [target] = definition.target ?? [];
      if (target !== undefined) this.entered(formatChartId(target), scenario);
    }
  }

  entered(state: string, scenario: string): void {
    const taken = this.#states.get(state) ?? nothing();
    this.#states.set(state, taken);
    add(taken, scenario);
  }

  states(): RunCharts['machines'][number]['states'] {
    return this.#stateIds.map((id) => toCounts(id, this.#states.get(id)));
  }

  transitions(): RunCharts['machines'][number]['transitions'] {
    return this.#definitions.map((definition, index) => toCounts(String(index + 1), this.#taken.get(definition)));
  }
}

function nothing(): Taken {
  return { times: 0, scenarioCount: 0, scenarios: [], latest: '' };
}

function add(taken: Taken, scenario: string): void {
  taken.times += 1;
  if (taken.latest === scenario) return;
  taken.latest = scenario;
  taken.scenarioCount += 1;
  if (taken.scenarios.length < chartScenariosMax) taken.scenarios.push(scenario);
}

function toCounts(id: string, taken: Taken = nothing()): RunCharts['machines'][number]['states'][number] {
  const { times, scenarios, scenarioCount } = taken;
  return { id, times, scenarios: [...scenarios], scenarioCount };
}

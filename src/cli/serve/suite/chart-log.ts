import { effectiveCampaign } from '../../../../machines/effective-campaign.ts';
import { type MachineId, machines } from '../../../../machines/machine-registry.ts';
import { passkeyEligibility } from '../../../../machines/passkey-eligibility.machine.ts';
import { type ChartDefinition, chartDefinitions, chartNodes, formatChartId } from '../../../../machines/statechart.ts';
import type { Facts, Ruleset } from '../../../../machines/vocabulary.ts';
import { chartScenariosMax } from '../../../contract/statechart.schema.ts';
import { rebuildStateWithObserver } from '../../../journal/apply-event.ts';
import type { JournalEntry } from '../../../journal/journal-event.ts';
import { type ModelStepFrom, SandboxModel } from '../../../journal/sandbox-model.ts';
import type { RunCharts } from '../../../server/suite-service.ts';

/** How often something was taken, and by which scenarios. */
interface Taken {
  times: number;
  scenarioCount: number;
  readonly scenarios: string[];
  latest: string;
}

/** What runs tell of a machine: which are stepped while a scenario runs, or when its journal is folded. */
const measured: Readonly<Record<MachineId, RunCharts['machines'][number]['measured']>> = {
  nudge: 'transitions',
  signIn: 'transitions',
  campaign: 'transitions',
  passkeyEligibility: 'states',
  document: 'nothing',
};

/** Counts what scenarios take of the machines, by folding their journals once more while it listens. */
export class ChartLog {
  readonly #charts = new Map(machines.map(({ id, machine }) => [id, new ChartCount(machine)]));
  /** What journals are folded through. */
  readonly #folding: SandboxModel;
  #scenario = '';
  #seesCampaign = false;

  constructor() {
    this.#folding = this.#tapped('signIn', (facts, ruleset) => this.#evaluated(facts, ruleset));
  }

  /**
   * The model for a driver to run on: a campaign moves when an update is evaluated, which no journal repeats. Other drivers leave
   * the campaign uncounted.
   */
  modelForDriver(): SandboxModel {
    this.#seesCampaign = true;
    return this.#tapped('campaign', () => undefined);
  }

  /** Says whose steps come next. */
  begin(scenarioId: string): void {
    this.#scenario = scenarioId;
  }

  /** Notes what the journal of a scenario shows. */
  note(scenarioId: string, journal: readonly JournalEntry[]): void {
    this.#scenario = scenarioId;
    const moved = (before: ModelStepFrom, event: { readonly type: string }): void =>
      this.#charts.get('nudge')?.stepped(before, event, scenarioId);
    rebuildStateWithObserver(journal, { evaluated: () => undefined, moved }, this.#folding);
  }

  /** What was counted. */
  charts(): RunCharts['machines'] {
    return machines.map(({ id }) => {
      const chart = this.#charts.get(id);
      const told = id === 'campaign' && !this.#seesCampaign ? 'nothing' : measured[id];
      return { id, measured: told, states: chart?.states() ?? [], transitions: chart?.transitions() ?? [] };
    });
  }

  /** The lifecycle is also stepped to see what would be, so it is watched where it really moves, and not tapped. */
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

  /** Whether a user can be asked for a passkey matters where a passkey is asked for. */
  #evaluated(facts: Facts, ruleset: Ruleset): void {
    if (effectiveCampaign(facts.tenant, ruleset).method !== 'fido2') return;
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

  /** A step: the transitions that the event chooses, and the states that it leaves and leads to. */
  stepped(from: ModelStepFrom, event: { readonly type: string }, scenario: string): void {
    const state = String(from.value);
    const before = this.#machine.resolveState({ value: state, context: from.context } as never);
    const chosen = this.#machine.getTransitionData(before as never, event as never) as unknown as ChartDefinition[];
    // A state that a scenario begins in is entered by no step.
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
    return this.#stateIds.map((id) => shown(id, this.#states.get(id)));
  }

  transitions(): RunCharts['machines'][number]['transitions'] {
    return this.#definitions.map((definition, index) => shown(String(index + 1), this.#taken.get(definition)));
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

function shown(id: string, taken: Taken = nothing()): RunCharts['machines'][number]['states'][number] {
  const { times, scenarios, scenarioCount } = taken;
  return { id, times, scenarios: [...scenarios], scenarioCount };
}

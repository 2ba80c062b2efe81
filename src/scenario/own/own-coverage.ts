import { generatedReasons, hasGate } from '../../../machines/own/generated-gates.ts';
import {
  type GeneratedGate,
  isDataGate,
  isModuleGate,
  type OwnRules,
  type OwnRuleset,
} from '../../../machines/own/own-ruleset.ts';
import type { RulesetCoverage } from '../../contract/result.schema.ts';
import type { OwnObservation } from './own-run.ts';
import type { OwnStep } from './own-scenario.ts';

/** State of a scenario that the coverage of a step depends on. */
export interface CoveredMoment {
  readonly nowMs: number;
  /** Time from which the user of the step is prompted again, or `null`. */
  readonly nextPromptAtMs: number | null;
  readonly snoozesLeft: number | null;
}

/** Coverage of one ruleset by scenarios, with everything that the ruleset can do as the denominator (OC48). */
export class OwnCoverage {
  readonly #ruleset: OwnRuleset;
  readonly #seen: Map<string, number>;

  /** Creates the coverage of a ruleset before any scenario. */
  constructor(ruleset: OwnRuleset) {
    this.#ruleset = ruleset;
    const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
    this.#seen = new Map(all.flatMap(listItems).map((item) => [item, 0]));
  }

  /** Begins a scenario. */
  begin(): ScenarioCoverage {
    return new ScenarioCoverage(this.#ruleset, (item) => this.add(item));
  }

  /** Counts an item. One that the ruleset does not have is ignored. */
  add(item: string): void {
    const count = this.#seen.get(item);
    if (count !== undefined) this.#seen.set(item, count + 1);
  }

  /** Returns what the scenarios covered. */
  report(): RulesetCoverage {
    const items = [...this.#seen].map(([item, seen]) => ({ item, seen }));
    const covered = items.filter(({ seen }) => seen > 0).length;
    return { ruleset: this.#ruleset.id, covered, total: items.length, items };
  }
}

/** What one scenario covers, step by step. */
export class ScenarioCoverage {
  readonly #ruleset: OwnRuleset;
  readonly #add: (item: string) => void;
  /** Latest time of the next prompt of each user, as long as no later one is known. */
  readonly #dueMs = new Map<string, number>();
  #edition: string | null | undefined;

  constructor(ruleset: OwnRuleset, add: (item: string) => void) {
    this.#ruleset = ruleset;
    this.#add = add;
  }

  /** Adds a step that was performed. `userId` is its user. */
  note(step: OwnStep, observation: OwnObservation, userId: string | null, moment: CoveredMoment): void {
    const { verdict, page } = observation;
    if (verdict !== undefined) this.#noteVerdict(verdict, userId, moment);
    if (page === 'prompt' || page === 'required' || page === 'blocked' || page === 'error-screen') {
      this.#add(`screen ${page}`);
    }
    this.#noteStep(step, observation);
    if (moment.snoozesLeft === 0) this.#add('limit reached');
    if (userId !== null && moment.nextPromptAtMs !== null) this.#dueMs.set(userId, moment.nextPromptAtMs);
  }

  #noteVerdict(verdict: NonNullable<OwnObservation['verdict']>, userId: string | null, { nowMs }: CoveredMoment): void {
    for (const rule of verdict.rules) {
      const what = rule.outcome === 'met' ? 'met' : rule.outcome === 'stopped' ? rule.reason : 'not applicable';
      this.#add(`gate ${rule.id} ${what}`);
      if (rule.outcome === 'stopped' && rule.reason === 'limit-reached') this.#add('limit reached');
    }
    this.#noteTimes(verdict, userId, nowMs);
    if (verdict.variant !== null) this.#add(`variant ${verdict.variant}`);
    if (this.#edition !== undefined && verdict.edition !== null && verdict.edition !== this.#edition) {
      this.#add(`edition ${verdict.edition} crossed`);
      this.#add('reset edition');
    }
    this.#edition = verdict.edition;
  }

  #noteTimes(verdict: NonNullable<OwnObservation['verdict']>, userId: string | null, nowMs: number): void {
    const cadence = verdict.rules.find(({ id }) => id === 'X.cadence')?.outcome;
    const dueMs = userId === null ? undefined : this.#dueMs.get(userId);
    if (dueMs !== undefined && cadence !== undefined && cadence !== 'not-applicable') {
      this.#add(`cadence ${position(nowMs, dueMs)}`);
    }
    if (verdict.deadlineAtMs === null) return;
    const phase = verdict.reason === 'not-yet-open' ? 'not yet open' : position(nowMs, verdict.deadlineAtMs);
    this.#add(`deadline ${phase}`);
  }

  #noteStep({ kind, say }: OwnStep, { status, page }: OwnObservation): void {
    switch (kind) {
      case 'skip': {
        const answer = say.answer ?? Object.keys(this.#ruleset.first.answers)[0] ?? 'skip';
        return this.#add(`answer ${answer}${status === 409 ? ' refused' : ''}`);
      }
      case 'closeBrowser':
        return this.#add('answer close');
      case 'abandon':
        return this.#add('answer expire');
      case 'register':
        return page === 'signed-in' ? this.#add('reset registered') : undefined;
      case 'failRegistration':
        return this.#add('setup failed');
      case 'skipError':
        return this.#add(`error screen ${status === 409 ? 'refused' : 'skipped'}`);
      case 'removeMethod':
        return this.#add('reset removed');
      case 'clearBrowser':
        return this.#add('reset browserCleared');
      case 'resetLedger':
        return this.#add('reset control');
      case 'setTenant':
        for (const name of Object.keys(say.settings ?? {})) this.#add(`reset settingChanged ${name}`);
        for (const name of Object.keys(say.facts ?? {})) this.#add(`reset newVersion tenant.facts.${name}`);
        return;
      case 'setUser':
        for (const name of Object.keys(say.facts ?? {})) this.#add(`reset newVersion user.facts.${name}`);
    }
  }
}

function position(nowMs: number, dueMs: number): string {
  return nowMs < dueMs ? 'before' : nowMs === dueMs ? 'at' : 'after';
}

/** Lists everything that rules can do. */
function listItems(rules: OwnRules): readonly string[] {
  const { answers, limit, deadline, resets, rollout, edition, failure } = rules;
  const duty = canDemand(rules);
  const ofGates = rules.gates.flatMap((gate): readonly string[] => {
    if (isModuleGate(gate)) {
      return ['met', ...Object.keys(gate.reasons)].map((outcome) => `gate ${gate.id} ${outcome}`);
    }
    if (isDataGate(gate)) {
      const outcomes = ['met', gate.stop, ...(gate.skipIf === null ? [] : ['not applicable'])];
      return outcomes.map((outcome) => `gate ${gate.id} ${outcome}`);
    }
    if (!hasGate(gate, rules)) return [];
    const whenDuty = duty && ['X.never', 'X.session', 'X.cadence'].includes(gate) ? ['not applicable'] : [];
    return ['met', ...listReasons(gate, rules), ...whenDuty].map((outcome) => `gate ${gate} ${outcome}`);
  });
  const screens = listScreens(rules);
  const skippable = screens.includes('prompt');
  const ofAnswers = Object.entries(answers).flatMap(([id, { effects, whenRequired }]): readonly string[] => {
    if (id === 'next') return [];
    if (id === 'close' || id === 'expire') return effects.includes('nothing') || !skippable ? [] : [`answer ${id}`];
    const isRefused = screens.includes('required') && whenRequired === 'refused';
    return [
      ...(skippable || whenRequired === 'offered' ? [`answer ${id}`] : []),
      ...(isRefused ? [`answer ${id} refused`] : []),
    ];
  });
  const timed = ['fixed', 'growing', 'daily'].includes(rules.cadence.kind);
  const hasWait = timed || Object.values(answers).some((answer) => answer.for !== null);
  return [
    ...ofGates,
    ...screens.map((screen) => `screen ${screen}`),
    ...ofAnswers,
    'setup failed',
    `error screen ${failure.skip === 'refused' ? 'refused' : 'skipped'}`,
    ...(hasWait ? ['cadence before', 'cadence at', 'cadence after'] : []),
    ...(limit === null ? [] : ['limit reached']),
    ...(deadline === null ? [] : ['deadline before', 'deadline at', 'deadline after']),
    ...(deadline?.opens == null ? [] : ['deadline not yet open']),
    ...resets.map(({ on }) => `reset ${typeof on === 'string' ? on : Object.entries(on).flat().join(' ')}`),
    ...(rollout?.variants ?? []).map(({ id }) => `variant ${id}`),
    ...(edition === null ? [] : [`edition ${edition} crossed`]),
  ];
}

function canDemand({ requirement, deadline }: OwnRules): boolean {
  return requirement.required !== null || requirement.blocked !== null || deadline !== null;
}

/** Lists the screens that rules can lead to. */
function listScreens({ requirement, deadline, limit }: OwnRules): readonly string[] {
  const by = [deadline?.before, deadline?.then, limit?.then];
  const always =
    requirement.required !== null && 'all' in requirement.required && requirement.required.all.length === 0;
  return [
    ...(always ? [] : ['prompt']),
    ...(requirement.required !== null || by.includes('required') ? ['required'] : []),
    ...(requirement.blocked !== null || by.includes('blocked') ? ['blocked'] : []),
    'error-screen',
  ];
}

/** Lists the reasons that a generated gate can have by the data. */
function listReasons(gate: GeneratedGate, { answers, cadence, limit, deadline, trigger }: OwnRules): readonly string[] {
  const effects = Object.values(answers).flatMap((answer) => answer.effects);
  const possible: Readonly<Record<string, boolean>> = {
    'not-this-moment': trigger.factors !== null || trigger.on.length < 3,
    'not-yet-open': deadline?.opens != null || deadline?.before === 'none',
    closed: deadline?.then === 'none',
    'answered-never': effects.includes('never'),
    'limit-reached': limit?.then === 'never',
    snoozed:
      (cadence.anchor === 'answer' && cadence.kind !== 'everySignIn' && cadence.kind !== 'once') ||
      Object.values(answers).some((answer) => answer.for !== null),
    'already-shown': cadence.kind === 'once' || (cadence.anchor !== 'answer' && cadence.kind !== 'everySignIn'),
  };
  return generatedReasons[gate].filter((reason) => possible[reason] ?? true);
}

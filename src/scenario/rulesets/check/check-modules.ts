import type { Given } from '../../../../machines/own/condition.ts';
import { evaluateModuleGate } from '../../../../machines/own/evaluate-own.ts';
import { fixedFacts } from '../../../../machines/own/own-facts.ts';
import {
  type FactValue,
  isModuleGate,
  type ModuleGate,
  type OwnGateOutcome,
} from '../../../../machines/own/own-ruleset.ts';
import type { FactSpace } from '../../../../machines/own/representatives.ts';
import { TrialFacts } from '../../../../machines/own/trial-facts.ts';
import { canonicalJson } from '../../../core/canonical-json.ts';
import { stopwatch } from '../../../core/clock.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import { type RandomSource, randomSource } from '../../../core/random.ts';
import { TimeOver, withinTime } from '../../../core/time-limit.ts';
import { watchGlobals } from '../../../core/watched-globals.ts';
import type { Path } from '../ruleset-fault.ts';
import { type CheckedRules, createSpace, describeExample, type Finding, gatePath } from './checked-rules.ts';
import type { Example } from './search.ts';

/** Number of facts on which each module is evaluated twice (OC41). */
const trialsMax = 1_000;
/** Time in milliseconds after which no more facts are evaluated. */
const trialsMsMax = 3_000;
/** Time in milliseconds after which no more combinations of samples are evaluated. */
const samplesMsMax = 3_000;
/** Time in milliseconds after which the trial of a module is stopped, because one of its calls does not return. */
const runMsMax = 12_000;
/** Maximum number of different failures that are reported for one module. */
const failuresMax = 3;
/** Maximum number of combinations of samples. */
const combinationsMax = 4_096;
/** Time in milliseconds above which one call of a module is slow (OC32). */
const slowMs = 50;

/**
 * Checks the modules of rules under watch (RS34): each is evaluated twice on 1,000 facts that depend on a fixed random
 * seed. Undeclared reads, failures, unlike outcomes and the use of clock, chance or network are faults, and so are
 * samples that do not reach every outcome (OC33). A slow module is a warning.
 *
 * @returns the findings, and whether every module returns. One that does not must not be evaluated again
 */
export function checkModules(checked: CheckedRules): {
  readonly findings: readonly Finding[];
  readonly allEnd: boolean;
} {
  const space = createSpace(checked.setting);
  const trials = checked.rules.gates
    .filter(isModuleGate)
    .filter(({ digest }) => digest !== null)
    .map((gate) => new ModuleTrial(gate, space, checked));
  const findings = trials.flatMap((trial) => trial.run());
  return { findings, allEnd: trials.every(({ ends }) => ends) };
}

/** What one evaluation came to. */
interface Trial {
  readonly result: OwnGateOutcome | NudgeLabError;
  /** Globals that the module used. */
  readonly used: readonly string[];
  readonly ms: number;
}

/** Evaluations of the same facts. */
interface Series {
  readonly example: Example;
  readonly trials: readonly Trial[];
}

class ModuleTrial {
  readonly #gate: ModuleGate;
  readonly #space: FactSpace;
  readonly #checked: CheckedRules;
  readonly #path: Path;
  readonly #random: RandomSource = randomSource(2_026);
  /** Names of the evaluated values by reason code. */
  readonly #saw = new Map<string, Set<string>>();
  /** `false` if a call did not return. */
  ends = true;
  /** Facts of the latest call. */
  #latest: Example = new Map();

  constructor(gate: ModuleGate, space: FactSpace, checked: CheckedRules) {
    this.#gate = gate;
    this.#space = space;
    this.#checked = checked;
    this.#path = [...gatePath(gate.id, checked.written), 'module'];
  }

  /** Runs the trial. The globals are replaced once for all evaluations, each of which has its own report. */
  run(): readonly Finding[] {
    try {
      return watchGlobals(
        () => withinTime(runMsMax, () => this.#findAll()),
        () => undefined,
      );
    } catch (error) {
      if (!(error instanceof TimeOver)) throw error;
      this.ends = false;
      return [this.#fault(`${this.#gate.id} does not return, ${this.#describe(this.#latest)}`)];
    }
  }

  #findAll(): readonly Finding[] {
    const series = this.#evaluateAll();
    return [
      ...this.#findFailures(series),
      ...this.#findUnlike(series),
      ...this.#findImpure(series.flatMap(({ trials }) => trials.flatMap(({ used }) => used))),
      ...this.#findSlow(series),
      ...this.#checkSamples(),
    ];
  }

  /**
   * Evaluates all facts twice in a row, and once more in reverse order: then a module that keeps what it evaluated
   * before gives another outcome. A slow module is evaluated on fewer facts.
   */
  #evaluateAll(): readonly Series[] {
    const series: Series[] = [];
    const elapsedMs = stopwatch();
    for (let index = 0; index < trialsMax && elapsedMs() < trialsMsMax; index += 1) {
      const example = this.#draw(index);
      series.push({ example, trials: [this.#evaluate(example), this.#evaluate(example)] });
    }
    return series
      .toReversed()
      .map(({ example, trials }) => ({
        example,
        trials: elapsedMs() < 2 * trialsMsMax ? [...trials, this.#evaluate(example)] : trials,
      }))
      .toReversed();
  }

  #findFailures(series: readonly Series[]): readonly Finding[] {
    const failures = new Map<string, Finding>();
    for (const { example, trials } of series) {
      const error = trials[0]?.result;
      if (!(error instanceof NudgeLabError) || failures.has(error.message)) continue;
      const text = `${withoutStop(error.message)}, ${this.#describe(this.#shorten(example, error))}`;
      failures.set(error.message, this.#fault(text));
      if (failures.size === failuresMax) break;
    }
    return [...failures.values()];
  }

  #findUnlike(series: readonly Series[]): readonly Finding[] {
    const unlike = series.find(({ trials }) => new Set(trials.map(({ result }) => describeResult(result))).size > 1);
    if (unlike === undefined) return [];
    const outcomes = [...new Set(unlike.trials.map(({ result }) => outcomeName(result)))].join(' and ');
    const given = this.#describe(unlike.example);
    const message = `${this.#gate.id} gives unlike outcomes for the same facts, ${given}: ${outcomes}`;
    return [this.#fault(`${message}; evaluate only its two arguments`)];
  }

  #findImpure(used: readonly string[]): readonly Finding[] {
    const loaded = 'impure' in this.#gate ? (this.#gate.impure as readonly string[]) : [];
    const names = [...new Set([...loaded, ...used])];
    if (names.length === 0) return [];
    const advice = 'a gate uses no clock, chance, timer, file or network; read attempt.nowMs, or declare a fact';
    return [this.#fault(`${this.#gate.id} uses ${names.join(', ')}; ${advice}`)];
  }

  /** Finds a call that is slow each time, unlike one that waits for another program on the machine. */
  #findSlow(series: readonly Series[]): readonly Finding[] {
    const ms = Math.max(0, ...series.map(({ trials }) => Math.min(...trials.map((trial) => trial.ms))));
    if (ms <= slowMs) return [];
    const message = `${this.#gate.id} takes more than ${slowMs} ms for one evaluation; every sign-in waits for it`;
    return [{ code: 'RS34', severity: 'warning', path: this.#path, message }];
  }

  /** Checks that the samples reach every outcome, and that sentences name evaluated values only. */
  #checkSamples(): readonly Finding[] {
    const { id, reads, reasons } = this.#gate;
    const open = reads.filter((path) => !this.#space.hasSamples(path));
    if (open.length > 0) {
      const message = `${id} has no samples of ${open.join(', ')}; tables, arrays and forecasts cannot contain it`;
      return [{ code: 'RS34', severity: 'warning', path: this.#path, message }];
    }
    const reached = new Set<string>();
    const elapsedMs = stopwatch();
    const combinations = this.#listCombinations();
    const evaluated = combinations.filter((example) => {
      if (elapsedMs() >= samplesMsMax) return false;
      reached.add(outcomeName(this.#evaluate(example).result));
      return true;
    });
    const missing = ['met', ...Object.keys(reasons)].filter((outcome) => !reached.has(outcome));
    // A slow module has a warning already.
    if (missing.length > 0 && evaluated.length === combinations.length) {
      return [this.#fault(`${id}: samples do not reach ${missing.join(', ')}; add values, or leave the reason out`)];
    }
    return this.#checkSentences();
  }

  #checkSentences(): readonly Finding[] {
    return [...this.#saw].flatMap(([code, names]) => {
      const sentence = this.#checked.rules.reasons[code] ?? '';
      return [...sentence.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = '']): readonly Finding[] => {
        if (name.startsWith('saw.') && names.has(name.slice('saw.'.length))) return [];
        const allowed = [...names].map((one) => `{saw.${one}}`).join(', ') || 'none';
        const message = `${this.#gate.id}: {${name}} is no value of the reason ${code}; allowed: ${allowed}`;
        return [{ code: 'RS10', severity: 'fault', path: this.#path, message }];
      });
    });
  }

  #listCombinations(): readonly Example[] {
    const lists = this.#gate.reads.map((path) => ({
      path,
      values: this.#gate.samples[path] ?? this.#space.read(path).values,
    }));
    const size = lists.reduce((product, { values }) => product * values.length, 1);
    if (size > combinationsMax) {
      return Array.from(
        { length: combinationsMax },
        () => new Map(lists.map(({ path, values }) => [path, this.#pick(values)])),
      );
    }
    return lists.reduce<readonly Example[]>(
      (examples, { path, values }) =>
        examples.flatMap((example) => values.map((value) => new Map([...example, [path, value]]))),
      [new Map()],
    );
  }

  /** Draws facts. The first ones are usual, so that examples are short. */
  #draw(index: number): Example {
    return new Map(
      this.#gate.reads.map((path) => {
        const values = [
          ...(this.#gate.samples[path] ?? []),
          ...this.#space.read(path).values,
          ...this.#literalsFor(path),
        ];
        if (index === 0) return [path, values.at(0) ?? null];
        return [path, this.#random() < 0.8 ? this.#pick(values) : this.#any(path, values)];
      }),
    );
  }

  /** Returns the texts of the module's source for a text fact: a branch can depend on one of them. */
  #literalsFor(path: string): readonly string[] {
    const isText = this.#findDefinition(path)?.type === 'text' || fixedFacts.get(path)?.type === 'text';
    return isText && 'literals' in this.#gate ? (this.#gate.literals as readonly string[]) : [];
  }

  #findDefinition(path: string) {
    const { facts, rules } = this.#checked.setting;
    const [owner = '', group = '', name = ''] = path.split('.');
    return group === 'settings' ? rules.settings[name] : facts[owner as keyof typeof facts]?.[name];
  }

  #pick(values: readonly FactValue[]): FactValue {
    return values[Math.floor(this.#random() * values.length)] ?? null;
  }

  /** Returns any value of a fact's type, in its range. */
  #any(path: string, values: readonly FactValue[]): FactValue {
    const definition = this.#findDefinition(path);
    const type = definition?.type ?? fixedFacts.get(path)?.type;
    const number = (least: number, most: number): number => least + Math.floor(this.#random() * (most - least + 1));
    switch (type) {
      case 'integer':
        return number(definition?.min ?? 0, definition?.max ?? 1_000);
      case 'duration':
        return number(definition?.min ?? 0, definition?.max ?? 365 * 86_400_000);
      case 'instant':
        return number(definition?.min ?? 1_577_836_800_000, definition?.max ?? 1_893_456_000_000);
      case 'text':
        return ['', 'a', 'A.B', 'user@agency.example', 'ä ö', 'x'.repeat(number(1, 40))][number(0, 5)] ?? '';
      default:
        return this.#pick(values);
    }
  }

  /** Returns the example with as many usual values as possible for which the module fails in the same way. */
  #shorten(example: Example, error: NudgeLabError): Example {
    const shorter = new Map(example);
    for (const [path, value] of example) {
      shorter.set(path, this.#space.read(path).values[0] ?? null);
      const { result } = this.#evaluate(shorter);
      if (!(result instanceof NudgeLabError) || result.message !== error.message) shorter.set(path, value);
    }
    return shorter;
  }

  #evaluate(example: Example): Trial {
    this.#latest = example;
    const trial = new TrialFacts();
    for (const [path, value] of example) trial.set(path, value);
    const { rules } = this.#checked;
    // What the prompt asks for does not matter here: the module itself is evaluated.
    const given: Given = { facts: trial.facts, rules: { ...rules, ask: this.#gate.appliesTo } };
    const used: string[] = [];
    const elapsedMs = stopwatch();
    const result = watchGlobals(
      () => this.#tryTo(given),
      (name) => used.push(name),
    );
    const ms = elapsedMs();
    if (!(result instanceof NudgeLabError) && result.outcome === 'stopped') {
      const names = this.#saw.get(result.reason) ?? new Set();
      for (const name of Object.keys(result.saw)) names.add(name);
      this.#saw.set(result.reason, names);
    }
    return { result, used, ms };
  }

  #tryTo(given: Given): OwnGateOutcome | NudgeLabError {
    try {
      return evaluateModuleGate(this.#gate, given);
    } catch (error) {
      if (error instanceof NudgeLabError) return error;
      throw error;
    }
  }

  #describe(example: Example): string {
    return describeExample(example, [], this.#checked);
  }

  #fault(message: string): Finding {
    return { code: 'RS34', severity: 'fault', path: this.#path, message };
  }
}

function outcomeName(result: Trial['result']): string {
  if (result instanceof NudgeLabError) return 'a failure';
  return result.outcome === 'stopped' ? result.reason : result.outcome;
}

function describeResult(result: Trial['result']): string {
  return result instanceof NudgeLabError ? `${result.code} ${result.message}` : canonicalJson(result);
}

/** Returns a message without its full stop. */
function withoutStop(message: string): string {
  return message.endsWith('.') ? message.slice(0, -1) : message;
}

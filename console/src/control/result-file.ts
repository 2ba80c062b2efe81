import type { PropertyResult } from './analyses.ts';
import type { ChartTaken, Machine } from './models.ts';

/** Impossible event of a log, as `nudgelab conform --json` prints it. */
export interface Misfit {
  readonly user: string;
  readonly line: number;
  readonly at: string;
  readonly rule: string | null;
  readonly sentence: string;
  readonly possible: readonly string[];
  readonly allowed: readonly string[];
}

/** Fit of a log to one ruleset. */
export interface RulesetFit {
  readonly ruleset: string;
  readonly users: number;
  readonly fittingUsers: number;
  readonly share: number;
  readonly misfits: number;
  readonly clusters: readonly {
    readonly rule: string | null;
    readonly pattern: string;
    readonly events: number;
    readonly users: number;
  }[];
  readonly examples: readonly Misfit[];
}

/** Transition of a learned machine or of its specification. */
export interface LearnedTransition {
  readonly from: string;
  readonly input: string;
  readonly output: string;
  readonly to: string;
  readonly differs: boolean;
}

/** Result of `nudgelab learn --json`. */
export interface LearnedResult {
  readonly system: string;
  readonly states: number;
  readonly isIsomorphic: boolean | null;
  readonly differences: readonly {
    readonly inputs: readonly string[];
    readonly expected: string;
    readonly actual: string;
  }[];
  readonly machine: readonly LearnedTransition[] | null;
  readonly specification: readonly LearnedTransition[] | null;
}

/** Content of a result file by the command that printed it. */
export type ResultFile =
  | { readonly kind: 'conform'; readonly rulesets: readonly RulesetFit[] }
  | { readonly kind: 'learn'; readonly result: LearnedResult }
  | {
      readonly kind: 'properties';
      readonly machines: readonly { readonly machine: string; readonly properties: readonly PropertyResult[] }[];
    };

/**
 * Reads a file that a command printed with `--json`. Throws an error whose message says what the file is instead.
 */
export function readResultFile(text: string): ResultFile {
  const data: unknown = JSON.parse(text);
  if (typeof data !== 'object' || data === null) throw new Error('The file contains no JSON object.');
  if ('rulesets' in data && isListWith(data.rulesets, 'clusters'))
    return { kind: 'conform', rulesets: data.rulesets as never };
  if ('machines' in data && isListWith(data.machines, 'properties'))
    return { kind: 'properties', machines: data.machines as never };
  if ('differences' in data && 'isIsomorphic' in data) return { kind: 'learn', result: data as never };
  throw new Error('The file is not a result of nudgelab conform, learn or properties with --json.');
}

function isListWith(value: unknown, key: string): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item: unknown) => typeof item === 'object' && item !== null && key in item)
  );
}

/** A learned machine was covered by no scenarios. */
const uncounted = { scenarios: [], scenarioCount: 0 } as const;

/** Converts transitions to a chart, with the transitions that differ as not covered. */
export function createChart(title: string, transitions: readonly LearnedTransition[]): readonly [Machine, ChartTaken] {
  const states = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))];
  const numbered = transitions.map((transition, at) => ({ ...transition, id: String(at + 1) }));
  const machine: Machine = {
    id: title,
    title,
    summary: '',
    source: '',
    states: states.map((id) => ({ id, isInitial: id === 's0', isFinal: false, page: null, rules: [] })),
    transitions: numbered
      .filter(({ from, to, differs }) => from !== to || differs)
      .map(({ id, from, to, input }) => ({ id, from, to, event: input, guard: null, actions: [], rules: [] })),
  };
  const taken: ChartTaken = {
    id: title,
    measured: 'transitions',
    states: states.map((id) => ({ id, times: 1, ...uncounted })),
    transitions: numbered.map(({ id, differs }) => ({ id, times: differs ? 0 : 1, ...uncounted })),
  };
  return [machine, taken];
}

import type { z } from 'zod';
import type { EvaluatedValues, FactValue, OwnGateOutcome } from '../../machines/own/own-ruleset.ts';

/** Value of a fact: instants are milliseconds since the epoch, durations milliseconds, and `null` means unknown. */
export type GateValue = FactValue;

/** Outcome of a gate, with the values that it evaluated. */
export type GateResult = OwnGateOutcome;

/** Paths of the values of a type, such as `user.facts.domain`. */
export type FactPath<Facts> = {
  [Key in keyof Facts & string]: Facts[Key] extends GateValue ? Key : `${Key}.${FactPath<Facts[Key]>}`;
}[keyof Facts & string];

/** Settings of a gate that takes none: the ruleset has no `with`. */
export type NoSettings = Readonly<Record<string, never>>;

/** Gate of a campaign of your own, as the default export of a `*.gate.ts` or `*.gate.js` file. */
export interface GateDefinition<Facts, Settings = NoSettings> {
  /** Id of the gate, the same as in the ruleset: an upper-case letter, then letters, digits or dots. */
  readonly id: string;
  /** What holds when the gate passes, as a sentence. */
  readonly summary: string;
  /** Where the rule comes from. */
  readonly source?: readonly string[];
  /** Id of the method that the gate applies to, or `both`, the default, for every method. */
  readonly appliesTo?: string;
  /** Paths of the facts that `judge` may read. Reading another one is a fault. */
  readonly reads: readonly FactPath<Facts>[];
  /** Sentence of each reason code; `{saw.NAME}` is a value that the gate evaluated. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Values that stand for all others, by path. Together they reach every reason of the gate, and that it passes. */
  readonly samples?: { readonly [Path in FactPath<Facts>]?: readonly GateValue[] };
  /** Schema of the value of `with` in the ruleset. */
  readonly schema?: z.ZodType<Settings>;
  /**
   * Evaluates the gate. The function is pure: it reads its arguments and nothing else, and `attempt.nowMs` is the only
   * time.
   *
   * @param facts - frozen copy of the facts that `reads` lists
   * @param settings - frozen value of `with` in the ruleset
   * @returns the outcome, from `met`, `stopped` or `notApplicable`
   */
  judge(facts: Facts, settings: Settings): GateResult;
}

/**
 * Defines a gate. `Facts` has the facts that the gate reads, and `Settings` the value of `with` in the ruleset.
 *
 * @param gate - the gate with its declared facts
 * @returns the same gate, to be exported as the default
 */
export function defineGate<Facts, Settings = NoSettings>(
  gate: GateDefinition<Facts, Settings>,
): GateDefinition<Facts, Settings> {
  return gate;
}

/**
 * Returns the outcome of a gate that passed.
 *
 * @param saw - values that the gate evaluated, by name
 * @returns the outcome `met`
 */
export function met(saw: EvaluatedValues): GateResult {
  return { outcome: 'met', saw };
}

/**
 * Returns the outcome of a gate that stopped the prompt.
 *
 * @param reason - one of the gate's reason codes
 * @param saw - values that the gate evaluated, by name
 * @returns the outcome `stopped`
 */
export function stopped(reason: string, saw: EvaluatedValues): GateResult {
  return { outcome: 'stopped', reason, saw };
}

/**
 * Returns the outcome of a gate that does not apply to the sign-in.
 *
 * @param saw - values that the gate evaluated, by name
 * @returns the outcome `not-applicable`
 */
export function notApplicable(saw: EvaluatedValues): GateResult {
  return { outcome: 'not-applicable', saw };
}

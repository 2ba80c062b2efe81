/**
 * Conditions of ruleset files as data, with the facts and settings that they name. Ids OC… are the requirements of the
 * format.
 */

/** Types of the facts and settings that a ruleset declares (OC19). */
const factTypes = ['boolean', 'integer', 'enum', 'set', 'instant', 'duration', 'text'] as const;
export type FactType = (typeof factTypes)[number];

/** Value of a fact or setting. Instants are milliseconds since the epoch, and `null` means unknown. */
export type FactValue = boolean | number | string | readonly string[] | null;

/** Duration: elapsed milliseconds, and calendar months that are added first (OC17). */
export interface OwnDuration {
  readonly ms: number;
  readonly months: number;
}

/** Value in a rule: a constant, a setting or another fact (OC18). */
export type Operand<T = FactValue> =
  | { readonly constant: T }
  | { readonly setting: string }
  | { readonly fact: string };
/** Duration in a rule. A fact or setting is a duration in milliseconds. */
export type DurationOperand = Operand<OwnDuration>;

/** Operators of conditions (OC21). */
export const operators = [
  'is',
  'isNot',
  'in',
  'notIn',
  'has',
  'hasAny',
  'hasNone',
  'size',
  'atLeast',
  'atMost',
  'above',
  'below',
  'olderThan',
  'atLeastOld',
  'youngerThan',
  'before',
  'since',
  'inFuture',
  'inPast',
  'startsWith',
  'endsWith',
  'present',
] as const;
export type Operator = (typeof operators)[number];

/** Comparison of one fact. `missing` is the result for an unknown value. */
export interface FactAtom {
  readonly fact: string;
  readonly operator: Operator;
  readonly value: Operand | DurationOperand | { readonly atLeast?: number; readonly atMost?: number } | null;
  readonly missing: 'pass' | 'fail';
}

/** Number of sign-ins in a window before now, this one included. */
export interface SignInsAtom {
  readonly within: DurationOperand;
  readonly operator: 'atLeast' | 'atMost' | 'above' | 'below';
  readonly value: Operand;
}

/** Condition on facts: data without expressions (OC21). */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly atom: FactAtom }
  | { readonly signIns: SignInsAtom };

/** Declared fact or setting (OC19). */
export interface FactDefinition {
  readonly type: FactType;
  readonly values: readonly string[];
  readonly default: FactValue;
  /** Name for people. */
  readonly title?: string;
  /** Range of an integer, an instant or a duration. */
  readonly min?: number;
  readonly max?: number;
  /** Where a sign-in log has the fact (OC50). Without it, imported sign-ins have the default. */
  readonly import?: FactImport;
}

/** Column of a sign-in log from which a fact is read. */
export interface FactImport {
  readonly column: string;
  /** Value of the fact for each text of the column, or `null` if the texts are the values themselves. */
  readonly map: Readonly<Record<string, FactValue>> | null;
}

/** Facts that a ruleset declares, by owner. Editions cannot change them. */
export type DeclaredFacts = Readonly<Record<'tenant' | 'user' | 'attempt', Readonly<Record<string, FactDefinition>>>>;

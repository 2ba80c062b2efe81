/** Value of a fact. */
export type FactScalar = string | number | boolean | null;

/** Comparisons of a fact with a value or with another fact. */
export const comparisons = ['is', 'isNot', 'in', 'lessThan', 'atMost', 'atLeast', 'moreThan'] as const;

/** Name of a comparison. */
export type Comparison = (typeof comparisons)[number];

/** Right side of a comparison: a value, several values for `in`, or the name of another fact. */
export type RightSide =
  | { readonly value: FactScalar }
  | { readonly values: readonly FactScalar[] }
  | { readonly fact: string };

/** Path of a part of a property in its file; absent in properties that were built in TypeScript. */
interface Located {
  readonly path?: readonly PropertyKey[];
}

/** Statement about one position of a path: the step that leads there, and the states before and after it. */
export type Condition = Located &
  (
    | { readonly kind: 'compare'; readonly fact: string; readonly by: Comparison; readonly with: RightSide }
    | { readonly kind: 'change'; readonly fact: string; readonly change: 'rises' | 'falls' | 'changes' }
    | {
        readonly kind: 'event';
        readonly names: readonly string[];
        readonly fields: Readonly<Record<string, FactScalar>>;
      }
    | { readonly kind: 'action'; readonly names: readonly string[] }
    | { readonly kind: 'time' }
    | { readonly kind: 'previously'; readonly of: Formula }
  );

/** Property of infinite paths. Durations are in milliseconds of the virtual clock. */
export type Formula =
  | Condition
  | (Located &
      (
        | { readonly kind: 'not'; readonly of: Formula }
        | { readonly kind: 'all' | 'any'; readonly of: readonly Formula[] }
        | { readonly kind: 'when'; readonly when: Formula; readonly implies: Formula }
        | { readonly kind: 'next'; readonly of: Formula }
        | { readonly kind: 'always'; readonly of: Formula; readonly forMs: number | null }
        | { readonly kind: 'eventually'; readonly of: Formula; readonly withinMs: number | null }
        | {
            readonly kind: 'until';
            readonly hold: Formula;
            readonly until: Formula;
            /** `true` if `until` must occur. */
            readonly strong: boolean;
            readonly withinMs: number | null;
          }
        | { readonly kind: 'before'; readonly first: Formula; readonly before: Formula }
        | {
            readonly kind: 'times';
            readonly max: number;
            readonly of: Formula;
            /** Start and end of each counted part of a path. */
            readonly between: readonly [Formula, Formula];
          }
      ));

/** Property with its name, as a file or a program states it. */
export interface Property {
  readonly id: string;
  /** Sentence that can be true or false. */
  readonly title: string;
  /** Ids of rules and assumptions. */
  readonly covers: readonly string[];
  /** Name of the model; `null` if the caller chooses it. */
  readonly machine: string | null;
  /** Conditions that hold infinitely often on every considered path. */
  readonly fair: readonly Formula[];
  readonly formula: Formula;
  /** Location of a part of the property, as `file:line:column`; the id of the property without a file. */
  readonly locate: (path: readonly PropertyKey[] | undefined) => string;
}

/** Kinds of formulas that speak about one position only, and whose parts do so too. */
const plainKinds: readonly Formula['kind'][] = ['compare', 'change', 'event', 'action', 'time', 'previously'];

/** Lists the direct parts of a formula. */
export function listParts(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'not':
    case 'next':
    case 'always':
    case 'eventually':
    case 'previously':
      return [formula.of];
    case 'all':
    case 'any':
      return formula.of;
    case 'when':
      return [formula.when, formula.implies];
    case 'until':
      return [formula.hold, formula.until];
    case 'before':
      return [formula.first, formula.before];
    case 'times':
      return [formula.of, ...formula.between];
    default:
      return [];
  }
}

/** Checks whether a formula has no temporal operator, so a single position decides it. */
export function isPlain(formula: Formula): boolean {
  if (plainKinds.includes(formula.kind)) return true;
  return ['not', 'all', 'any', 'when'].includes(formula.kind) && listParts(formula).every(isPlain);
}

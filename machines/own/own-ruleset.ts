import type { OperatingSystem, PasskeyType, Platform } from '../vocabulary.ts';
import type {
  Condition,
  DeclaredFacts,
  DurationOperand,
  FactDefinition,
  FactValue,
  Operand,
} from './condition-data.ts';

/**
 * A team's own campaign as data: what a ruleset file with the base `own` means after it was read and checked. Times are
 * milliseconds; names are those of the file. Ids OC… are the requirements of the format.
 */

export type {
  Condition,
  DeclaredFacts,
  DurationOperand,
  FactAtom,
  FactDefinition,
  FactType,
  FactValue,
  Operand,
  Operator,
  OwnDuration,
  SignInsAtom,
} from './condition-data.ts';
export { operators } from './condition-data.ts';

/** Gates that follow from other keys of the ruleset, in their usual order (OC22). */
export const generatedGates = [
  'X.trigger',
  'X.rollout',
  'X.done',
  'X.window',
  'X.never',
  'X.session',
  'X.cadence',
] as const;
export type GeneratedGate = (typeof generatedGates)[number];

/** Gate that the ruleset states as data. */
export interface OwnGate {
  readonly id: string;
  readonly summary: string;
  readonly when: Condition;
  /** Reason code of a stop. */
  readonly stop: string;
  /** Condition under which the gate is not applicable. */
  readonly skipIf: Condition | null;
  readonly source: readonly string[];
}

/** Facts that a gate evaluated, by name. */
export type EvaluatedValues = Readonly<Record<string, FactValue>>;

/** Result of one gate of an own ruleset. */
export type OwnGateOutcome =
  | { readonly outcome: 'met' | 'not-applicable'; readonly saw: EvaluatedValues }
  | { readonly outcome: 'stopped'; readonly reason: string; readonly saw: EvaluatedValues };

/** Gate of a module, which the ruleset names by its file (OC31). Everything but `evaluate` is data. */
export interface ModuleGate {
  readonly id: string;
  readonly summary: string;
  readonly source: readonly string[];
  /** Path of the module, relative to the ruleset, as it is written. */
  readonly module: string;
  /** Method that the gate applies to, or `both` for every method. */
  readonly appliesTo: string;
  /** Paths of the facts that the module may read. Empty for a module that was not loaded. */
  readonly reads: readonly string[];
  /** Sentence of each reason code with which the module can stop a prompt. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Finite values that stand for all others, by path (OC33). */
  readonly samples: Readonly<Record<string, readonly FactValue[]>>;
  /** Value of `with` in the ruleset. */
  readonly with: unknown;
  /** SHA-256 digest of the module's source, or `null` if it was not loaded. */
  readonly digest: string | null;
  /** Evaluates the module on facts that are read by their paths. Throws if the module fails. */
  readonly evaluate: (read: (path: string) => FactValue) => OwnGateOutcome;
}

/** Returns true for a gate that the ruleset states as data. */
export function isDataGate(gate: OwnGate | ModuleGate | GeneratedGate): gate is OwnGate {
  return typeof gate === 'object' && 'when' in gate;
}

/** Returns true for a gate of a module. */
export function isModuleGate(gate: OwnGate | ModuleGate | GeneratedGate): gate is ModuleGate {
  return typeof gate === 'object' && 'evaluate' in gate;
}

export const attemptKinds = ['signIn', 'signUp', 'newSession'] as const;
export type AttemptKind = (typeof attemptKinds)[number];

export const methodKinds = ['passkey', 'app', 'totp', 'phone', 'email', 'password', 'terms', 'form'] as const;
export type MethodKind = (typeof methodKinds)[number];

/** Effects of an answer (OC24). */
export const answerEffects = ['snooze', 'never', 'session', 'nothing'] as const;
export type AnswerEffect = (typeof answerEffects)[number];

/** Way to turn the prompt down. */
export interface OwnAnswer {
  readonly label: string;
  readonly effects: readonly AnswerEffect[];
  /** True if the answer raises the snooze count. */
  readonly counts: boolean;
  /** Duration that replaces the cadence for this answer, or `null`. */
  readonly for: DurationOperand | null;
  readonly whenRequired: 'refused' | 'offered';
}

export const anchors = ['answer', 'firstShown', 'lastShown'] as const;
export const cadenceKinds = ['everySignIn', 'fixed', 'growing', 'signIns', 'daily', 'once'] as const;

/** When to prompt again (OC26). */
export interface Cadence {
  readonly kind: (typeof cadenceKinds)[number];
  /** Durations: one for `fixed`, several for `growing`. */
  readonly durations: readonly DurationOperand[];
  /** Number of qualifying sign-ins of the kind `signIns`. */
  readonly signIns: Operand | null;
  readonly anchor: (typeof anchors)[number];
  readonly boundary: 'inclusive' | 'exclusive';
  readonly measure: 'elapsed' | 'calendar';
  readonly zone: string;
}

/** Number of snoozes or showings after which something else applies. */
export interface Limit {
  readonly at: Operand;
  readonly counts: 'snoozes' | 'shown';
  readonly when: Condition | null;
  readonly then: 'required' | 'never' | 'blocked';
  readonly after: 'wait' | 'now';
}

/** One end of a deadline: an instant, or a duration after an event (OC27). */
export type DeadlineEnd =
  | { readonly at: Operand }
  | { readonly after: DurationOperand; readonly since: 'created' | 'firstShown' | Operand };

/** Time until which users may turn the prompt down. */
export interface Deadline {
  readonly ends: readonly DeadlineEnd[];
  readonly choose: 'earliest' | 'latest';
  readonly opens: DurationOperand | null;
  readonly before: 'skippable' | 'required' | 'none';
  readonly then: 'required' | 'blocked' | 'none';
  readonly boundary: 'inclusive' | 'exclusive';
  readonly measure: 'elapsed' | 'date';
  readonly zone: string;
}

export const resetEvents = ['registered', 'removed', 'edition', 'control', 'browserCleared'] as const;
export const clearedParts = ['count', 'timer', 'never', 'session', 'shown'] as const;

/** What an event clears in the ledger (OC29). */
export interface Reset {
  readonly on: (typeof resetEvents)[number] | { readonly settingChanged: string } | { readonly newVersion: string };
  readonly clears: readonly (typeof clearedParts)[number][];
  /** Keys of the ledger that are cleared, or `null` for all keys. */
  readonly keys: readonly (readonly string[])[] | null;
}

export const rolloutUnits = ['user', 'tenant', 'device', 'browser', 'signIn'] as const;

/** Share of users or sign-ins that the campaign reaches (OC28). */
export interface OwnRollout {
  readonly percent: Operand;
  readonly by: (typeof rolloutUnits)[number];
  /** Text before the unit in the hash, or `null` for the unit alone. */
  readonly salt: string | null;
  readonly steps: readonly { readonly fromMs: number; readonly percent: number }[];
  readonly variants: readonly {
    readonly id: string;
    readonly share: number;
    readonly settings: Readonly<Record<string, FactValue>>;
  }[];
}

/** Text of a screen, with one button for each answer. */
export interface ScreenTexts {
  readonly heading: string | null;
  readonly text: string | null;
  readonly buttons: Readonly<Record<string, string>>;
}

/** Change of the user's facts when the setup is completed. */
export interface Completion {
  readonly set: readonly { readonly path: string; readonly value: Operand | 'now' }[];
  readonly add: readonly { readonly path: string; readonly value: Operand }[];
}

/** Rules of an own campaign at one time: the ruleset, or one of its editions. */
export interface OwnRules {
  /** Id of the edition, or `null` for the rules before the first one. */
  readonly edition: string | null;
  readonly methods: Readonly<Record<string, { readonly label: string; readonly kind: MethodKind }>>;
  /** Id of the method that the prompt asks for. */
  readonly ask: string;
  readonly settings: Readonly<Record<string, FactDefinition>>;
  readonly trigger: { readonly on: readonly AttemptKind[]; readonly factors: Condition | null };
  /** Gates in the order of evaluation: data, a module, or the name of a generated one. */
  readonly gates: readonly (OwnGate | ModuleGate | GeneratedGate)[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly done: Condition | null;
  /** Passkey types and the platforms on which each suppresses the prompt, or `null`. */
  readonly matrix: Readonly<Partial<Record<PasskeyType, readonly Platform[]>>> | null;
  readonly completion: Completion;
  readonly answers: Readonly<Record<string, OwnAnswer>>;
  readonly ledger: {
    readonly keys: readonly (readonly string[])[];
    readonly ecosystems: Readonly<Record<string, readonly OperatingSystem[]>>;
  };
  readonly cadence: Cadence;
  readonly limit: Limit | null;
  readonly deadline: Deadline | null;
  readonly requirement: { readonly required: Condition | null; readonly blocked: Condition | null };
  readonly failure: { readonly skip: 'signsIn' | 'refused'; readonly stores: 'nothing' | 'snooze' };
  /** Lifetime of an unanswered prompt in milliseconds. */
  readonly lifetimeMs: number;
  readonly resets: readonly Reset[];
  readonly rollout: OwnRollout | null;
  readonly screens: Readonly<Record<string, ScreenTexts>>;
}

/** Ruleset with the base `own`. */
export interface OwnRuleset {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly description: string | null;
  readonly source: readonly string[];
  /** SHA-256 digest of the canonical form, as hexadecimal text. */
  readonly digest: string;
  readonly facts: DeclaredFacts;
  readonly first: OwnRules;
  /** Later editions in order of their start (OC57). */
  readonly editions: readonly { readonly fromMs: number; readonly rules: OwnRules }[];
}

/** Returns the rules in force at a time in milliseconds: the last edition that has begun (OC57). */
export function rulesAt(ruleset: Pick<OwnRuleset, 'first' | 'editions'>, nowMs: number): OwnRules {
  return ruleset.editions.findLast(({ fromMs }) => fromMs <= nowMs)?.rules ?? ruleset.first;
}

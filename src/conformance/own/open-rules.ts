import type {
  Condition,
  Deadline,
  DurationOperand,
  GeneratedGate,
  Operand,
  OwnGate,
  OwnRules,
  OwnRuleset,
} from '../../../machines/own/own-ruleset.ts';
import { isDataGate, isModuleGate } from '../../../machines/own/own-ruleset.ts';
import { lean, never } from './open-conditions.ts';

/** Pseudo paths: the draw of a rollout, and the sign-ins that a cadence has counted. */
export const rolloutDraw = 'rollout';
export const countedSignIns = 'kept.qualifying';

/** Instant, in milliseconds, that is later than every event; its negative is earlier than every event. */
const distantMs = 8_000_000_000_000_000;

/** One way in which the unknown facts can decide the parts of a ruleset. */
interface Resolution {
  /** `true` if the gates let through whatever they can, `false` if they stop whatever they can. */
  readonly passes: boolean;
  readonly required: boolean;
  readonly blocked: boolean;
  readonly limit: 'reached' | 'open' | 'kept';
  readonly limitHolds: boolean;
  readonly deadline: 'none' | 'before' | 'over';
  /** Index of the variant of the rollout; -1 for none. */
  readonly variant: number;
}

/**
 * Lists rulesets without unknown facts that together have every behavior which a ruleset can have with them: the gates
 * let through or stop whatever they can, and requirement, limit and deadline have each possible result.
 *
 * @param ruleset - ruleset of a log
 * @param unknown - paths of the facts that the log leaves unknown
 */
export function resolveRules(ruleset: OwnRuleset, unknown: ReadonlySet<string>): readonly OwnRuleset[] {
  const editions = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  const differs = (test: (rules: OwnRules) => boolean): boolean => editions.some(test);
  const variants = unknown.has(rolloutDraw)
    ? Math.max(...editions.map(({ rollout }) => rollout?.variants.length ?? 0))
    : 0;
  const flags = (isOpen: boolean): readonly boolean[] => (isOpen ? [true, false] : [true]);
  const readsLimit = ({ limit }: OwnRules): boolean => limit !== null && isUnknownOperand(limit.at, unknown);
  const limitWhen = ({ limit }: OwnRules): boolean => isOpen(limit?.when ?? null, unknown);
  const resolutions = flags(differs((rules) => hasOpenGates(rules, unknown))).flatMap((passes) =>
    flags(differs(({ requirement }) => isOpen(requirement.required, unknown))).flatMap((required) =>
      flags(differs(({ requirement }) => isOpen(requirement.blocked, unknown))).flatMap((blocked) =>
        (differs(readsLimit) ? (['reached', 'open'] as const) : (['kept'] as const)).flatMap((limit) =>
          flags(differs(limitWhen)).flatMap((limitHolds) =>
            (differs((rules) => hasOpenDeadline(rules, unknown))
              ? (['none', 'before', 'over'] as const)
              : (['none'] as const)
            ).flatMap((deadline) =>
              Array.from({ length: variants + 1 }, (_, at): Resolution => {
                const variant = variants === 0 ? -1 : at - 1;
                return { passes, required, blocked, limit, limitHolds, deadline, variant };
              }),
            ),
          ),
        ),
      ),
    ),
  );
  return resolutions.map((one) => ({
    ...ruleset,
    first: resolve(ruleset.first, one, unknown),
    editions: ruleset.editions.map(({ fromMs, rules }) => ({ fromMs, rules: resolve(rules, one, unknown) })),
  }));
}

function isOpen(condition: Condition | null, unknown: ReadonlySet<string>): boolean {
  if (condition === null) return false;
  const [held, failed] = [true, false].map((wanted) => JSON.stringify(lean(condition, wanted, unknown)));
  return held !== failed;
}

function isUnknownOperand(operand: Operand | DurationOperand, unknown: ReadonlySet<string>): boolean {
  return 'fact' in operand
    ? unknown.has(operand.fact)
    : 'setting' in operand && unknown.has(settingPath(operand.setting));
}

function settingPath(name: string): string {
  return `tenant.settings.${name}`;
}

/** Returns true if the result of a deadline depends on an unknown fact besides the times of the ledger. */
function hasOpenDeadline({ deadline }: OwnRules, unknown: ReadonlySet<string>): boolean {
  if (deadline === null) return false;
  const operands = deadline.ends.flatMap((end): readonly (Operand | DurationOperand)[] => {
    if ('at' in end) return [end.at];
    return typeof end.since === 'object' ? [end.after, end.since] : [end.after];
  });
  return [...operands, ...(deadline.opens === null ? [] : [deadline.opens])].some((one) =>
    isUnknownOperand(one, unknown),
  );
}

function hasOpenCadence({ cadence, answers }: OwnRules, unknown: ReadonlySet<string>): boolean {
  const operands = [
    ...cadence.durations,
    ...(cadence.signIns === null ? [] : [cadence.signIns]),
    ...Object.values(answers).flatMap((answer) => answer.for ?? []),
  ];
  const counts = cadence.kind === 'signIns' && unknown.has(countedSignIns);
  return counts || operands.some((one) => isUnknownOperand(one, unknown));
}

/** Generated gates whose result depends on unknown facts. */
function listOpenGenerated(rules: OwnRules, unknown: ReadonlySet<string>): ReadonlySet<GeneratedGate> {
  const { trigger, done, matrix, rollout } = rules;
  const open: GeneratedGate[] = [];
  if (unknown.has('attempt.kind') || isOpen(trigger.factors, unknown)) open.push('X.trigger');
  if (rollout !== null && (unknown.has(rolloutDraw) || isUnknownOperand(rollout.percent, unknown)))
    open.push('X.rollout');
  const readsMatrix = matrix !== null && (unknown.has('user.passkeys') || unknown.has('attempt.os'));
  if (readsMatrix || isOpen(done, unknown)) open.push('X.done');
  if (hasOpenDeadline(rules, unknown)) open.push('X.window');
  if (unknown.has('attempt.sessionId')) open.push('X.session');
  if (hasOpenCadence(rules, unknown)) open.push('X.cadence');
  return new Set(open);
}

function hasOpenGates(rules: OwnRules, unknown: ReadonlySet<string>): boolean {
  if (listOpenGenerated(rules, unknown).size > 0) return true;
  return rules.gates.some((gate) => {
    if (isDataGate(gate)) return isOpen(gate.when, unknown) || isOpen(gate.skipIf, unknown);
    return isModuleGate(gate) && gate.reads.some((path) => unknown.has(path));
  });
}

function resolve(rules: OwnRules, resolution: Resolution, unknown: ReadonlySet<string>): OwnRules {
  const { passes, required, blocked, variant } = resolution;
  const { requirement, rollout, completion, trigger, done } = rules;
  const leanTo = (condition: Condition | null, wanted: boolean): Condition | null =>
    condition === null ? null : lean(condition, wanted, unknown);
  const isKnown = ({ value }: { readonly value: Operand | 'now' }): boolean =>
    value === 'now' || !isUnknownOperand(value, unknown);
  const variants = rollout?.variants ?? [];
  const drawn = unknown.has(rolloutDraw) ? variants.filter((_, at) => at === variant) : variants;
  return {
    ...rules,
    gates: resolveGates(rules, passes, unknown),
    trigger: { ...trigger, factors: leanTo(trigger.factors, passes) },
    done: leanTo(done, !passes),
    requirement: {
      required: leanTo(requirement.required, required),
      blocked: leanTo(requirement.blocked, blocked),
    },
    limit: resolveLimit(rules, resolution, unknown),
    deadline: hasOpenDeadline(rules, unknown) ? resolveDeadline(rules, resolution) : rules.deadline,
    rollout: rollout === null ? null : { ...rollout, variants: drawn },
    completion: { set: completion.set.filter(isKnown), add: completion.add.filter(isKnown) },
  };
}

/** Resolves the gates. Those that can have both results are left out, or stop always. */
function resolveGates(rules: OwnRules, passes: boolean, unknown: ReadonlySet<string>): OwnRules['gates'] {
  const open = listOpenGenerated(rules, unknown);
  return rules.gates.flatMap((gate): OwnRules['gates'] => {
    if (isDataGate(gate)) {
      const skipIf = gate.skipIf === null ? null : lean(gate.skipIf, passes, unknown);
      return [{ ...gate, when: lean(gate.when, passes, unknown), skipIf }];
    }
    if (isModuleGate(gate)) return gate.reads.some((path) => unknown.has(path)) ? decide(gate.id, passes) : [gate];
    if (!open.has(gate)) return [gate];
    return passes && isPartlyCertain(gate, rules, unknown) ? [gate] : decide(gate, passes);
  });
}

/** Returns no gate, or one that stops always. */
function decide(id: string, passes: boolean): readonly OwnGate[] {
  return passes ? [] : [closedGate(id)];
}

/** Returns true for a gate that can stop for certain: by conditions without unknown facts, or passkeys that are known. */
function isPartlyCertain(gate: GeneratedGate, { matrix }: OwnRules, unknown: ReadonlySet<string>): boolean {
  if (gate === 'X.trigger') return !unknown.has('attempt.kind');
  return gate === 'X.done' && (matrix === null || !unknown.has('attempt.os'));
}

function closedGate(id: string): OwnGate {
  return { id, summary: '', when: never, stop: id, skipIf: null, source: [] };
}

function resolveLimit(
  { limit }: OwnRules,
  { limit: way, limitHolds }: Resolution,
  unknown: ReadonlySet<string>,
): OwnRules['limit'] {
  if (limit === null || (way === 'open' && isUnknownOperand(limit.at, unknown))) return null;
  const when = limit.when === null ? null : lean(limit.when, limitHolds, unknown);
  return { ...limit, at: isUnknownOperand(limit.at, unknown) ? { constant: 0 } : limit.at, when };
}

function resolveDeadline({ deadline }: OwnRules, { deadline: phase }: Resolution): Deadline | null {
  if (deadline === null || phase === 'none') return null;
  const atMs = phase === 'before' ? distantMs : -distantMs;
  return { ...deadline, ends: [{ at: { constant: atMs } }], opens: null, measure: 'elapsed' };
}

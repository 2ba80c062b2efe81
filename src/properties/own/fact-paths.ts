import { fixedFacts, type OwnFacts, readFact } from '../../../machines/own/own-facts.ts';
import type { FactType, FactValue, OwnRules, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { allRules, listPaths } from '../../generate/own/own-space.ts';
import type { FactScalar } from '../language/formula.ts';

/** Facts of a ruleset that properties can name. */
export interface FactPaths {
  /** Facts and settings of the tenant and the user, which states have. */
  readonly ofState: readonly TypedPath[];
  /** Facts of the attempt, which sign-ins have. */
  readonly ofAttempt: readonly TypedPath[];
}

/** Path of a fact with its type. */
export interface TypedPath {
  readonly path: string;
  readonly type: FactType;
}

/** Facts that do not distinguish anything in a model of one user and tenant. */
const constantPaths = new Set(['tenant.id', 'user.id', 'attempt.deviceId', 'attempt.sessionId', 'attempt.nowMs']);

/** Lists the facts and settings that a ruleset declares, and those of every user and attempt that its rules read. */
export function listFactPaths(ruleset: OwnRuleset): FactPaths {
  const { facts, first } = ruleset;
  const declared = [
    ...(['tenant', 'user', 'attempt'] as const).flatMap((owner) =>
      Object.entries(facts[owner]).map(([name, { type }]): TypedPath => ({ path: `${owner}.facts.${name}`, type })),
    ),
    ...Object.entries(first.settings).map(([name, { type }]): TypedPath => ({ path: `tenant.settings.${name}`, type })),
  ];
  const fixed = [...new Set(allRules(ruleset).flatMap(listPaths))].flatMap((path): readonly TypedPath[] => {
    const one = fixedFacts.get(path);
    return one === undefined || constantPaths.has(path) || path.startsWith('kept.') ? [] : [{ path, type: one.type }];
  });
  const all = [...declared, ...fixed].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    ofState: all.filter(({ path }) => !path.startsWith('attempt.')),
    ofAttempt: [
      ...all.filter(({ path }) => path.startsWith('attempt.')),
      ...(Object.keys(first.ledger.ecosystems).length > 0
        ? [{ path: 'attempt.ecosystem', type: 'text' as const }]
        : []),
    ],
  };
}

/** Reads facts as values that properties compare; a set also has its number of values, as `PATH.size`. */
export function readPaths(
  paths: readonly TypedPath[],
  facts: OwnFacts,
  rules: OwnRules,
  nowMs: number,
): Readonly<Record<string, FactScalar>> {
  return Object.fromEntries(
    paths.flatMap(({ path, type }) => {
      const value = readFact(path, facts, rules);
      const size = Array.isArray(value) ? [[`${path}.size`, value.length] as const] : [];
      return [[path, toScalar(value, type, nowMs)] as const, ...size];
    }),
  );
}

/** Converts a value: a set to its sorted values, and an instant to its position relative to now. */
function toScalar(value: FactValue, type: FactType, nowMs: number): FactScalar {
  if (type === 'instant' && typeof value === 'number')
    return value > nowMs ? 'future' : value === nowMs ? 'now' : 'past';
  return Array.isArray(value) ? value.toSorted().join(',') : (value as FactScalar);
}

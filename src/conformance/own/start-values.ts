import { listAtoms, listConditions } from '../../../machines/own/list-conditions.ts';
import { fixedFacts, type OwnUser } from '../../../machines/own/own-facts.ts';
import type { FactAtom, FactValue, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { getOwnUser, type OwnState } from '../../../machines/own/own-state.ts';
import type { PasskeyType } from '../../../machines/vocabulary.ts';
import type { LogFacts } from './log-facts.ts';
import { ownLogUser } from './own-steps.ts';

/** User with values of the facts that an unknown past can have set, and the facts that stay unknown. */
export interface StartValues {
  readonly user: OwnUser;
  readonly unknown: ReadonlySet<string>;
}

/** Members of a set that are distinguished at most. */
const membersMax = 5;

/** Maximum number of users to begin with; facts of more values stay unknown. */
const startsMax = 64;

/** State before the first event of a user, and the facts that are unknown in it. */
interface Start {
  readonly state: OwnState;
  readonly unknown: ReadonlySet<string>;
}

/**
 * Lists the states before the first event of a user whose past is unknown. Sets that stay unknown have the members that
 * are certain, which are none.
 *
 * @param ruleset - ruleset of the log
 * @param facts - facts of the log
 * @param fresh - creates the state of a user without any history
 */
export function listStarts(ruleset: OwnRuleset, facts: LogFacts, fresh: () => OwnState): readonly Start[] {
  const { user } = getOwnUser(fresh(), ownLogUser);
  const paths = facts.listUnknownAtStart();
  const sets = Object.entries(ruleset.facts.user).flatMap(([name, { type }]) =>
    type === 'set' && paths.includes(`user.facts.${name}`) ? [[name, []] as const] : [],
  );
  const least = { ...user, methods: [], facts: { ...user.facts, ...Object.fromEntries(sets) } };
  const starts = facts.isChanging ? [{ user: least, unknown: new Set(paths) }] : listStartValues(ruleset, least, paths);
  return starts.map((start) => {
    const state = fresh();
    getOwnUser(state, ownLogUser).user = start.user;
    return { state, unknown: start.unknown };
  });
}

/**
 * Lists what a user can be before a log: each value of the facts that an earlier prompt can have set and that a rule
 * reads, so that a value which the log excludes once stays excluded. Facts with too many values stay unknown.
 *
 * @param ruleset - ruleset of the log
 * @param user - user with the values of all other facts
 * @param paths - paths of the facts that are unknown
 */
function listStartValues(ruleset: OwnRuleset, user: OwnUser, paths: readonly string[]): readonly StartValues[] {
  let starts: readonly StartValues[] = [{ user, unknown: new Set(paths) }];
  for (const path of paths) {
    const values = listValues(ruleset, path);
    if (values === null || values.length * starts.length > startsMax) continue;
    starts = starts.flatMap((start) =>
      values.map((value) => ({
        user: withValue(start.user, path, value),
        unknown: new Set([...start.unknown].filter((other) => other !== path)),
      })),
    );
  }
  return starts;
}

/** Lists the values that the rules tell apart, or returns `null` if there are too many or not finitely many. */
function listValues(ruleset: OwnRuleset, path: string): readonly FactValue[] | null {
  const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  const usesMatrix = path === 'user.passkeys' && all.some(({ matrix }) => matrix !== null);
  if (usesMatrix) return null;
  const text = JSON.stringify(all);
  const definition = ruleset.facts.user[path.slice('user.facts.'.length)];
  const type = definition?.type ?? fixedFacts.get(path)?.type;
  // A fact that no rule reads has no effect, whatever its value is.
  if (!text.includes(JSON.stringify(path))) return type === 'set' ? [[]] : null;
  if (type === 'boolean') return [false, true];
  if (type === 'enum') return definition?.values ?? null;
  if (type !== 'set') return null;
  const atoms = all
    .flatMap(listConditions)
    .flatMap(listAtoms)
    .filter(({ fact }) => fact === path);
  const allowed = definition?.values ?? fixedFacts.get(path)?.values ?? [];
  return listSets(atoms, allowed, definition !== undefined);
}

/** Lists the sets that conditions tell apart: with each of the members that they name, and some that they do not. */
function listSets(
  atoms: readonly FactAtom[],
  allowed: readonly string[],
  isDeclared: boolean,
): readonly (readonly string[])[] | null {
  const comparesFact = atoms.some(
    ({ value }) => value !== null && !('constant' in value) && !('atLeast' in value || 'atMost' in value),
  );
  const constants = atoms.flatMap(({ value }) => {
    const constant = value !== null && 'constant' in value ? value.constant : null;
    return typeof constant === 'string' ? [constant] : Array.isArray(constant) ? (constant as readonly string[]) : [];
  });
  const members = comparesFact || isDeclared ? allowed : [...new Set(constants)];
  if (members.length > membersMax) return null;
  const sizes = atoms.flatMap(({ value }) => {
    const { atLeast = 0, atMost = 0 } = (value ?? {}) as { readonly atLeast?: number; readonly atMost?: number };
    return [atLeast, atMost];
  });
  const others = allowed.filter((one) => !members.includes(one));
  const subsets = members.reduce(
    (sets: readonly (readonly string[])[], member) => sets.flatMap((set) => [set, [...set, member]]),
    [[]],
  );
  const sizeMax = Math.min(Math.max(0, ...sizes) + 1, others.length);
  return subsets.flatMap((set) => Array.from({ length: sizeMax + 1 }, (_, size) => [...set, ...others.slice(0, size)]));
}

function withValue(user: OwnUser, path: string, value: FactValue): OwnUser {
  if (path === 'user.methods') return { ...user, methods: value as OwnUser['methods'] };
  if (path !== 'user.passkeys') return { ...user, facts: { ...user.facts, [path.slice('user.facts.'.length)]: value } };
  const types = value as readonly PasskeyType[];
  return { ...user, passkeys: types.map((type) => ({ type, deviceId: 'device-before' })) };
}

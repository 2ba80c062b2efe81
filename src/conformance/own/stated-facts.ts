import type { OwnUser } from '../../../machines/own/own-facts.ts';
import type { OwnRules } from '../../../machines/own/own-ruleset.ts';
import { copyOwnState, getOwnUser } from '../../../machines/own/own-state.ts';
import type { LogFacts, OwnGiven } from './log-facts.ts';
import { mergeGiven, type OpenState } from './open-state.ts';
import { ownLogUser } from './own-steps.ts';

/** Facts of an event: all that it states, and the paths of those that were unknown before. */
interface Statement {
  readonly given: OwnGiven;
  readonly stated: readonly string[];
  readonly isFirst: boolean;
}

/** Lists the paths of the unknown facts that an event states. */
export function listStated(unknown: ReadonlySet<string>, { tenant, user }: OwnGiven): readonly string[] {
  return [...unknown].filter((path) => {
    const [owner = '', group = '', name = ''] = path.split('.');
    if (group !== 'facts') return owner === 'user' && Object.hasOwn(user, group);
    return Object.hasOwn(owner === 'tenant' ? tenant.facts : user.facts, name);
  });
}

/** Takes over facts that an event states for the first time: what was unknown does not change by that. */
export function takeOver(
  before: OpenState,
  { given, stated, isFirst }: Statement,
  facts: LogFacts,
  { resets }: OwnRules,
): readonly OpenState[] {
  if (!isFirst && stated.length === 0) return [before];
  const unknown = new Set([...before.past.unknown].filter((path) => !stated.includes(path)));
  const past = { ...before.past, unknown };
  const state = copyOwnState(before.state);
  const { tenant } = state;
  const owner = getOwnUser(state, ownLogUser);
  const changing = copyOwnState(state);
  const merged = mergeGiven({ tenant: facts.tenant(tenant, given), user: owner.user }, given);
  if (isFirst) {
    state.tenant = merged.tenant;
    owner.user = merged.user;
    return [{ state, past }];
  }
  const pick = (values: object, prefix: string): object =>
    Object.fromEntries(Object.entries(values).filter(([name]) => stated.includes(`${prefix}${name}`)));
  const { facts: userFacts } = owner.user;
  state.tenant = { ...tenant, facts: { ...tenant.facts, ...pick(merged.tenant.facts, 'tenant.facts.') } };
  owner.user = {
    ...owner.user,
    ...(pick(merged.user, 'user.') as Partial<OwnUser>),
    facts: { ...userFacts, ...pick(merged.user.facts, 'user.facts.') },
  };
  // A fact may also have risen since the event before, which can reset the ledger.
  const rises = resets.some(({ on }) => typeof on === 'object' && 'newVersion' in on && stated.includes(on.newVersion));
  return rises
    ? [
        { state, past },
        { state: changing, past },
      ]
    : [{ state, past }];
}

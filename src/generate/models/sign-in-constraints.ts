import { dayMs, snoozeDaysMax } from '../../../machines/campaign-limits.ts';
import { signInMachine } from '../../../machines/sign-in.machine.ts';
import { createStepper } from '../../../machines/step.ts';
import type { Browser, MfaMethod, OperatingSystem, Surface, UserFacts } from '../../../machines/vocabulary.ts';
import { contextSchema } from '../../contract/context.schema.ts';
import { contextFor, listMfaMethods } from '../../sandbox/sandbox.ts';
import type { Constraint } from '../covering-arrays/array-options.ts';
import { explore } from '../exploration/explore.ts';
import { givenFacts } from './given-facts.ts';
import { frozenAtMs, listPolicies, nudgeModel } from './nudge-model.ts';
import { isShownIn, runsOn } from './possible-platforms.ts';
import { getRowSets, type RowSets } from './row-facts.ts';
import { signInAxes } from './sign-in-factors.ts';

/** Creates a constraint on facts. `paths` lists the facts that it reads, which determine its parameters. */
function onFacts(name: string, paths: readonly string[], holds: (facts: RowSets) => boolean): Constraint {
  const factors = signInAxes
    .filter(({ values }) => values.some(({ sets }) => paths.some((path) => path in sets)))
    .map((axis) => axis.name);
  return { name, factors, holds: (row) => holds(getRowSets(row)) };
}

/**
 * Lists the constraints on a single sign-in, derived from the modules that define them: browser profiles, the sign-in
 * machine, the tenant context and the lifecycle. No constraint is written by hand.
 */
export function signInConstraints(): readonly Constraint[] {
  const nudgeStatuses = possibleSnoozes();
  return [
    onFacts('the browser runs on the operating system', ['attempt.os', 'attempt.browser'], (facts) =>
      runsOn(facts.get('attempt.browser') as Browser | null, facts.get('attempt.os') as OperatingSystem),
    ),
    onFacts('the surface uses the browser', ['attempt.browser', 'attempt.surface'], (facts) =>
      isShownIn(facts.get('attempt.browser') as Browser | null, facts.get('attempt.surface') as Surface),
    ),
    onFacts(
      'the tenant requires this provider for the second factor of the user',
      ['attempt.mfa.provider', 'user.type'],
      (facts) => providersFor(facts.get('user.type') as UserFacts['type']).has(facts.get('attempt.mfa.provider')),
    ),
    onFacts(
      'the user has registered the method that is used',
      ['attempt.mfa.provider', 'attempt.mfa.method', 'user.methods', 'user.passkeys'],
      isUsable,
    ),
    onFacts('snooze count and timer match', ['user.snooze.count', 'user.snooze.snoozedAtMs'], (facts) => {
      const at = facts.get('user.snooze.snoozedAtMs') as number | null;
      return nudgeStatuses.has(
        nudgeStatusKey(facts.get('user.snooze.count') as number, at === null ? null : at === latest),
      );
    }),
  ];
}

/**
 * Checks the method of a sign-in: one of this service is used if the sign-in machine requires a method and MFA is
 * completed, and it must be a registered one.
 */
function isUsable(facts: RowSets): boolean {
  const used = facts.get('attempt.mfa.method') as MfaMethod | null;
  const needsMethod =
    asksForMethod(facts.get('attempt.mfa.provider') !== 'service') && facts.get('attempt.mfa.completed') === true;
  if (!needsMethod) return used === null;
  const user = {
    methods: facts.get('user.methods') as UserFacts['methods'],
    passkeys: facts.get('user.passkeys') as UserFacts['passkeys'],
  };
  return used !== null && listMfaMethods({ facts: user }).includes(used);
}

/** Returns `true` if the screen after the password lets the user choose a method. */
function asksForMethod(externalMfa: boolean): boolean {
  const step = createStepper(signInMachine);
  const atPassword = step(signInMachine.resolveState({ value: 'name', context: { pending: [], required: false } }), {
    type: 'name.accepted',
  });
  return step(atPassword, { type: 'password.accepted', externalMfa }).can({ type: 'mfa.methodListOpened' });
}

/** Returns the MFA providers that tenant settings allow for a user type (R3, A21). */
function providersFor(type: UserFacts['type']): ReadonlySet<unknown> {
  const everybody = { includeTargets: [{ targetType: 'group', id: 'all_users' }] };
  const { tenant, user } = givenFacts({ user: { id: 'ada', type } });
  const contexts = [{}, { externalMfa: everybody }, { guestMfa: 'home-tenant' }];
  return new Set(
    contexts.map((given) => {
      const settings = { context: contextSchema.parse(given) };
      const state = { tenant, settings, users: new Map([['ada', { facts: user }]]), acceptedTerms: new Set<string>() };
      return contextFor(state, 'ada', {}).mfa?.provider ?? 'service';
    }),
  );
}

const latest = signInAxes
  .flatMap(({ values }) => values.map(({ sets }) => sets['user.snooze.snoozedAtMs']))
  .reduce<number>((most, at) => Math.max(most, typeof at === 'number' ? at : 0), 0);

function nudgeStatusKey(count: number, isRecent: boolean | null): string {
  return `${count} ${isRecent}`;
}

/** Lists the counts and timers that a user can reach through prompts: the reachable states of the lifecycle. */
function possibleSnoozes(): ReadonlySet<string> {
  const model = nudgeModel({ policies: listPolicies([1]), prompts: ['p1'], methods: ['fido2'] });
  const events = model.events.filter(({ type }) => type !== 'snooze.set');
  const { states } = explore(model.machine, { ...model, events, invariants: [] });
  return new Set(
    states.flatMap(({ context: { count, snoozedAtMs } }) => {
      if (snoozedAtMs === null) return [nudgeStatusKey(count, null)];
      const days = Math.floor((frozenAtMs - snoozedAtMs) / dayMs);
      return days === 0 ? [nudgeStatusKey(count, true)] : days >= snoozeDaysMax ? [nudgeStatusKey(count, false)] : [];
    }),
  );
}

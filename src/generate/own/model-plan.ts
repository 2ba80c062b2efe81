import type { FactValue, OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { usualNowMs } from '../../../machines/own/trial-facts.ts';
import type { AttemptPatch } from '../../contract/facts.schema.ts';
import { ownForecastSchema } from '../../contract/own-forecast.schema.ts';
import type { OwnKind, OwnPlan, OwnSegment, OwnStart } from '../../forecast/own/own-plan.ts';
import { listDefaults } from '../../scenario/own/declared-values.ts';
import { type Assignment, journeyUser, writtenFacts } from './own-journey.ts';

/** Describes users of a model who take every action at a prompt. `answers` are the ids of the ruleset's answers. */
export function describeBehavior(
  answers: readonly string[],
  days: number,
): Pick<OwnPlan, 'description'> & Pick<OwnSegment, 'signIn' | 'answers'> {
  const actions = [...answers, 'register', 'close', 'letExpire', 'closeDuringSetup'];
  const shares = Object.fromEntries(actions.map((name) => [name, 1 / actions.length]));
  const description = ownForecastSchema.parse({
    ruleset: './a.ruleset.yaml',
    days,
    defaults: {
      signIn: { weekdays: { monday: 0.5 } },
      answers: {
        skippable: [shares],
        required: [shares],
        failure: [0.5],
        onFailure: { retry: 0.2, skip: 0.4, close: 0.4 },
      },
    },
  });
  const { signIn, answers: taken } = description.defaults;
  if (signIn === undefined || taken === undefined) throw new RangeError('The description has defaults.');
  return { description, signIn, answers: taken };
}

/** Creates the tenant of a model, whose facts and settings have their defaults or these values. */
export function toTenant(ruleset: OwnRuleset, values: Assignment): OwnPlan['tenant'] {
  const value = (path: string, usual: FactValue): FactValue => valueAt(values, path, usual);
  return {
    id: 'tenant-1',
    subscription: 'paid',
    facts: named(listDefaults(ruleset.facts.tenant), (name, usual) => value(`tenant.facts.${name}`, usual)),
    settings: named(listDefaults(ruleset.first.settings), (name, usual) => value(`tenant.settings.${name}`, usual)),
  };
}

/** Returns the value at a path, which can be unknown, or the usual one. */
function valueAt(values: Assignment, path: string, usual: FactValue): FactValue {
  return values.has(path) ? (values.get(path) ?? null) : usual;
}

function named<T>(values: Readonly<Record<string, T>>, change: (name: string, value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}

/** Creates the starting entry of the user of generated journeys. */
export function toStart(ruleset: OwnRuleset, values: Assignment, count: number): OwnStart {
  const { fixed } = writtenFacts(ruleset, values, 'user');
  const facts = named(listDefaults(ruleset.facts.user), (name, usual) => valueAt(values, `user.facts.${name}`, usual));
  return {
    share: 1 / count,
    user: {
      id: journeyUser,
      type: 'member',
      groups: [],
      methods: ['sms'],
      passkeys: [],
      mfaCapable: true,
      ...fixed,
      facts,
    },
    createdAtMs: usualNowMs,
    deviceIds: {},
    browserIds: {},
  };
}

/** Creates a kind of sign-in with these values, on one device. */
export function toKind(ruleset: OwnRuleset, values: Assignment, device: string): OwnKind {
  const { fixed } = writtenFacts(ruleset, values, 'attempt');
  const { kind = 'signIn', ...patch } = fixed as AttemptPatch & { readonly kind?: OwnKind['kind'] };
  return {
    share: 1,
    patch,
    kind,
    device,
    browser: `${device} chrome`,
    sameSession: false,
    facts: named(listDefaults(ruleset.facts.attempt), (name, usual) => valueAt(values, `attempt.facts.${name}`, usual)),
    ids: Array.from({ length: 8 }, (_, index) => `sign-in-${index + 1}`),
    passkey: { type: 'keychain', deviceId: device },
  };
}

import { stringify } from 'yaml';
import { type AttemptKind, attemptKinds } from '../../machines/own/own-ruleset.ts';
import { rulesetIds } from '../../machines/rulesets/ruleset-registry.ts';
import {
  type Browser,
  browsers,
  type OperatingSystem,
  operatingSystems,
  type PasskeyType,
  passkeyTypes,
  type RegisteredMethod,
  registeredMethods,
  type TargetedMethod,
  targetedMethods,
} from '../../machines/vocabulary.ts';
import { completeUser } from '../../src/contract/complete-user.ts';
import { tenantFactsSchema } from '../../src/contract/facts.schema.ts';
import { sandboxUserSchema, tenantSettingsSchema } from '../../src/contract/sandbox.schema.ts';
import { clockSettingAt, parseInstant } from '../../src/core/clock.ts';
import type { EventOf } from '../../src/journal/journal-event.ts';
import { type GivenValues, hasValues, noValues, readGiven } from './given-values.ts';
import { getBuiltIn, type PlaygroundRuleset, writtenRuleset } from './rulesets.ts';

/** Actions of the timeline with a registration campaign. */
export const actions = ['sign-in', 'skip', 'close', 'register', 'hour', 'day'] as const;
export type CampaignAction = (typeof actions)[number];

/** Further actions with a ruleset of the base `own`, besides its answers. */
export const ownActions = ['same-session', 'fail', 'skip-error', 'clear', 'month'] as const;

/** Action of the timeline. An answer of an own ruleset has its id. */
export type Action = CampaignAction | (typeof ownActions)[number] | `answer-${string}`;

export const states = ['enabled', 'disabled', 'default'] as const;
export const snoozeDays = Array.from({ length: 15 }, (_, days) => String(days));

/** All choices of a reader, which determine the results. */
export interface Settings {
  /** Id of a built-in ruleset or of an example, or `yaml` for the text. */
  readonly ruleset: string;
  /** Text of a ruleset that the reader wrote; empty for any other one. */
  readonly text: string;
  /** First day, such as 2026-01-05. The clock starts at nine. */
  readonly start: string;
  readonly method: TargetedMethod;
  readonly state: (typeof states)[number];
  readonly days: number;
  readonly limited: boolean;
  readonly factor: RegisteredMethod | 'none';
  readonly passkey: PasskeyType | 'none';
  readonly os: OperatingSystem;
  readonly browser: Browser;
  /** Kind of all sign-ins, which only own rulesets distinguish. */
  readonly kind: AttemptKind;
  /** Values of the facts and settings that the ruleset declares. */
  readonly given: GivenValues;
  readonly actions: readonly Action[];
}

export const initialSettings: Settings = {
  ruleset: 'seed',
  text: '',
  start: '2026-01-05',
  method: 'vendorAuthenticator',
  state: 'enabled',
  days: 1,
  limited: true,
  factor: 'sms',
  passkey: 'none',
  os: 'windows',
  browser: 'chrome',
  kind: 'signIn',
  given: noValues,
  actions: ['sign-in'],
};

/** Maximum number of actions, so a URL cannot block the page. */
export const actionsMax = 60;

/** The user and the device of all sign-ins. */
export const userId = 'ada';
export const deviceId = 'device-1';

/** Returns the start of the clock in milliseconds. */
export function toStartMs({ start }: Pick<Settings, 'start'>): number {
  return parseInstant(toStart(start)) ?? defaultStartMs;
}

const defaultStartMs = 1_767_603_600_000;

function toStart(day: string): string {
  return `${day}T09:00:00.000Z`;
}

/** Returns a day such as 2026-01-05, or the default first day for a text that is none. */
export function toDay(text: string | null): string {
  const isDay = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(toStart(text)) !== null;
  return isDay ? text : initialSettings.start;
}

/** Writes settings as the fragment of a URL, but for the text of a ruleset, which `createLink` adds. */
export function toFragment({ actions: chosen, days, limited, text: _text, given, ...rest }: Settings): string {
  return new URLSearchParams({
    ...rest,
    days: String(days),
    limited: String(limited),
    ...(hasValues(given) ? { given: JSON.stringify(given) } : {}),
    actions: chosen.join('.'),
  }).toString();
}

/**
 * Reads settings from the fragment of a URL. Values that are missing or unknown keep their defaults.
 *
 * @param fragment - the fragment without its number sign
 * @param exampleIds - ids of the examples, which are rulesets besides the built-in ones
 * @returns the settings, without the text of a ruleset
 */
export function fromFragment(fragment: string, exampleIds: readonly string[] = []): Settings {
  const values = new URLSearchParams(fragment);
  const getChoice = <T extends string>(name: string, allowed: readonly T[], initial: T): T =>
    allowed.find((value) => value === values.get(name)) ?? initial;
  const listed = values.get('actions');
  const known = (listed ?? '').split('.').flatMap((name) => findAction(name) ?? []);
  const rulesets = [...rulesetIds, ...exampleIds, writtenRuleset];
  return {
    ruleset: getChoice('ruleset', rulesets, initialSettings.ruleset),
    text: '',
    start: toDay(values.get('start')),
    method: getChoice('method', targetedMethods, initialSettings.method),
    state: getChoice('state', states, initialSettings.state),
    days: Number(getChoice('days', snoozeDays, String(initialSettings.days))),
    limited: getChoice('limited', ['true', 'false'], 'true') === 'true',
    factor: getChoice('factor', ['none', ...registeredMethods], initialSettings.factor),
    passkey: getChoice('passkey', ['none', ...passkeyTypes], initialSettings.passkey),
    os: getChoice('os', operatingSystems, initialSettings.os),
    browser: getChoice('browser', browsers, initialSettings.browser),
    kind: getChoice('kind', attemptKinds, initialSettings.kind),
    given: readGiven(values.get('given')),
    actions: listed === null ? initialSettings.actions : known.slice(0, actionsMax),
  };
}

/** Returns the action with a name in a URL, or `undefined`. Whether a ruleset has an answer is known later. */
function findAction(name: string): Action | undefined {
  if (/^answer-[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) return name as Action;
  return [...actions, ...ownActions].find((action) => action === name);
}

/** Returns true for an action that a registration campaign has. */
export function isCampaignAction(action: Action): action is CampaignAction {
  return (actions as readonly Action[]).includes(action);
}

function createTenant({ method, state, days, limited, given }: Settings) {
  return {
    ...orNothing('facts', given.tenant),
    ...orNothing('settings', given.settings),
    campaign: {
      state,
      snoozeDurationInDays: days,
      enforceRegistrationAfterAllowedSnoozes: limited,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }],
    },
  };
}

/** Returns the user as a scenario states it. */
export function createUser({ factor, passkey, given }: Settings) {
  return {
    methods: factor === 'none' ? [] : [factor],
    passkeys: passkey === 'none' ? [] : [{ type: passkey, deviceId }],
    ...orNothing('facts', given.user),
  };
}

/** Returns the sign-in as a scenario states it, without its user. */
export function createAttempt({ os, browser, given }: Settings) {
  return { os, browser, deviceId, ...orNothing('facts', given.attempt) };
}

/** Returns values under a key, or nothing if there are none. */
export function orNothing<K extends string, V extends object>(key: K, values: V): Partial<Record<K, V>> {
  return Object.keys(values).length === 0 ? {} : ({ [key]: values } as Record<K, V>);
}

/**
 * Returns the first event of the session with these settings.
 *
 * @param settings - the settings
 * @param ruleset - ruleset of the registration campaign
 */
export function toSandbox(
  settings: Settings,
  ruleset: PlaygroundRuleset = getBuiltIn('seed'),
): EventOf<'sandbox.created'> {
  return {
    type: 'sandbox.created',
    ruleset: ruleset.id,
    ...(ruleset.digest === null ? {} : { rulesetDigest: ruleset.digest }),
    seed: 1,
    clock: clockSettingAt(toStartMs(settings), false),
    tenant: tenantFactsSchema.parse(createTenant(settings)) as EventOf<'sandbox.created'>['tenant'],
    settings: tenantSettingsSchema.parse({}),
    users: [completeUser(sandboxUserSchema.parse({ id: userId, ...createUser(settings) }))],
  };
}

/** Result of a sign-in that the scenario expects. */
export interface ExpectedSignIn {
  readonly outcome: string;
  readonly reason: string | null;
}

/** Returns the keys of a scenario that name the ruleset and the start of the clock, as far as they are not the defaults. */
export function createHead(settings: Settings, { id, digest }: PlaygroundRuleset) {
  const isDefault = id === 'seed' && digest === null;
  return {
    name: 'Scenario of the playground',
    ...(isDefault ? {} : { ruleset: digest === null ? id : `./${id}.ruleset.yaml` }),
    ...(toStartMs(settings) === defaultStartMs ? {} : { clock: toStart(settings.start) }),
  };
}

/**
 * Writes settings as a scenario that `nudgelab run` repeats.
 *
 * @param settings the settings
 * @param expected results of the sign-ins, in order
 * @param ruleset ruleset of the registration campaign
 * @returns the YAML file
 */
export function toScenario(
  settings: Settings,
  expected: readonly ExpectedSignIn[],
  ruleset: PlaygroundRuleset = getBuiltIn('seed'),
): string {
  let signIns = 0;
  const steps = settings.actions.filter(isCampaignAction).map((action) => {
    switch (action) {
      case 'sign-in': {
        const expect = expected[signIns];
        signIns += 1;
        const signIn = { user: userId, ...createAttempt(settings) };
        return expect === undefined ? { signIn } : { signIn, expect };
      }
      case 'skip':
        return { skip: {} };
      case 'close':
        return { closeBrowser: {} };
      case 'register':
        return { register: {} };
      default:
        return { advance: { [`${action}s`]: 1 } };
    }
  });
  return stringify({
    ...createHead(settings, ruleset),
    given: { tenant: createTenant(settings), users: { [userId]: createUser(settings) } },
    steps,
  });
}

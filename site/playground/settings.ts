import { stringify } from 'yaml';
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
import { clockSettingAt } from '../../src/core/clock.ts';
import type { EventOf } from '../../src/journal/journal-event.ts';

/** Actions of the timeline. */
export const actions = ['sign-in', 'skip', 'close', 'register', 'hour', 'day'] as const;
export type Action = (typeof actions)[number];

export const states = ['enabled', 'disabled', 'default'] as const;
export const snoozeDays = Array.from({ length: 15 }, (_, days) => String(days));

/** All choices of a reader, which determine the results. */
export interface Settings {
  readonly method: TargetedMethod;
  readonly state: (typeof states)[number];
  readonly days: number;
  readonly limited: boolean;
  readonly factor: RegisteredMethod;
  readonly passkey: PasskeyType | 'none';
  readonly os: OperatingSystem;
  readonly browser: Browser;
  readonly actions: readonly Action[];
}

export const initialSettings: Settings = {
  method: 'vendorAuthenticator',
  state: 'enabled',
  days: 1,
  limited: true,
  factor: 'sms',
  passkey: 'none',
  os: 'windows',
  browser: 'chrome',
  actions: ['sign-in'],
};

/** Maximum number of actions, so a URL cannot block the page. */
export const actionsMax = 60;

/** The user and the device of all sign-ins. */
export const userId = 'ada';
export const deviceId = 'device-1';

/** Start of the clock: 2026-01-05T09:00:00.000Z. */
const startMs = 1_767_603_600_000;

/** Writes settings as the fragment of a URL. */
export function toFragment({ actions: chosen, days, limited, ...rest }: Settings): string {
  return new URLSearchParams({
    ...rest,
    days: String(days),
    limited: String(limited),
    actions: chosen.join('.'),
  }).toString();
}

/** Reads settings from the fragment of a URL. Values that are missing or unknown keep their defaults. */
export function fromFragment(fragment: string): Settings {
  const values = new URLSearchParams(fragment);
  const getChoice = <T extends string>(name: string, allowed: readonly T[], initial: T): T =>
    allowed.find((value) => value === values.get(name)) ?? initial;
  const listed = values.get('actions');
  const known = (listed ?? '').split('.').flatMap((name) => actions.find((action) => action === name) ?? []);
  return {
    method: getChoice('method', targetedMethods, initialSettings.method),
    state: getChoice('state', states, initialSettings.state),
    days: Number(getChoice('days', snoozeDays, String(initialSettings.days))),
    limited: getChoice('limited', ['true', 'false'], 'true') === 'true',
    factor: getChoice('factor', registeredMethods, initialSettings.factor),
    passkey: getChoice('passkey', ['none', ...passkeyTypes], initialSettings.passkey),
    os: getChoice('os', operatingSystems, initialSettings.os),
    browser: getChoice('browser', browsers, initialSettings.browser),
    actions: listed === null ? initialSettings.actions : known.slice(0, actionsMax),
  };
}

function createTenant({ method, state, days, limited }: Settings) {
  return {
    campaign: {
      state,
      snoozeDurationInDays: days,
      enforceRegistrationAfterAllowedSnoozes: limited,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method }],
    },
  };
}

function createUser({ factor, passkey }: Settings) {
  return { methods: [factor], passkeys: passkey === 'none' ? [] : [{ type: passkey, deviceId }] };
}

/** Returns the first event of the session with these settings. */
export function toSandbox(settings: Settings): EventOf<'sandbox.created'> {
  return {
    type: 'sandbox.created',
    ruleset: 'seed',
    seed: 1,
    clock: clockSettingAt(startMs, false),
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

/**
 * Writes settings as a scenario that `nudgelab run` repeats.
 *
 * @param settings the settings
 * @param expected results of the sign-ins, in order
 * @returns the YAML file
 */
export function toScenario(settings: Settings, expected: readonly ExpectedSignIn[]): string {
  const { os, browser } = settings;
  let signIns = 0;
  const steps = settings.actions.map((action) => {
    switch (action) {
      case 'sign-in': {
        const expect = expected[signIns];
        signIns += 1;
        const signIn = { user: userId, os, browser, deviceId };
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
    name: 'Scenario of the playground',
    given: { tenant: createTenant(settings), users: { [userId]: createUser(settings) } },
    steps,
  });
}

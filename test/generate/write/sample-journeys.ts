import { expectedScenario, type Journey, type ScenarioData } from '../../../src/generate/journey.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';

export const fixtures = new FixtureLibrary(['fixtures']);

const app = { tenant: 'app-enabled', users: { ada: 'sms-user' } } as const;
const passkeys = {
  tenant: 'passkey-enabled',
  users: { 'Ada Lovelace': 'sms-user', new: { methods: ['voice'] } },
} as const;

/** Journeys with every step that is performed on a page, and with most other steps. */
const journeys: readonly Journey[] = [
  {
    name: 'Three skips, then "required": it’s refused',
    covers: ['R5', 'R6', 'A1'],
    given: app,
    steps: [
      { setUser: { user: 'ada', snooze: { count: 2 } } },
      { signIn: { user: 'ada' } },
      { skip: {} },
      { signIn: { user: 'ada' } },
      { advance: { days: 1 } },
      { signIn: { user: 'ada' } },
      { skip: {} },
      { failRegistration: {} },
      { next: {} },
      { register: {} },
      { signIn: { user: 'ada' } },
    ],
  },
  {
    name: 'Two tabs',
    covers: ['A26'],
    given: app,
    steps: [
      { signIn: { user: 'ada', as: 'tab1' } },
      { signIn: { user: 'ada', as: 'tab 2' } },
      { skip: { prompt: 'tab1' } },
      { advance: { minutes: 5 } },
      { skip: { prompt: 'tab 2' } },
    ],
  },
  {
    name: 'Closed, come back to, and closed for good',
    covers: ['A41'],
    given: app,
    steps: [
      { signIn: { user: 'ada' } },
      { closeBrowser: {} },
      { reload: {} },
      { closeBrowser: {} },
      { next: {} },
      { failRegistration: {} },
      { skipError: {} },
      { advance: { hours: 1 } },
      { signIn: { user: 'ada' } },
      { abandon: {} },
      { advance: { minutes: 15 } },
      { removeMethod: { user: 'ada', method: 'sms' } },
      { setClock: '2026-01-08T09:00:00.000Z' },
      { signIn: { user: 'ada', mfa: { method: 'sms' } } },
    ],
  },
  {
    name: 'A passkey of another device',
    covers: ['R11.3'],
    given: passkeys,
    steps: [
      { signIn: { user: 'Ada Lovelace', os: 'windows', browser: 'chrome' } },
      { register: { passkey: { type: 'security-key', deviceId: 'key-1' } } },
      { signIn: { user: 'Ada Lovelace', os: 'macos', browser: 'safari', deviceId: 'mac-1' } },
      { signIn: { user: 'new' } },
      { register: {} },
      { explain: { user: 'new', os: 'macos' } },
    ],
  },
  {
    name: 'Policy and facts change',
    covers: ['R4'],
    given: app,
    steps: [
      { patchPolicy: { as: 'none', body: {} } },
      { getPolicy: {} },
      { setTenant: { campaign: { snoozeDurationInDays: 3 } } },
      { explain: { user: 'ada' } },
      { signIn: { user: 'ada', conditionalAccess: { registrationPageBlocked: true } } },
      { signIn: { user: 'ada', termsOfUse: true } },
    ],
  },
  ...(['linux', 'ios', 'android'] as const).map(
    (os): Journey => ({
      name: `A phone or a desktop, ${os}`,
      covers: ['R10.4'],
      given: app,
      steps: [{ signIn: { user: 'ada', os, browser: 'chrome' } }],
    }),
  ),
];

/** Returns the journeys with their expected results. */
export async function sampleScenarios(): Promise<readonly ScenarioData[]> {
  return Promise.all(journeys.map((journey) => expectedScenario(journey, fixtures)));
}

export const heading = { title: 'Sample journeys', comment: 'Written by a test.' };

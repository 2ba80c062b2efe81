import { describe, expect, it } from 'vitest';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadText } from '../../src/scenario/load.ts';
import { runSuite, unsupportedSteps } from '../../src/scenario/run-suite.ts';
import { setTestServer } from '../test-server.ts';

const options = { workers: 2, bail: false, repeat: 1, coverage: false };
const fixtures = new FixtureLibrary(['fixtures']);
const server = setTestServer();

const asking = '{ extends: app-enabled, settings: { askToStaySignedIn: true } }';
const clients = '[web-site, { extends: web-site, id: shop, name: The shop, consent: required }, policy-reader]';
/** Line number of the first step. */
const firstStepLine = 7;

function load(steps: string, tenant = 'app-enabled') {
  const users = '{ ada: sms-user, ben: sms-user }';
  const given = `given:\n  tenant: ${tenant}\n  users: ${users}\n  clients: ${clients}`;
  return loadText('suite/one.yaml', `name: A claim\n${given}\nsteps:\n${steps}`, fixtures);
}

/** Formats a step as a line of YAML, which puts the value of its key at a known column. */
const step = (text: string) => `  - ${text}\n`;

describe('invalid sign-ins from an application', () => {
  it.each([
    ['a client that is not given', 'signIn: { user: ada, client: shoe }', /"shoe".*web-site, shop, policy-reader/],
    ['a service', 'signIn: { user: ada, client: policy-reader }', /service/],
    ['a consent without a client', 'signIn: { user: ada, consent: accept }', /consent.*client/],
    ['an account without a client', 'signIn: { user: ada, account: pick }', /account.*client/],
    ['staying signed in without a client', 'signIn: { user: ada, staySignedIn: true }', /staySignedIn.*client/],
    ['a session that is said', 'signIn: { user: ada, client: shop, ssoSession: true }', /session of its browser/],
    ['a consent that no one needs', 'signIn: { user: ada, client: web-site, consent: refuse }', /consent: required/],
    ['a prompt without a client', 'signIn: { user: ada, prompt: login }', /prompt.*client/],
    ['a maximum age without a client', 'signIn: { user: ada, maxAge: 5 }', /maxAge.*client/],
    [
      'an account for another prompt',
      'signIn: { user: ada, client: shop, account: pick, prompt: login }',
      /only with prompt: select_account/,
    ],
    ['an account without a page', 'signIn: { user: ada, client: shop, account: pick, prompt: none }', /no page/],
    ['a consent without a page', 'signIn: { user: ada, client: shop, consent: accept, prompt: none }', /no page/],
    ['another way without a page', 'signIn: { user: ada, client: shop, otherWay: sms, prompt: none }', /no page/],
    ['a suggested user who is not given', 'signIn: { user: ada, client: shop, loginHint: eve }', /"eve".*ada, ben/],
    ['an age that is none', 'signIn: { user: ada, client: shop, maxAge: -1 }', /0/],
    ['a prompt that is none', 'signIn: { user: ada, client: shop, prompt: create }', /login.*none/],
    ['a sign-out before any sign-in', 'signOut: {}', /signOut requires an earlier sign-in/],
    ['a word that is no answer', 'signIn: { user: ada, client: shop, consent: maybe }', /accept.*refuse/],
  ])('scenario-invalid: %s is rejected with its location when the file is read', (_what, text, message) => {
    const { scenarios, problems } = load(`${step(text)}    expect: { page: application }\n`);
    expect(scenarios).toEqual([]);
    expect(problems).toEqual([
      {
        location: expect.stringMatching(new RegExp(`^suite/one.yaml:${firstStepLine}:[0-9]+$`)),
        message: expect.stringMatching(message),
      },
    ]);
  });

  it.each([
    ['a plain sign-in', step('signIn: { user: ada }'), 'signOut: {}', /"ada" did not start at an application/],
    [
      'an address that is none of its client',
      step('signIn: { user: ada, client: shop }'),
      'signOut: { postLogoutRedirectUri: https://evil.example/ }',
      /evil.example.*https:\/\/shop.example\//,
    ],
    ['a tab that no one opened', step('signIn: { user: ada, client: shop }'), 'signOut: { as: other }', /"other".*ada/],
  ])('scenario-invalid: a sign-out of %s is rejected', (_what, before, text, message) => {
    const { problems } = load(`${before}    expect: { page: prompt }\n${step(text)}`);
    expect(problems).toEqual([
      {
        location: expect.stringContaining(`suite/one.yaml:${firstStepLine + 2}:`),
        message: expect.stringMatching(message),
      },
    ]);
  });

  const signedIn = step('signIn: { user: ada, client: shop }') + step('register: {}');
  it.each([
    [
      'an account where no one is signed in',
      '',
      'signIn: { user: ada, client: shop, account: pick }',
      /no one is signed in/,
    ],
    [
      'another account where no one is',
      '',
      'signIn: { user: ada, client: shop, account: another }',
      /no one is signed in/,
    ],
    ['the account of someone else', signedIn, 'signIn: { user: ben, client: shop, account: pick }', /signed in as ada/],
    ['a user who is not signed in', signedIn, 'signIn: { user: ben, client: shop }', /account: another/],
    [
      'a consent that was given',
      signedIn,
      'signIn: { user: ada, client: shop, consent: accept }',
      /consent was never requested: .*already consented/,
    ],
    [
      'a question the tenant never asks',
      '',
      'signIn: { user: ada, client: shop, staySignedIn: true, termsOfUse: true }',
      /staySignedIn was never requested/,
    ],
    [
      'the session of someone else without a page',
      signedIn,
      'signIn: { user: ben, client: web-site, prompt: none }',
      /signed in as ada/,
    ],
    [
      'a sign-out of no one that leads on',
      signedIn + step('signOut: {}'),
      'signOut: { postLogoutRedirectUri: https://shop.example/ }',
      /No one is signed in/,
    ],
    ['an answer after the end', signedIn, 'skip: {}', /back at its application/],
    ['another way past a session', signedIn, 'signIn: { user: ada, client: shop, otherWay: sms }', /otherWay/],
    ['a sign-out before the end', step('signIn: { user: ada, client: shop }'), 'signOut: {}', /has not ended/],
    ['two sign-outs', signedIn + step('signOut: {}'), 'signOut: {}', /No one is signed in/],
    ['an answer after a sign-out', signedIn + step('signOut: {}'), 'skip: {}', /signed out/],
    [
      'an answer after an hour',
      step('signIn: { user: ada, client: shop }') + step('advance: { hours: 1 }'),
      'skip: {}',
      /waited for an hour/,
    ],
  ])(
    'driver-failed: %s is rejected with its location, and a server rejects it too',
    async (_what, before, text, message) => {
      const { scenarios, problems } = load(`${before}${step(text)}    expect: { status: 200 }\n`);
      expect(problems).toEqual([]);
      const line = firstStepLine + before.split('\n').length - 1;
      expect(await unsupportedSteps(scenarios)).toEqual([
        expect.objectContaining({
          location: expect.stringMatching(new RegExp(`^suite/one.yaml:${line}:[0-9]+$`)),
          message: expect.stringMatching(message),
        }),
      ]);
      const driver = new HttpDriver({ controlUrl: server.controlUrl });
      const { results } = await runSuite(scenarios, [driver], options);
      await driver.close();
      expect(results[0]?.steps.at(-1)?.mismatches).toEqual([expect.objectContaining({ key: 'step' })]);
    },
  );
});

const day = 'advance: { days: 1 }';

describe('sign-ins from an application: the model and the OIDC provider of a server', () => {
  it.each([
    [
      'a session that was used a moment less than 14 days ago',
      'app-enabled',
      `
  - signIn: { user: ada, client: web-site, termsOfUse: true }
  - advance: { days: 13 }
  - signIn: { user: ada, client: web-site }
    expect: { page: application, visitedPages: [], reason: sso-session }
  - advance: { days: 13, hours: 23, minutes: 59, ms: 59000 }
  - signIn: { user: ada, client: web-site }
    expect: { page: application, visitedPages: [], reason: sso-session }`,
    ],
    [
      'a session that was used 14 days ago',
      asking,
      `
  - signIn: { user: ada, client: web-site, staySignedIn: true, termsOfUse: true }
  - advance: { days: 14 }
  - signIn: { user: ada, client: web-site, termsOfUse: true }
    expect: { page: application, visitedPages: [terms-of-use, stay-signed-in], reason: terms-of-use }`,
    ],
    [
      'a code that never arrives',
      asking,
      `
  - setFaults: [code-never-arrives]
  - signIn: { user: ada, client: web-site, staySignedIn: true }
    expect: { page: mfa, status: 401 }`,
    ],
    [
      'a skip that comes late, a moment before the application gives up',
      asking,
      `
  - signIn: { user: ada, client: shop, staySignedIn: true, consent: accept }
    expect: { page: prompt }
  - advance: { minutes: 59, ms: 59999 }
  - skip: {}
    expect: { page: application, snoozes: 1 }`,
    ],
    [
      'a tab that was closed and comes back',
      asking,
      `
  - signIn: { user: ada, client: shop, staySignedIn: false }
    expect: { page: prompt }
  - closeBrowser: {}
    expect: { page: closed, state: prompted }
  - reload: {}
    expect: { page: prompt, state: prompted }
  - skip: {}
    expect: { page: application, snoozes: 1, state: snoozed }
  - signIn: { user: ada, client: shop }
    expect: { page: application, visitedPages: [], reason: sso-session }
  - abandon: {}
  - signIn: { user: ada, client: shop }
    expect: { page: application, visitedPages: [stay-signed-in, consent], reason: snoozed }`,
    ],
    [
      'a refusal that leaves no facts for the next sign-in',
      'app-enabled',
      `
  - signIn: { user: ada, client: web-site, termsOfUse: true }
  - signIn: { user: ada, client: shop, customControls: true, consent: refuse }
    expect: { page: application-refused, visitedPages: [consent], outcome: none }
  - signIn: { user: ada }
    expect: { page: prompt, reason: null }`,
    ],
    [
      'tabs of one browser, of another program, and of another device',
      'app-enabled',
      `
  - signIn: { user: ada, client: web-site, as: one, termsOfUse: true }
  - signIn: { user: ada, client: shop, as: two }
    expect: { page: application, visitedPages: [consent], reason: sso-session }
  - signIn: { user: ada, client: web-site, as: edge, browser: edge }
    expect: { page: prompt }
  - signIn: { user: ada, client: web-site, as: elsewhere, deviceId: other }
    expect: { page: prompt }
  - signOut: { as: one }
  - signIn: { user: ada, client: shop, as: three, termsOfUse: true }
    expect: { page: application, visitedPages: [terms-of-use, consent], reason: terms-of-use }`,
    ],
    [
      'registering, failing and trying again on the way',
      'app-enabled',
      `
  - signIn: { user: ada, client: shop }
  - failRegistration: {}
    expect: { page: error-screen }
  - skipError: {}
    expect: { page: application, snoozes: 0 }
  - ${day}
  - signOut: { from: application }
    expect: { page: signed-out, visitedPages: [sign-out], status: 200 }
  - signIn: { user: ben, client: shop, account: another }
    expect: { page: prompt, visitedPages: [account-picker] }
  - register: {}
    expect: { page: application, state: registered }`,
    ],
  ])('A5, R13.1: %s', async (_what, tenant, steps) => {
    const { scenarios, problems } = load(`${steps.trimStart() === steps ? steps : steps.slice(1)}\n`, tenant);
    expect(problems).toEqual([]);
    expect(await unsupportedSteps(scenarios)).toEqual([]);
    const driver = new HttpDriver({ controlUrl: server.controlUrl });
    const { results } = await runSuite(scenarios, [new ModelDriver(), driver], options);
    await driver.close();
    expect(
      results.map(({ status, message, steps: done }) => ({
        status,
        message,
        wrong: done.flatMap(({ mismatches }) => mismatches),
      })),
    ).toEqual([
      { status: 'passed', message: undefined, wrong: [] },
      { status: 'passed', message: undefined, wrong: [] },
    ]);
  });

  it('a driver without support for applications skips the scenario and reports the reason', async () => {
    const { scenarios } = load(`${step('signIn: { user: ada, client: shop }')}    expect: { page: prompt }\n`);
    const { can } = new ModelDriver();
    const driver = {
      name: 'own',
      can,
      open: () => Promise.reject(new Error('never opened')),
      close: async () => undefined,
    };
    const { results } = await runSuite(scenarios, [driver], options);
    expect(results[0]).toMatchObject({ status: 'skipped', message: expect.stringContaining('applications') });
  });
});

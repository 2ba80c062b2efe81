import {
  campaignFor,
  noCampaign,
  open,
  type PageRecipe,
  type PageStep,
  press,
  recipe,
  throughSignIn,
} from './page-recipe.ts';

const methods = [
  ['app', 'vendorAuthenticator', { methods: ['sms', 'authenticator-push'] }],
  ['passkey', 'fido2', { passkeys: [{ type: 'windows-bound', deviceId: 'device-1' }] }],
] as const;

const passkeyCampaign = { tenant: campaignFor('fido2') };
const usedUp = { snooze: { count: 3 } };
const toSetup = [...throughSignIn(), press('next')];
const toTest = [...toSetup, press('try-app')];
const toPasskeyName = [...toSetup, press('finish', { device: 'laptop' })];
/** Longer than a prompt stays open. */
const expire: PageStep = { kind: 'advance', minutes: 16 };
const phone = open('/phone/ada@example.test');

/** States of the prompt, its setup pages, and the end of a sign-in. */
export const promptRecipes: readonly PageRecipe[] = [
  ...methods.flatMap(([method, target, registered]) => {
    const tenant = campaignFor(target);
    const unlimited = campaignFor(target, { enforceRegistrationAfterAllowedSnoozes: false });
    return [
      recipe(`prompt-${method}`, 'prompt', { tenant }, throughSignIn()),
      recipe(`prompt-${method}-last-but-one`, 'prompt', { tenant, user: { snooze: { count: 2 } } }, throughSignIn()),
      recipe(`prompt-${method}-unlimited`, 'prompt', { tenant: unlimited }, throughSignIn()),
      recipe(`required-${method}`, 'required', { tenant, user: usedUp }, throughSignIn()),
      recipe(`error-screen-${method}`, 'error-screen', { tenant }, [...toSetup, press('fail')]),
      recipe(`resolved-${method}`, 'signed-in', { tenant }, [
        ...throughSignIn(),
        { kind: 'changeUser', user: registered },
        { kind: 'reload' },
      ]),
    ];
  }),
  recipe('setup-app', 'setup', {}, toSetup),
  recipe('setup-test', 'setup-test', {}, toTest),
  recipe('setup-test-waiting', 'setup-test', {}, [...toTest, press('finish')]),
  recipe('setup-test-denied', 'setup-test', {}, [...toTest, phone, press('deny'), { kind: 'reload' }, press('finish')]),
  recipe('setup-passkey', 'setup', passkeyCampaign, toSetup),
  recipe('setup-passkey-device-missing', 'setup', passkeyCampaign, [...toSetup, press('finish', { device: ' ' })]),
  recipe('setup-passkey-type-unknown', 'setup', passkeyCampaign, [
    ...toSetup,
    { kind: 'press', control: 'finish', omitted: 'passkeyType' },
  ]),
  recipe('setup-name', 'setup-name', passkeyCampaign, toPasskeyName),
  recipe('setup-name-missing', 'setup-name', passkeyCampaign, [
    ...toPasskeyName,
    press('name-passkey', { 'passkey-name': ' ' }),
  ]),
  recipe('expired', 'closed', {}, [...throughSignIn(), expire, { kind: 'reload' }]),
  recipe('expired-required', 'closed', { user: usedUp }, [...throughSignIn(), expire, { kind: 'reload' }]),
  recipe('signed-in', 'signed-in', {}, [...throughSignIn(), press('skip')]),
  recipe('signed-in-late', 'signed-in', {}, [...throughSignIn(), expire, press('skip')]),
  recipe('not-nudged', 'not-nudged', { tenant: noCampaign }, throughSignIn()),
  recipe('not-nudged-verdict', 'not-nudged', { tenant: noCampaign, settings: { showVerdict: true } }, throughSignIn()),
];

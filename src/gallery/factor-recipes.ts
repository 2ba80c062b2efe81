import { userAttemptsMax } from '../core/limits.ts';
import { clockDefaultMs } from '../sandbox/sandbox.ts';
import {
  enterCode,
  enterName,
  enterPassword,
  open,
  type PageRecipe,
  type PageStep,
  press,
  recipe,
  startPath,
  toPassword,
  toSecondFactor,
} from './page-recipe.ts';

const withPasskey = { passkeys: [{ type: 'security-key', deviceId: 'key-1' }] };
const allMethods = ['sms', 'voice', 'authenticator-totp', 'authenticator-push', 'hardware-totp'];
const manyMethods = { user: { ...withPasskey, methods: allMethods } };
const pushUser = { user: { methods: ['authenticator-push', 'sms'] } };

const toChoice = [...toSecondFactor({ mfaMethod: 'sms' }), press('other-method')];
const toPush = toSecondFactor({ mfaMethod: 'authenticator-push' });
const phone = open('/phone/ada@example.test');

/** Repeats a step until the sandbox throttles further attempts. */
function tooOften(step: PageStep): readonly PageStep[] {
  return Array.from({ length: userAttemptsMax + 1 }, () => step);
}

/** States of the pages for username, password and second factor, and of the simulated phone. */
export const factorRecipes: readonly PageRecipe[] = [
  recipe('name', 'name', {}, [open(startPath())]),
  recipe('name-prefilled', 'name', {}, [open(startPath({ user: 'ada' }))]),
  recipe('name-missing', 'name', {}, [open(startPath()), press('next', { username: ' ' })]),
  recipe('name-unknown', 'name', {}, [open(startPath()), press('next', { username: 'nobody' })]),
  recipe('name-passkey-rejected', 'name', {}, [open(startPath()), { kind: 'useWrongPasskey', control: 'passkey' }]),
  recipe('name-application', 'name', {}, [{ kind: 'authorize', client: 'test-public' }]),
  recipe('name-frozen-clock', 'name', { clock: { nowMs: clockDefaultMs, running: false } }, [open(startPath())]),
  recipe('password', 'password', {}, toPassword()),
  recipe('password-or-passkey', 'password', { user: withPasskey }, toPassword()),
  recipe('password-missing', 'password', {}, [...toPassword(), press('submit-password', { password: '' })]),
  recipe('password-wrong', 'password', { user: withPasskey }, [
    ...toPassword(),
    press('submit-password', { password: 'x' }),
  ]),
  recipe('password-passkey-rejected', 'password', { user: withPasskey }, [
    ...toPassword(),
    { kind: 'useWrongPasskey', control: 'passkey' },
  ]),
  recipe('password-throttled', 'password', {}, [
    ...toPassword(),
    ...tooOften(press('submit-password', { password: 'x' })),
  ]),
  recipe('mfa-sms', 'mfa', { user: { methods: ['sms'] } }, toSecondFactor({ mfaMethod: 'sms' })),
  recipe('mfa-sms-missing', 'mfa', { user: { methods: ['sms'] } }, [
    ...toSecondFactor({ mfaMethod: 'sms' }),
    press('verify-code', { code: '' }),
  ]),
  recipe('mfa-sms-wrong', 'mfa', { user: { methods: ['sms', 'voice'] } }, [
    ...toSecondFactor({ mfaMethod: 'sms' }),
    press('verify-code', { code: '1' }),
  ]),
  recipe('mfa-sms-throttled', 'mfa', { user: { methods: ['sms'] } }, [
    ...toSecondFactor({ mfaMethod: 'sms' }),
    ...tooOften(press('verify-code', { code: '1' })),
  ]),
  recipe('mfa-voice', 'mfa', { user: { methods: ['voice'] } }, toSecondFactor({ mfaMethod: 'voice' })),
  recipe(
    'mfa-totp',
    'mfa',
    { user: { methods: ['authenticator-totp', 'sms'] } },
    toSecondFactor({ mfaMethod: 'authenticator-totp' }),
  ),
  recipe(
    'mfa-hardware-totp',
    'mfa',
    { user: { methods: ['hardware-totp'] } },
    toSecondFactor({ mfaMethod: 'hardware-totp' }),
  ),
  recipe('mfa-push', 'mfa', pushUser, toPush),
  recipe('mfa-push-waiting', 'mfa', pushUser, [...toPush, press('check-push')]),
  recipe('mfa-push-denied', 'mfa', pushUser, [
    ...toPush,
    phone,
    press('deny'),
    { kind: 'reload' },
    press('check-push'),
  ]),
  recipe('mfa-passkey', 'mfa', { user: withPasskey }, toSecondFactor({ mfaMethod: 'passkey' })),
  recipe('mfa-passkey-rejected', 'mfa', { user: withPasskey }, [
    ...toSecondFactor({ mfaMethod: 'passkey' }),
    { kind: 'useWrongPasskey', control: 'passkey' },
  ]),
  recipe('mfa-choice', 'mfa-choice', manyMethods, toChoice),
  recipe('mfa-choice-missing', 'mfa-choice', manyMethods, [
    ...toChoice,
    { kind: 'press', control: 'use-method', omitted: 'method' },
  ]),
  recipe('external-mfa', 'external-mfa', {}, toSecondFactor({ mfaProvider: 'external' })),
  recipe('phone', 'phone', {}, [phone]),
  recipe('phone-busy', 'phone', pushUser, [
    ...toSecondFactor({ mfaMethod: 'sms' }),
    ...toPush,
    phone,
    press('approve', { number: 'xx' }),
  ]),
  recipe('problem', 'problem', {}, [open('/sign-in/s999')]),
  recipe('problem-other-page', 'problem', {}, [open('/sign-in/s1/more')]),
];

/** States of the pages between the second factor and the end that replace the prompt. */
export const interstitialRecipes: readonly PageRecipe[] = (
  [
    ['security-info', { registeredThisSession: 'true' }],
    ['terms-of-use', { termsOfUse: 'true' }],
    ['custom-controls', { customControls: 'true' }],
    ['blocked', { registrationBlocked: 'true' }],
  ] as const
).map(([page, facts]) => recipe(page, page, {}, [open(startPath(facts)), enterName, enterPassword, enterCode]));

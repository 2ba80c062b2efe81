import { userAttemptsMax } from '../core/limits.ts';
import {
  deviceCode,
  noCampaign,
  open,
  type PageRecipe,
  type PageStep,
  press,
  recipe,
  throughSignIn,
  wholeSignIn,
} from './page-recipe.ts';

const quiet = { tenant: noCampaign };
const authorize: PageStep = { kind: 'authorize', client: 'test-public' };
const signedInToApplication = [authorize, ...wholeSignIn];
const endSession = open('/oauth2/end_session');
const endSessionOfApplication = open('/oauth2/end_session?client_id=test-public');
const securityInfo = open('/security-info');
const allScopes = 'openid profile email offline_access Policy.Read.All Policy.ReadWrite.AuthenticationMethod';

/** States of the pages between an application and its user. */
export const applicationRecipes: readonly PageRecipe[] = [
  recipe('consent', 'consent', quiet, [
    { kind: 'authorize', client: 'test-consent', parameters: { scope: allScopes } },
    ...wholeSignIn,
  ]),
  recipe('unknown-application', 'problem', quiet, [{ kind: 'authorize', client: 'tests-public' }]),
  recipe('account-picker', 'account-picker', quiet, [
    ...signedInToApplication,
    { kind: 'authorize', client: 'test-public', parameters: { prompt: 'select_account' } },
  ]),
  recipe(
    'stay-signed-in',
    'stay-signed-in',
    { ...quiet, settings: { askToStaySignedIn: true } },
    signedInToApplication,
  ),
  recipe('hand-over', 'hand-over', quiet, [
    { kind: 'authorize', client: 'test-public', parameters: { response_mode: 'form_post' } },
    ...wholeSignIn,
  ]),
  recipe(
    'signing-out',
    'signing-out',
    {
      ...quiet,
      clients: [
        {
          id: 'shop',
          kind: 'public',
          anyLoopbackRedirect: true,
          frontchannelLogoutUri: 'http://localhost:9/signed-out',
        },
      ],
    },
    [{ kind: 'authorize', client: 'shop' }, ...wholeSignIn, endSession, press('sign-out')],
  ),
  recipe('sign-out', 'sign-out', quiet, [...signedInToApplication, endSession]),
  recipe('sign-out-application', 'sign-out', quiet, [...signedInToApplication, endSessionOfApplication]),
  recipe('signed-out', 'signed-out', quiet, [...signedInToApplication, endSession, press('sign-out')]),
  recipe('signed-out-application', 'signed-out', quiet, [
    ...signedInToApplication,
    endSessionOfApplication,
    press('keep-session'),
  ]),
  recipe('signed-out-stayed', 'signed-out', quiet, [...signedInToApplication, endSession, press('keep-session')]),
];

const television = {
  ...quiet,
  clients: [{ id: 'television', kind: 'public', anyLoopbackRedirect: true, grants: ['device_code'] }],
};
const devicePage = open('/device');
const enterUserCode = press('next', { 'user-code': deviceCode });
const toConfirmation: readonly PageStep[] = [{ kind: 'startDevice', client: 'television' }, devicePage, enterUserCode];
const wrongUserCode = press('next', { 'user-code': 'BBBB-BBBB' });

/** States of the pages on which a user signs in on a device without a browser. */
export const deviceRecipes: readonly PageRecipe[] = [
  recipe('device-code', 'device-code', television, [devicePage]),
  recipe('device-code-missing', 'device-code', television, [devicePage, press('next')]),
  recipe('device-code-unknown', 'device-code', television, [devicePage, wrongUserCode]),
  recipe('device-code-expired', 'device-code', television, [
    { kind: 'startDevice', client: 'television' },
    devicePage,
    { kind: 'advance', minutes: 60 },
    enterUserCode,
  ]),
  recipe('device-code-throttled', 'device-code', television, [
    devicePage,
    ...Array.from({ length: userAttemptsMax + 1 }, () => wrongUserCode),
  ]),
  recipe('device-code-failed', 'device-code', television, [
    devicePage,
    { kind: 'press', control: 'next', omitted: 'xsrf' },
  ]),
  recipe('device-code-declined', 'device-code', television, [...toConfirmation, press('cancel')]),
  recipe('device-confirmation', 'device-confirmation', television, toConfirmation),
  recipe('device-done', 'device-done', television, [...toConfirmation, press('confirm'), ...wholeSignIn]),
  recipe('device-code-used', 'device-code', television, [
    ...toConfirmation,
    press('confirm'),
    ...wholeSignIn,
    devicePage,
    enterUserCode,
  ]),
];

const everyMethod = ['sms', 'voice', 'authenticator-totp', 'authenticator-push', 'hardware-totp'];

/** Tenant without a campaign that allows only security keys. */
const onlySecurityKeys = {
  ...noCampaign,
  methodsPolicy: { fido2: { keyRestrictions: { type: 'allow', kinds: ['security-key'] } } },
};

/** States of the page where users manage their own methods, and of the pages for testers. */
export const ownPageRecipes: readonly PageRecipe[] = [
  recipe('security-info-list', 'security-info-list', { ...quiet, user: { methods: ['sms'] } }, [
    ...throughSignIn(),
    securityInfo,
  ]),
  recipe(
    'security-info-list-full',
    'security-info-list',
    { ...quiet, user: { methods: everyMethod, passkeys: [{ type: 'keychain', deviceId: 'phone' }] } },
    [...throughSignIn({ mfaMethod: 'sms' }), securityInfo, press('finish', { passkeyType: 'windows-bound' })],
  ),
  recipe('security-info-list-empty', 'security-info-list', { ...quiet, user: { methods: ['sms'] } }, [
    ...throughSignIn(),
    securityInfo,
    press('remove-method'),
  ]),
  recipe('security-info-list-blocked', 'security-info-list', quiet, [
    ...throughSignIn({ conditionMet: 'false' }),
    securityInfo,
  ]),
  recipe('security-info-list-passkey-derived', 'security-info-list', { ...quiet, user: { methods: ['sms'] } }, [
    ...throughSignIn(),
    securityInfo,
    { kind: 'createPasskey', control: 'make-passkey' },
  ]),
  recipe('security-info-list-name-missing', 'security-info-list', { ...quiet, user: { methods: ['sms'] } }, [
    ...throughSignIn(),
    securityInfo,
    press('finish', { passkeyType: 'windows-bound' }),
    press('rename-passkey', { name: ' ' }),
  ]),
  recipe('security-info-list-passkey-not-allowed', 'security-info-list', { tenant: onlySecurityKeys }, [
    ...throughSignIn(),
    securityInfo,
    press('finish', { passkeyType: 'windows-bound' }),
  ]),
  ...(
    [
      ['method-unknown', { kind: 'press', control: 'add-method', omitted: 'method' }],
      ['passkey-rejected', press('make-passkey')],
      ['passkey-type-unknown', { kind: 'press', control: 'finish', omitted: 'passkeyType' }],
    ] as const
  ).map(([fault, step]) =>
    recipe(`security-info-list-${fault}`, 'security-info-list', { ...quiet, user: { methods: ['sms'] } }, [
      ...throughSignIn(),
      securityInfo,
      step,
    ]),
  ),
  recipe('try-it', 'try-it', { settings: { context: { namedLocations: ['office', 'home'] } } }, [open('/try')]),
  recipe('landing', 'landing', {}, [open('')]),
];

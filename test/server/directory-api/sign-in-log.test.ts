import { describe, expect, test } from 'vitest';
import type { AttemptInput } from '../../../src/contract/context.schema.ts';
import type { SignInOrigin } from '../../../src/journal/journal-event.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type Row, SignInLog } from './sign-in-log-server.ts';

const log = new SignInLog();

const passwordStep = { authenticationMethod: 'Password', authenticationStepRequirement: 'Primary authentication' };

function step(method: string) {
  return { authenticationMethod: method, authenticationStepRequirement: 'Multifactor authentication', succeeded: true };
}

describe('fields of a row', () => {
  const cases: readonly (readonly [string, AttemptInput, Row, SignInOrigin?, string?])[] = [
    [
      'ids, user and resource',
      {},
      {
        id: 's2',
        correlationId: 's2',
        originalRequestId: 's2',
        createdDateTime: '2026-01-05T09:00:00.000Z',
        userId: 'ada',
        userDisplayName: 'Ada',
        userPrincipalName: 'ada@example.test',
        userType: 'member',
        homeTenantId: 'tenant',
        resourceTenantId: 'tenant',
        crossTenantAccessType: 'none',
        resourceDisplayName: 'Graph',
        ipAddress: '127.0.0.1',
        location: null,
        tokenIssuerType: 'AzureAD',
        authenticationProtocol: 'oAuth2',
        incomingTokenType: 'none',
        riskState: 'none',
        riskEventTypes: [],
      },
    ],
    [
      'a guest',
      {},
      {
        userType: 'guest',
        crossTenantAccessType: 'b2bCollaboration',
        homeTenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      {},
      'guest',
    ],
    ['no application', {}, { appDisplayName: 'NudgeLab', appId: 'nudgelab-pages' }],
    ['an application', {}, { appDisplayName: 'My App', appId: 'my-app' }, { client: { id: 'my-app', name: 'My App' } }],
    [
      'an application on a device',
      {},
      { authenticationProtocol: 'deviceCode' },
      { client: { id: 'tv', name: 'TV' }, device: true },
    ],
    [
      'Chrome on Windows',
      {},
      {
        clientAppUsed: 'Browser',
        deviceDetail: expect.objectContaining({ browser: 'Chrome 140.0.0', operatingSystem: 'Windows10' }),
      },
    ],
    ['Edge', { browser: 'edge' }, { deviceDetail: expect.objectContaining({ browser: 'Edge 140.0.0' }) }],
    [
      'Firefox on Linux',
      { browser: 'firefox', os: 'linux' },
      { deviceDetail: expect.objectContaining({ browser: 'Firefox 140.0', operatingSystem: 'Linux' }) },
    ],
    [
      'Safari on a Mac',
      { browser: 'safari', os: 'macos' },
      { deviceDetail: expect.objectContaining({ browser: 'Safari 18.0', operatingSystem: 'MacOs' }) },
    ],
    [
      'Safari on a phone',
      { browser: 'safari', os: 'ios' },
      { deviceDetail: expect.objectContaining({ browser: 'Mobile Safari 18.0', operatingSystem: 'Ios 18' }) },
    ],
    [
      'another browser on Android',
      { browser: 'other', os: 'android' },
      { deviceDetail: expect.objectContaining({ browser: 'Opera 120.0', operatingSystem: 'Android 15' }) },
    ],
    [
      'an unknown system',
      { os: 'unknown' },
      { deviceDetail: expect.objectContaining({ operatingSystem: 'ChromeOs' }) },
    ],
    [
      'a native app',
      { surface: 'native-app', browser: null },
      { clientAppUsed: 'Mobile Apps and Desktop clients', deviceDetail: expect.objectContaining({ browser: '' }) },
    ],
    [
      'an embedded app',
      { surface: 'embedded-app' },
      {
        clientAppUsed: 'Mobile Apps and Desktop clients',
        deviceDetail: expect.objectContaining({ browser: 'Chrome 140.0.0' }),
      },
    ],
    [
      'a compliant device',
      { deviceId: 'laptop' },
      {
        deviceDetail: expect.objectContaining({
          deviceId: 'laptop',
          isCompliant: true,
          isManaged: true,
          trustType: 'AzureAd',
        }),
      },
    ],
    [
      'another device',
      { deviceId: 'own' },
      { deviceDetail: expect.objectContaining({ deviceId: 'own', isCompliant: false, trustType: null }) },
    ],
    ['interactive', {}, { isInteractive: true, signInEventTypes: ['interactiveUser'] }],
    [
      'a named location',
      { network: 'office' },
      { networkLocationDetails: [{ networkType: 'namedNetwork', networkNames: ['office'] }] },
    ],
    ['no named location', {}, { networkLocationDetails: [] }],
    [
      'SMS',
      { mfa: { method: 'sms' } },
      {
        authenticationRequirement: 'multiFactorAuthentication',
        authenticationDetails: [expect.objectContaining(passwordStep), expect.objectContaining(step('SMS'))],
      },
    ],
    [
      'voice',
      { mfa: { method: 'voice' } },
      { authenticationDetails: [expect.objectContaining(passwordStep), expect.objectContaining(step('Voice'))] },
    ],
    [
      'push',
      { mfa: { method: 'authenticator-push' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('Authenticator App')),
        ],
      },
    ],
    [
      'TOTP',
      { mfa: { method: 'authenticator-totp' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('Software OATH token')),
        ],
      },
    ],
    [
      'hardware TOTP',
      { mfa: { method: 'hardware-totp' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('Hardware OATH token')),
        ],
      },
    ],
    [
      'a passkey',
      { mfa: { method: 'passkey' } },
      { authenticationDetails: [expect.objectContaining(step('Passkey'))] },
    ],
    [
      'an external provider',
      { mfa: { provider: 'external' } },
      {
        authenticationDetails: [
          expect.objectContaining(passwordStep),
          expect.objectContaining(step('External authentication method')),
        ],
      },
    ],
    [
      'the home tenant',
      { mfa: { provider: 'home-tenant' } },
      { authenticationDetails: [expect.objectContaining({ authenticationMethod: 'Previously satisfied' })] },
    ],
    [
      'a session',
      { ssoSession: true },
      {
        authenticationRequirement: 'singleFactorAuthentication',
        authenticationDetails: [expect.objectContaining({ authenticationMethod: 'Previously satisfied' })],
      },
    ],
    ['an unknown method', { mfa: { method: null } }, { authenticationDetails: [] }],
    [
      'no second factor',
      { mfa: { completed: false } },
      {
        authenticationRequirement: 'singleFactorAuthentication',
        authenticationDetails: [expect.objectContaining(passwordStep)],
      },
    ],
    ['a success', {}, { status: expect.objectContaining({ errorCode: 0, failureReason: 'Other.' }) }],
    [
      'terms of use',
      { termsOfUse: true },
      {
        conditionalAccessStatus: 'success',
        appliedConditionalAccessPolicies: [
          expect.objectContaining({
            displayName: 'Terms of use',
            enforcedGrantControls: ['TermsOfUse'],
            enforcedSessionControls: [],
            result: 'success',
          }),
        ],
      },
    ],
    [
      'custom controls',
      { customControls: true },
      {
        conditionalAccessStatus: 'success',
        appliedConditionalAccessPolicies: [
          expect.objectContaining({ displayName: 'Custom controls', enforcedGrantControls: ['CustomControls'] }),
        ],
      },
    ],
    ['no policies', {}, { conditionalAccessStatus: 'notApplied', appliedConditionalAccessPolicies: [] }],
  ];

  for (const [name, attempt, expected, origin = {}, user = 'ada'] of nonEmpty(cases)) {
    test(`DIR71: ${name}`, async () => {
      await log.skip(attempt, { user, origin });
      expect(await log.firstRow()).toMatchObject(expected);
    });
  }

  test('DIR71: a silent sign-in is hidden unless the filter names it', async () => {
    await log.skip({ ssoSession: true }, { origin: { silent: true } });
    await log.skip();
    expect((await log.rows()).map(({ id }) => id)).toEqual(['s3']);
    for (const filter of [
      "signInEventTypes/any(t: t eq 'nonInteractiveUser')",
      'isInteractive eq false',
      "isInteractive eq false and userId eq 'ada'",
    ]) {
      const found = await log.rows(`?$filter=${encodeURIComponent(filter)}`);
      expect(found.map(({ id, isInteractive, signInEventTypes }) => [id, isInteractive, signInEventTypes])).toEqual([
        ['s2', false, ['nonInteractiveUser']],
      ]);
    }
    const either = "isInteractive eq false or signInEventTypes/any(t: t eq 'interactiveUser')";
    expect(await log.rows(`?$filter=${encodeURIComponent(either)}`)).toHaveLength(2);
  });
});

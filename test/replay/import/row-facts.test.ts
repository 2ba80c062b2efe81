import { describe, expect, it } from 'vitest';
import { decodeAttempt, deviceCodes } from '../../../src/replay/attempt-code.ts';
import { RowReader, type RowValues, rowFlag } from '../../../src/replay/import/row-facts.ts';
import { mapping } from './import-work.ts';

/** Row of an interactive sign-in with only a password, in a browser on a known operating system. */
const plainRow: RowValues = {
  os: 'Windows 11',
  browser: 'Chrome 140',
  clientApp: 'Browser',
  userType: 'member',
  crossTenantAccess: 'none',
  issuer: 'AzureAD',
  interactive: 'true',
  eventTypes: null,
  incomingToken: null,
  requirement: 'singleFactorAuthentication',
  details: null,
  detailMethod: null,
  accessPolicies: null,
  errorCode: '0',
  facts: null,
};

/** Returns the facts of a row as text. */
function read(values: Partial<RowValues>, reader = new RowReader(mapping)) {
  const { device, factor, flags, inferred, unknown } = reader.read({ ...plainRow, ...values });
  const { os, browser, surface, mfa } = decodeAttempt(device + deviceCodes * factor);
  return {
    device: [os, browser, surface],
    factor: mfa.completed ? [mfa.provider, mfa.method] : null,
    flags: Object.entries(rowFlag).flatMap(([name, bit]) => ((flags & bit) === 0 ? [] : [name])),
    inferred: inferred.map(({ fact, confidence }) => `${fact} ${confidence}`),
    unknown: unknown.map(({ field, value }) => `${field}: ${value}`),
  };
}

/**
 * Creates authentication details from methods and their results. Each is a second factor unless stated otherwise.
 */
function steps(...list: readonly (readonly [method: string, succeeded: unknown, requirement?: string])[]): string {
  return JSON.stringify(
    list.map(([authenticationMethod, succeeded, authenticationStepRequirement = 'Multifactor authentication']) => ({
      authenticationMethod,
      succeeded,
      authenticationStepRequirement,
    })),
  );
}

const plain = {
  device: ['windows', 'chrome', 'browser'],
  factor: null,
  flags: ['success', 'interactive'],
  inferred: [],
  unknown: [],
};

describe('facts of a row', () => {
  it('R3: a row with only a password completes no second factor and has no inferred facts', () => {
    expect(read({})).toEqual(plain);
  });

  it.for([
    // Columns: os, browser, clientApp, device, inferred
    ['MacOs', 'Safari 18', 'Browser', ['macos', 'safari', 'browser'], []],
    ['Linux', 'Firefox 130', 'Browser', ['linux', 'firefox', 'browser'], []],
    ['Windows 10', 'Edge 91.0', 'Browser', ['windows', 'edge', 'browser'], []],
    ['Ios 17', 'Mobile Safari', 'Browser', ['ios', 'safari', 'browser'], []],
    ['Android', 'Opera 90', 'Browser', ['android', 'other', 'browser'], []],
    ['Android', null, 'Mobile Apps and Desktop clients', ['android', null, 'native-app'], []],
    ['Android', 'Rich Client 4.0', 'Mobile Apps and Desktop clients', ['android', null, 'native-app'], []],
    ['Ios 17', 'Mobile Safari', 'Mobile Apps and Desktop clients', ['ios', 'safari', 'embedded-app'], ['surface low']],
    ['Ios 17', null, 'Exchange ActiveSync', ['ios', null, 'native-app'], ['surface low']],
    ['Ios 17', null, null, ['ios', null, 'native-app'], ['surface low']],
    ['Ios 17', 'Mobile Safari', null, ['ios', 'safari', 'browser'], ['surface low']],
    ['Windows 10', null, 'Browser', ['windows', 'other', 'browser'], ['browser low']],
    [null, 'Chrome 140', 'Browser', ['unknown', 'chrome', 'browser'], ['os low']],
    ['iPadOS', 'Mobile Safari', 'Browser', ['unknown', 'safari', 'browser'], ['os low']],
    ['ChromeOs', 'Chrome 140', 'Browser', ['unknown', 'chrome', 'browser'], []],
  ] as const)('R12: %s, %s and %s become the device %j', ([os, browser, clientApp, device, inferred]) => {
    const flags = inferred.length === 0 ? plain.flags : [...plain.flags, 'unclear'];
    expect(read({ os, browser, clientApp })).toEqual({ ...plain, device, inferred, flags });
  });

  it('a value that no pattern matches is reported with its field, up to 200 characters', () => {
    const long = 'z'.repeat(201);
    expect(read({ os: ` ${long} `, browser: 'Netscape 4', userType: 'robot', crossTenantAccess: 'odd' })).toEqual({
      ...plain,
      device: ['unknown', 'other', 'browser'],
      flags: ['success', 'interactive', 'unclear'],
      inferred: ['os low', 'browser low'],
      unknown: [`os: ${long.slice(0, 200)}`, 'browser: Netscape 4', 'crossTenant: odd', 'userType: robot'],
    });
  });

  it('a reader that processes many rows reports each row with an unknown or inferred value', () => {
    const reader = new RowReader(mapping);
    const odd = { os: 'BeOS', userType: 'MEMBER' };
    const first = read(odd, reader);
    expect(first).toMatchObject({ unknown: ['os: BeOS'], inferred: ['os low'] });
    expect(read(odd, reader)).toEqual(first);
    expect(read({}, reader)).toEqual(plain);
    // The same text is looked up only in its own field.
    expect(read({ browser: 'BeOS' }, reader).unknown).toEqual(['browser: BeOS']);
  });

  it.for([
    ['0', ['success'], [], []],
    [' 0.0 ', ['success'], [], []],
    [null, ['success', 'unclear'], ['errorCode low'], []],
    ['  ', ['success', 'unclear'], ['errorCode low'], []],
    ['50126', [], [], []],
    ['50074', ['interrupted'], [], []],
    ['50074.00', ['interrupted'], [], []],
    ['50072', ['interrupted', 'registers'], [], []],
    ['50158', ['interrupted'], [], []],
    ['50203', ['interrupted', 'promptSkippable', 'unclear'], ['errorCode low'], []],
    ['502031', ['interrupted', 'promptRequired', 'unclear'], ['errorCode low'], []],
    ['4711', ['unclear'], [], ['errorCode: 4711']],
  ] as const)('the result code %j has the flags %j', ([errorCode, flags, inferred, unknown]) => {
    const found = read({ errorCode });
    expect(new Set(found.flags)).toEqual(new Set([...flags, 'interactive']));
    expect([found.inferred, found.unknown]).toEqual([inferred, unknown]);
  });

  it.for([
    // Columns: userType, crossTenantAccess, isGuest, inferred
    ['member', 'none', false, []],
    ['guest', 'none', true, []],
    ['member', 'b2bCollaboration', true, []],
    ['member', 'b2bDirectConnect', true, []],
    ['member', 'serviceProvider', true, ['crossTenant low']],
    [null, null, false, []],
  ] as const)(
    'a user of type %s with access %s is a guest user: %s',
    ([userType, crossTenantAccess, isGuest, inferred]) => {
      const found = read({ userType, crossTenantAccess });
      expect([found.flags.includes('guest'), found.inferred]).toEqual([isGuest, inferred]);
    },
  );

  it.for([
    ['true', null, true, []],
    [' TRUE ', null, true, []],
    ['1', null, true, []],
    ['Yes', null, true, []],
    ['interactive', null, true, []],
    ['false', '["interactiveUser"]', false, []],
    ['0', null, false, []],
    ['NO', null, false, []],
    ['non-interactive', null, false, []],
    [null, '["interactiveUser"]', true, []],
    [null, 'nonInteractiveUser', false, []],
    [null, 'servicePrincipal; nonInteractiveUser', false, []],
    [null, 'servicePrincipal,interactiveUser', true, []],
    ['perhaps', '', true, ['interactive low']],
    [null, '[]', true, ['interactive low']],
  ] as const)('isInteractive %j with event types %j is interactive: %s', ([interactive, eventTypes, is, inferred]) => {
    const found = read({ interactive, eventTypes });
    expect([found.flags.includes('interactive'), found.inferred]).toEqual([is, inferred]);
  });

  it.for([
    ['["servicePrincipal"]', true],
    ['managedIdentity', true],
    ['interactiveUser, managedIdentity', true],
    ['["interactiveUser"]', false],
    [null, false],
  ] as const)('a row of the event types %j has no user: %s', ([eventTypes, isWithoutUser]) => {
    expect(read({ eventTypes }).flags.includes('noUser')).toBe(isWithoutUser);
  });
});

describe('second factor of a row', () => {
  it.for([
    ['SMS', ['service', 'sms'], []],
    ['Phone call', ['service', 'voice'], []],
    ['Authenticator App', ['service', 'authenticator-push'], []],
    ['Passwordless phone sign-in', ['service', 'authenticator-push'], ['method low']],
    ['Software OATH token', ['service', 'authenticator-totp'], []],
    ['Hardware OATH token', ['service', 'hardware-totp'], []],
    ['FIDO2 security key', ['service', 'passkey'], []],
    ['External authentication method', ['external', null], []],
    ['Email', ['service', null], ['method low']],
  ] as const)('R3: %s completes it as %j', ([method, factor, inferred]) => {
    expect(read({ details: steps([method, true]) })).toMatchObject({ factor, inferred });
  });

  it.for([
    ['a step that failed', steps(['SMS', false]), null],
    ['one that failed, before one that succeeded', steps(['SMS', false], ['Phone call', true]), ['service', 'voice']],
    ['the last of several', steps(['Phone call', true], ['SMS', true]), ['service', 'sms']],
    ['a password asked for as a second factor', steps(['Password', true]), null],
    ['a method that is one by itself', steps(['SMS', true, 'Primary authentication']), ['service', 'sms']],
    ['a passkey as the first step', steps(['Passkey', true, 'Primary authentication']), ['service', 'passkey']],
    ['an external method', steps(['External auth', true, 'Primary authentication']), ['external', null]],
    ['another method that was not asked for', steps(['Email', true, 'Primary authentication']), null],
    ['another method that was', steps(['Email', true]), ['service', null]],
    ['a method that no pattern matches', steps(['Telepathy', true]), null],
    ['success as text', steps(['SMS', 'Yes, it did']), ['service', 'sms']],
    ['success as "true"', steps(['SMS', 'True']), ['service', 'sms']],
    ['success as "1"', steps(['SMS', '1']), ['service', 'sms']],
    ['failure as text', steps(['SMS', 'Failure']), null],
    ['no word of success', steps(['SMS', null]), null],
    ['a list of texts that are JSON', JSON.stringify([steps(['SMS', true]).slice(1, -1)]), ['service', 'sms']],
    ['an object instead of a list', steps(['SMS', true]).slice(1, -1), ['service', 'sms']],
    ['a list with no object', '[1, null, "x"]', null],
  ] as const)('R3: %s', ([, details, factor]) => {
    expect(read({ details }).factor).toEqual(factor);
  });

  it('a field of a step matches in any case, by the first of its names', () => {
    const named = { ...mapping.signIns.detailFields, method: ['way', 'authenticationMethod'] };
    const reader = new RowReader({ ...mapping, signIns: { ...mapping.signIns, detailFields: named } });
    const details = '[{"Authentication_Method":"Phone call","WAY":"SMS","Succeeded":true}]';
    expect(read({ details }, reader).factor).toEqual(['service', 'sms']);
    expect(read({ details: '[{"authentication method":"Phone call","succeeded":true}]' }, reader).factor).toEqual([
      'service',
      'voice',
    ]);
  });

  it('details that are not valid JSON are reported by their first 60 characters', () => {
    const broken = `[{"authenticationMethod":${' '.repeat(60)}`;
    expect(read({ details: broken })).toMatchObject({ factor: null, unknown: [`details: ${broken.slice(0, 60)}`] });
    for (const details of [null, '', '  ', 'null', ' null ', '[]', '{}']) expect(read({ details }).unknown).toEqual([]);
  });

  it.for([
    ['SMS', null, ['service', 'sms'], ['mfa.method low']],
    ['SMS', '[]', ['service', 'sms'], ['mfa.method low']],
    ['SMS', steps(['Phone call', true]), ['service', 'voice'], []],
    ['Password', null, null, ['mfa.method low']],
    ['Telepathy', null, null, ['mfa.method low']],
    [' ', null, null, []],
    [null, null, null, []],
  ] as const)('a method %j with the details %j results in %j', ([detailMethod, details, factor, inferred]) => {
    expect(read({ detailMethod, details })).toMatchObject({ factor, inferred });
  });

  it('R13.1, A22: a row without user interaction has none, and is single sign-on if it succeeded', () => {
    const details = steps(['SMS', true]);
    expect(read({ interactive: 'false', details })).toMatchObject({ factor: null, flags: ['success', 'sso'] });
    expect(read({ interactive: 'false', details, errorCode: '50126' })).toMatchObject({ factor: null, flags: [] });
  });

  it('R13.1, A22: a previously satisfied factor is single sign-on if the row succeeded, and not a second factor', () => {
    const details = steps(['Password', true, 'Primary authentication'], ['Previously satisfied', true]);
    expect(read({ details })).toEqual({ ...plain, flags: ['success', 'sso', 'interactive'] });
    expect(read({ details, errorCode: '50126' }).flags).toEqual(['interactive']);
    expect(read({ details: steps(['Password', true, 'Primary authentication']) }).flags).toEqual(plain.flags);
  });

  it('R3: a guest user with a previously satisfied second factor completed it in the home tenant', () => {
    const details = steps(['Satisfied by token', true]);
    const guest = { crossTenantAccess: 'b2bCollaboration', details };
    expect(read(guest)).toMatchObject({
      factor: ['home-tenant', null],
      flags: ['success', 'factor', 'interactive', 'guest', 'unclear'],
      inferred: ['mfa.provider low'],
    });
    // The home tenant is unknown if only the user type identifies a guest user.
    expect(read({ userType: 'guest', details })).toMatchObject({ factor: null, inferred: [] });
    expect(read({ ...guest, details: steps(['SMS', true]) }).factor).toEqual(['service', 'sms']);
    expect(read({ ...guest, details: null }).factor).toBeNull();
  });

  it('DIR75: a guest user whose only satisfied factor is the first one has a session', () => {
    const at = (...requirements: readonly string[]) => ({
      crossTenantAccess: 'b2bCollaboration',
      details: steps(...requirements.map((requirement) => ['Previously satisfied', true, requirement] as const)),
    });
    const home = { factor: ['home-tenant', null], inferred: ['mfa.provider low'] };
    const session = { factor: null, flags: ['success', 'sso', 'interactive', 'guest'], inferred: [] };
    expect(read(at('Primary authentication'))).toMatchObject(session);
    expect(read(at('Multifactor authentication'))).toMatchObject(home);
    expect(read(at('Primary authentication', 'Multifactor authentication'))).toMatchObject(home);
  });

  it.for([
    ['an external challenge that was not ended', { errorCode: '50158' }, null, []],
    ['a foreign issuer', { issuer: 'ADFederationServices' }, ['external', null], ['mfa.provider low']],
    ['a foreign issuer, where the sign-in failed', { issuer: 'ADFederationServices', errorCode: '50126' }, null, []],
    [
      'a foreign issuer and a step',
      { issuer: 'ADFederationServices', details: steps(['SMS', true]) },
      ['external', 'sms'],
      [],
    ],
    [
      'an external challenge and a step',
      { errorCode: '50158', details: steps(['SMS', true]) },
      ['external', 'sms'],
      [],
    ],
    ['an own issuer and a step', { details: steps(['SMS', true]) }, ['service', 'sms'], []],
  ] as const)('R3: %s', ([, values, factor, inferred]) => {
    expect(read(values)).toMatchObject({ factor, inferred });
  });

  it('R3: an unknown or missing result code does not determine the provider', () => {
    const details = steps(['SMS', true]);
    expect(read({ errorCode: '4711', details }).factor).toEqual(['service', 'sms']);
    expect(read({ errorCode: null, details }).factor).toEqual(['service', 'sms']);
    expect(read({ errorCode: '4711', issuer: 'ADFederationServices' }).factor).toBeNull();
    expect(read({ errorCode: null, issuer: 'ADFederationServices' })).toMatchObject({
      factor: ['external', null],
      flags: expect.not.arrayContaining(['sso']),
    });
  });

  it('R3: a successful row that required a second factor but has no details completed an unknown one', () => {
    const multi = { requirement: 'multiFactorAuthentication' };
    expect(read(multi)).toMatchObject({
      factor: ['service', null],
      flags: ['success', 'factor', 'interactive', 'unclear'],
      inferred: ['mfa.method low'],
    });
    expect(read({ ...multi, errorCode: '50126' })).toMatchObject({ factor: null, inferred: [] });
    expect(read({ ...multi, details: steps(['Password', true]) })).toMatchObject({ factor: null, inferred: [] });
    expect(read({ ...multi, requirement: 'singleFactorAuthentication' }).factor).toBeNull();
  });
});

describe('conditional access policies of a row', () => {
  const policies = (...list: readonly (readonly [result: string, grants: unknown])[]): string =>
    JSON.stringify(list.map(([result, enforcedGrantControls]) => ({ result, enforcedGrantControls })));

  it.for([
    [policies(['success', ['Terms of use']]), ['termsOfUse'], []],
    [policies(['failure', ['Terms of use']]), ['termsOfUse'], []],
    [policies(['success', ['Custom control']]), ['customControls'], []],
    [policies(['success', ['Mfa']], ['success', ['terms', 'custom']]), ['termsOfUse', 'customControls'], []],
    [policies(['success', 'Mfa; terms']), ['termsOfUse'], []],
    [policies(['success', '["custom"]']), ['customControls'], []],
    [policies(['notApplied', ['terms']], ['reportOnlySuccess', ['custom']]), [], []],
    [policies(['success', ['magic']]), [], ['grant: magic']],
    [policies(['magic', ['terms']]), [], ['accessResult: magic']],
    [policies(['success', null]), [], []],
    ['{"result":"success","enforcedGrantControls":["terms"]}', ['termsOfUse'], []],
    ['not JSON', [], ['accessPolicies: not JSON']],
    ['[]', [], []],
  ] as const)('%s shows the interstitial pages %j', ([accessPolicies, pages, unknown]) => {
    const found = read({ accessPolicies });
    expect([found.flags.filter((flag) => !plain.flags.includes(flag)), found.unknown]).toEqual([pages, unknown]);
  });
});

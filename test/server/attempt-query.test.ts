import { describe, expect, it } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { attemptOfQuery } from '../../src/server/identity/attempt-query.ts';
import { observedAttempt } from '../../src/server/identity/observed-attempt.ts';

function said(query: string): object {
  return attemptOfQuery(new URLSearchParams(query));
}

function refusal(query: string): NudgeLabError {
  try {
    said(query);
  } catch (error) {
    if (error instanceof NudgeLabError) return error;
  }
  throw new Error('It was not refused.');
}

describe('query of a sign-in URL', () => {
  it.each([
    ['os=ios', { os: 'ios' }],
    ['os=unknown', { os: 'unknown' }],
    ['browser=none', { browser: null }],
    ['surface=embedded-app', { surface: 'embedded-app' }],
    ['deviceId=phone-2', { deviceId: 'phone-2' }],
    ['mfaMethod=voice&mfaProvider=external', { mfa: { method: 'voice', provider: 'external' } }],
    ['mfaMethod=none&mfaCompleted=false', { mfa: { method: null, completed: false } }],
    ['sso=true', { ssoSession: true }],
    ['registeredThisSession=true', { registeredThisSession: true }],
    ['registrationBlocked=true', { conditionalAccess: { registrationPageBlocked: true } }],
    ['conditionMet=false', { conditionalAccess: { registrationConditionMet: false } }],
    ['termsOfUse=true&customControls=true', { termsOfUse: true, customControls: true }],
    ['network=head%20office', { network: 'head office' }],
  ])('sets only the attempt facts that %s stands for', (query, attempt) => {
    expect(said(query)).toEqual(attempt);
  });

  it('sets nothing for empty fields, for the user or for the application', () => {
    expect(said('user=ada&interaction=abc&os=&browser=&deviceId=&sso=')).toEqual({});
    expect(said('')).toEqual({});
  });

  it.each([
    ['os=beos', 'query.os', /"beos".*"windows", "macos"/],
    ['browser=lynx', 'query.browser', /"none"/],
    ['surface=fridge', 'query.surface', /"oobe"/],
    ['mfaMethod=fax', 'query.mfaMethod', /"passkey"/],
    ['mfaProvider=nobody', 'query.mfaProvider', /"home-tenant"/],
    ['sso=yes', 'query.sso', /"true", "false"/],
    [`deviceId=${'x'.repeat(257)}`, 'query.deviceId', /256/],
    ['oss=ios', 'query', /"oss".*allowed: os, browser/],
    ['os=ios&os=linux', 'query.os', /is repeated; set it only once/],
    ['__proto__=x', 'query', /__proto__/],
  ])('bad-request: %s names the parameter and the allowed values', (query, place, message) => {
    const { code, problems } = refusal(query);
    expect(code).toBe('bad-request');
    expect(problems).toEqual([{ location: place, message: expect.stringMatching(message) }]);
  });

  it('bad-request: several errors are reported together', () => {
    expect(refusal('os=beos&sso=maybe').problems).toHaveLength(2);
  });

  it('takes precedence over the device data from the browser', () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0' };
    const device = { os: 'windows', browser: 'firefox', surface: 'browser' };
    expect(observedAttempt({ originalUrl: '/sign-in', headers })).toEqual(device);
    expect(observedAttempt({ originalUrl: '/s/a/sign-in?os=ios', headers })).toEqual({ ...device, os: 'ios' });
  });
});

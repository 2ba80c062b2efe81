import { expect, test } from 'vitest';
import { getAcr, listAmr } from '../../../src/server/oidc/authentication-context.ts';

test.for([
  [{ completed: true, provider: 'service', method: 'sms' }, 'mfa', ['pwd', 'sms', 'mfa']],
  [{ completed: true, provider: 'service', method: 'voice' }, 'mfa', ['pwd', 'tel', 'mfa']],
  [{ completed: true, provider: 'service', method: 'authenticator-totp' }, 'mfa', ['pwd', 'otp', 'mfa']],
  [{ completed: true, provider: 'service', method: 'authenticator-push' }, 'mfa', ['pwd', 'swk', 'mfa']],
  [{ completed: true, provider: 'service', method: 'hardware-totp' }, 'mfa', ['pwd', 'otp', 'hwk', 'mfa']],
  [{ completed: true, provider: 'service', method: 'passkey' }, 'mfa', ['pop', 'user', 'mfa']],
  [{ completed: true, provider: 'service', method: null }, 'password', ['pwd']],
  [{ completed: true, provider: 'external', method: 'voice' }, 'mfa', ['pwd', 'mfa']],
  [{ completed: true, provider: 'home-tenant', method: null }, 'mfa', ['pwd', 'mfa']],
  [{ completed: false, provider: 'service', method: 'sms' }, 'password', ['pwd']],
  [{ completed: false, provider: 'external', method: null }, 'password', ['pwd']],
] as const)('R1: the second factor %j gives the acr %s and the amr %j', ([mfa, acr, amr]) => {
  expect([getAcr(mfa), listAmr(mfa)]).toEqual([`urn:nudgelab:acr:${acr}`, amr]);
});

import { describe, expect, test } from 'vitest';
import { completeAttempt } from '../../src/contract/attempt-facts.ts';
import { attemptPatchSchema, tenantFactsSchema, userFactsSchema } from '../../src/contract/facts.schema.ts';

function isTenant(facts: unknown): boolean {
  return tenantFactsSchema.safeParse(facts).success;
}

function isUser(facts: object): boolean {
  return userFactsSchema.safeParse({ id: 'ada', ...facts }).success;
}

function isAttempt(facts: unknown): boolean {
  return attemptPatchSchema.safeParse(facts).success;
}

function campaign(fields: object): unknown {
  return { campaign: fields };
}

function passkeyPolicy(fields: object): unknown {
  return { methodsPolicy: { fido2: fields } };
}

const all = { targetType: 'group', id: 'all_users' };
const app = { targetedAuthenticationMethod: 'vendorAuthenticator' };

describe('tenant facts', () => {
  /** Title, facts, and whether the schema accepts them. */
  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['R5: zero days', campaign({ snoozeDurationInDays: 0 }), true],
    ['R5: fourteen days', campaign({ snoozeDurationInDays: 14 }), true],
    ['R5: days that are not set', campaign({ snoozeDurationInDays: null }), true],
    ['R5: a day less than none', campaign({ snoozeDurationInDays: -1 }), false],
    ['R5: fifteen days', campaign({ snoozeDurationInDays: 15 }), false],
    ['R5: half a day', campaign({ snoozeDurationInDays: 0.5 }), false],
    ['R5: days as text', campaign({ snoozeDurationInDays: '1' }), false],
    ['R6: a limit that is not set', campaign({ enforceRegistrationAfterAllowedSnoozes: null }), true],
    ['R6: a limit as text', campaign({ enforceRegistrationAfterAllowedSnoozes: 'true' }), false],
    ['C1: a state that is not set', campaign({ state: null }), true],
    ['A17: a state of the console', campaign({ state: 'providerManaged' }), false],
    ['S1: everybody', campaign({ includeTargets: [{ ...all, ...app }] }), true],
    ['S1: everyone as a user', campaign({ includeTargets: [{ ...all, ...app, targetType: 'user' }] }), false],
    ['S1: a target without a method', campaign({ includeTargets: [all] }), false],
    ['S1: a target of another type', campaign({ includeTargets: [{ ...all, ...app, targetType: 'device' }] }), false],
    ['S1: a target without an id', campaign({ includeTargets: [{ targetType: 'user', id: '', ...app }] }), false],
    ['S1: an id that is no GUID', campaign({ includeTargets: [{ targetType: 'user', id: 'ada', ...app }] }), true],
    [
      'R2: two targets of one method',
      campaign({
        includeTargets: [
          { ...all, ...app },
          { targetType: 'user', id: 'ada', ...app },
        ],
      }),
      true,
    ],
    [
      'A16: two targets of two methods',
      campaign({
        includeTargets: [
          { ...all, ...app },
          { targetType: 'user', id: 'ada', targetedAuthenticationMethod: 'fido2' },
        ],
      }),
      false,
    ],
    [
      'R15: passwordless phone sign-in',
      campaign({ includeTargets: [{ ...all, targetedAuthenticationMethod: 'deviceBasedPush' }] }),
      false,
    ],
    ['S2: an excluded user', campaign({ excludeTargets: [{ targetType: 'user', id: 'ada' }] }), true],
    [
      'S2: an exclusion with a method',
      campaign({ excludeTargets: [{ targetType: 'user', id: 'ada', ...app }] }),
      false,
    ],
    ['A37: everyone excluded', campaign({ excludeTargets: [all] }), false],
    ['A37: everyone excluded in other letters', campaign({ excludeTargets: [{ ...all, id: 'All_Users' }] }), false],
    ['A37: everyone excluded as a user', campaign({ excludeTargets: [{ ...all, targetType: 'user' }] }), false],
    ['A37: everyone excluded from passkeys', passkeyPolicy({ excludeTargets: [all] }), false],
    ['A37: everyone excluded from the app', { methodsPolicy: { authenticator: { excludeTargets: [all] } } }, false],
    ['A28: an allow list of a type', passkeyPolicy({ keyRestrictions: { type: 'allow', kinds: ['keychain'] } }), true],
    [
      'A28: no restriction',
      passkeyPolicy({ keyRestrictions: null, profiles: [{ id: 'p', keyRestrictions: null }] }),
      true,
    ],
    ['A28: an allow list of nothing', passkeyPolicy({ keyRestrictions: { type: 'allow', kinds: [] } }), true],
    ['A28: a list of an unknown type', passkeyPolicy({ keyRestrictions: { type: 'allow', kinds: ['ring'] } }), false],
    ['A28: a list of another kind', passkeyPolicy({ keyRestrictions: { type: 'deny', kinds: [] } }), false],
    ['A29: a profile without an id', passkeyPolicy({ profiles: [{}] }), false],
    ['A29: a profile of another sort', passkeyPolicy({ profiles: [{ id: 'p', passkeyTypes: 'roaming' }] }), false],
    ['A14: nested groups', { groups: { team: ['staff'], staff: [] } }, true],
    ['A14: a group that is a member of no list', { groups: { team: 'staff' } }, false],
    ['A19: a switch as a number', { rollout: { method: 1 } }, false],
    ['A20: another subscription', { subscription: 'gold' }, false],
  ];

  test.for(rows)('%s: %j is accepted: %s', ([, facts, taken]) => {
    expect(isTenant(facts)).toBe(taken);
  });

  test('A14: a group may have any name, including one from the object prototype', () => {
    const facts: unknown = JSON.parse('{"groups":{"constructor":["staff"],"toString":[]}}');
    expect(Object.entries(tenantFactsSchema.parse(facts).groups)).toEqual([
      ['constructor', ['staff']],
      ['toString', []],
    ]);
  });
});

describe('user facts', () => {
  const rows: readonly (readonly [string, object, boolean])[] = [
    ['R7: a count and a time', { snooze: { count: 7, snoozedAtMs: 0 } }, true],
    ['R7: a count without a time', { snooze: { count: 2 } }, true],
    ['R7: less than no snooze', { snooze: { count: -1 } }, false],
    ['R7: half a snooze', { snooze: { count: 1.5 } }, false],
    ['R7: a time as text', { snooze: { snoozedAtMs: '2026-01-05T09:00:00Z' } }, false],
    ['R7: a time before 1970', { snooze: { snoozedAtMs: -1 } }, false],
    ['R7: the last ms of 9999', { snooze: { snoozedAtMs: 253_402_300_799_999 } }, true],
    ['R7: a time after 9999', { snooze: { snoozedAtMs: 253_402_300_800_000 } }, false],
    ['R10.1: no method', { methods: [] }, true],
    ['R10.1: an unknown method', { methods: ['fax'] }, false],
    ['R12: a passkey among the methods', { methods: ['passkey'] }, false],
    ['R12: a passkey of an unknown type', { passkeys: [{ type: 'ring' }] }, false],
    ['R12: a passkey without a type', { passkeys: [{ deviceId: 'd' }] }, false],
    ['R11.5: another kind of user', { type: 'admin' }, false],
    ['S1: an id that is empty', { id: '' }, false],
  ];

  test.for(rows)('%s: %j is accepted: %s', ([, facts, taken]) => {
    expect(isUser(facts)).toBe(taken);
  });
});

describe('attempt facts', () => {
  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['R1: nothing', {}, true],
    ['A36: an unknown platform', { os: 'unknown' }, true],
    ['R11.6: another system', { os: 'beos' }, false],
    ['A36: no browser at all', { browser: null }, true],
    ['R12: another browser', { browser: 'lynx' }, false],
    ['R13.6: another surface', { surface: 'kiosk' }, false],
    ['R3: another provider', { mfa: { provider: 'friend' } }, false],
    ['R3: an unknown method of MFA', { mfa: { method: null } }, true],
    ['R1: MFA as text', { mfa: { completed: 'yes' } }, false],
    ['R13.1: a session as a number', { ssoSession: 1 }, false],
    ['R4: a condition that is not set', { conditionalAccess: { registrationConditionMet: null } }, false],
    ['R5: a time as text', { nowMs: '0' }, false],
    ['R5: the first ms of 1970', { nowMs: 0 }, true],
    ['R5: a time before 1970', { nowMs: -1 }, false],
    ['R5: a time after 9999', { nowMs: 253_402_300_800_000 }, false],
  ];

  test.for(rows)('%s: %j is accepted: %s', ([, facts, taken]) => {
    expect(isAttempt(facts)).toBe(taken);
  });

  test.for([
    [['sms', 'voice'], 0, 'sms'],
    [['voice', 'sms'], 0, 'sms'],
    [['hardware-totp', 'voice'], 0, 'voice'],
    [['authenticator-push', 'authenticator-totp'], 0, 'authenticator-totp'],
    [['hardware-totp', 'authenticator-push'], 1, 'authenticator-push'],
    [['hardware-totp'], 1, 'hardware-totp'],
    [[], 1, 'passkey'],
    [[], 0, 'sms'],
  ] as const)('A22: a user with methods %j and %i passkeys completes MFA with %s', ([methods, passkeys, expected]) => {
    const held = new Array(passkeys).fill({ type: 'keychain', deviceId: 'd' } as const);
    expect(completeAttempt({}, { methods, passkeys: held }, 0).mfa.method).toBe(expected);
  });

  test('A36: an explicit `null` is kept instead of the default', () => {
    const attempt = completeAttempt({ browser: null, mfa: { method: null } }, { methods: ['sms'], passkeys: [] }, 9);
    expect([attempt.browser, attempt.mfa.method]).toEqual([null, null]);
  });

  test('R5: an attempt uses the given time, or else the time of the clock', () => {
    const user = { methods: [], passkeys: [] };
    expect([completeAttempt({ nowMs: 0 }, user, 9).nowMs, completeAttempt({}, user, 9).nowMs]).toEqual([0, 9]);
  });
});

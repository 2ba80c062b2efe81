import { describe, expect, it } from 'vitest';
import { type ForecastInput, forecastSchema } from '../../src/contract/forecast.schema.ts';
import { planSegments } from '../../src/forecast/segment-plan.ts';
import { officeTenant } from './descriptions.ts';

const answers = {
  skippable: [{ register: 1 }],
  required: [{ register: 1 }],
  failure: [0],
  onFailure: { retry: 0, skip: 1, close: 0 },
};
const defaults = { signIn: { weekdays: { monday: 1 } }, answers };

function planned(given: Partial<ForecastInput>, method: 'vendorAuthenticator' | 'fido2' | null = 'fido2') {
  return planSegments(forecastSchema.parse({ ...officeTenant, defaults, segments: [{}], ...given }), method);
}

describe('segments of a forecast', () => {
  it('by default, a member with SMS signs in on Windows and would register a passkey of Windows', () => {
    expect(planned({})).toEqual([
      {
        name: 'segment 1',
        share: 1,
        users: [
          {
            share: 1,
            facts: {
              id: 'user',
              type: 'member',
              groups: [],
              methods: ['sms'],
              passkeys: [],
              mfaCapable: true,
              snooze: { count: 0, snoozedAtMs: null },
            },
            snoozes: 0,
            snoozedDaysAgo: null,
          },
        ],
        kinds: [{ share: 1, patch: { deviceId: 'windows' }, passkey: { type: 'windows-bound', deviceId: 'windows' } }],
        signIn: expect.objectContaining({ weekdays: expect.objectContaining({ monday: 1 }) }),
        answers: expect.objectContaining({ failure: [0] }),
      },
    ]);
  });

  it.each([
    ['windows', 'windows-bound'],
    ['macos', 'keychain'],
    ['ios', 'keychain'],
    ['android', 'password-manager'],
    ['linux', 'security-key'],
    ['unknown', 'security-key'],
  ] as const)('R12: a user on %s registers a passkey of the type %s', (os, type) => {
    const [segment] = planned({ defaults: { ...defaults, platforms: [{ os }] } });
    expect(segment?.kinds).toEqual([{ share: 1, patch: { os, deviceId: os }, passkey: { type, deviceId: os } }]);
  });

  it('R12: the passkey and the device of a platform are used if they are specified', () => {
    const platforms = [{ os: 'ios' as const, passkey: 'security-key' as const, deviceId: 'phone' }];
    const [segment] = planned({ defaults: { ...defaults, platforms } });
    expect(segment?.kinds).toEqual([
      { share: 1, patch: { os: 'ios', deviceId: 'phone' }, passkey: { type: 'security-key', deviceId: 'phone' } },
    ]);
  });

  it('every platform is combined with every sign-in context, with the product of their shares', () => {
    const platforms = [
      { share: 0.75, os: 'windows' as const },
      { share: 0.25, os: 'linux' as const },
    ];
    const signInContexts = [{ share: 0.5 }, { share: 0.5, ssoSession: true }];
    const [segment] = planned({ defaults: { ...defaults, platforms, signInContexts } });
    expect(segment?.kinds.map(({ share, patch }) => [share, patch.os, patch.ssoSession ?? false])).toEqual([
      [0.375, 'windows', false],
      [0.375, 'windows', true],
      [0.125, 'linux', false],
      [0.125, 'linux', true],
    ]);
  });

  it('a segment has its own name, share, users and actions, and otherwise the defaults', () => {
    const own = { ...answers, failure: [0.5] };
    const users = [
      { share: 0.5, methods: ['voice'], passkeys: ['keychain'], snooze: { count: 2, daysAgo: 4 } },
      { share: 0.5, type: 'guest' },
    ] as const;
    const segments = [
      { name: 'field', share: 0.25, answers: { vendorAuthenticator: answers, fido2: own } },
      { share: 0.75, users },
    ];
    const given = { segments } as unknown as Partial<ForecastInput>;
    const [field, second] = planned(given);
    expect(field).toMatchObject({ name: 'field', share: 0.25, answers: { failure: [0.5] } });
    expect(second).toMatchObject({ name: 'segment 2', share: 0.75, answers: { failure: [0] } });
    expect(second?.users[0]).toMatchObject({
      share: 0.5,
      facts: { methods: ['voice'], passkeys: [{ type: 'keychain', deviceId: 'device-1' }], snooze: { count: 0 } },
      snoozes: 2,
      snoozedDaysAgo: 4,
    });
    expect(second?.users[1]?.facts.type).toBe('guest');
    expect(planned(given, 'vendorAuthenticator')[0]?.answers.failure).toEqual([0]);
    expect(planned(given, null)[0]?.answers.failure).toEqual([0]);
  });
});

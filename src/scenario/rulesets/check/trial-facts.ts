import type { KeptFacts, OwnFacts } from '../../../../machines/own/own-facts.ts';
import type { FactValue } from '../../../../machines/own/own-ruleset.ts';
import type { PasskeyType } from '../../../../machines/vocabulary.ts';

/** Facts before any value is set. Each fact that a formula reads gets a value before it is evaluated. */
function createFacts(): OwnFacts {
  return {
    tenant: { id: 'tenant-1', subscription: 'paid', facts: {}, settings: {} },
    user: { id: 'user-1', type: 'member', groups: [], methods: [], passkeys: [], mfaCapable: true, facts: {} },
    attempt: {
      id: 'sign-in-1',
      kind: 'signIn',
      sessionId: 'session-1',
      browserId: 'browser-1',
      os: 'windows',
      browser: 'chrome',
      surface: 'browser',
      deviceId: 'device-1',
      mfa: { completed: true, provider: 'service', method: 'sms' },
      ssoSession: false,
      registeredThisSession: false,
      conditionalAccess: { registrationPageBlocked: false, registrationConditionMet: true },
      termsOfUse: false,
      customControls: false,
      nowMs: usualNowMs,
      facts: {},
    },
    kept: {
      createdAtMs: usualNowMs,
      signIns: 1,
      previousSignInAtMs: null,
      signInTimesMs: [],
      shown: 0,
      firstShownAtMs: null,
      lastShownAtMs: null,
      answeredAtMs: null,
      doneAtMs: null,
    },
  };
}

/** Time of the attempt where no condition depends on it: that of the start of a scenario, 2026-01-05T09:00Z. */
export const usualNowMs = 1_767_603_600_000;

const keptKeys: Readonly<Record<string, keyof KeptFacts>> = {
  createdAt: 'createdAtMs',
  previousSignInAt: 'previousSignInAtMs',
  firstShownAt: 'firstShownAtMs',
  lastShownAt: 'lastShownAtMs',
  answeredAt: 'answeredAtMs',
  doneAt: 'doneAtMs',
};

/** Facts whose values a search sets one by one. */
export class TrialFacts {
  readonly facts = createFacts();

  /** Sets the fact of a path. */
  set(path: string, value: FactValue): void {
    const parts = path.split('.');
    const [group = '', name = ''] = parts;
    let holder = this.facts as unknown as Record<string, unknown>;
    for (const part of parts.slice(0, -1)) holder = holder[part] as Record<string, unknown>;
    if (path === 'user.passkeys') holder['passkeys'] = toPasskeys(value);
    else if (group === 'kept') holder[keptKeys[name] ?? name] = value;
    else holder[parts.at(-1) ?? ''] = value;
  }
}

function toPasskeys(value: FactValue): OwnFacts['user']['passkeys'] {
  const types = Array.isArray(value) ? (value as readonly PasskeyType[]) : [];
  return types.map((type) => ({ type, deviceId: 'device-1' }));
}

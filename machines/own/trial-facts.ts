import type { PasskeyType } from '../vocabulary.ts';
import type { KeptFacts, OwnFacts } from './own-facts.ts';
import type { FactValue } from './own-ruleset.ts';

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
      deadlineFromMs: null,
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
    setFact(this.facts, path, value);
  }
}

function setFact(facts: object, path: string, value: FactValue): void {
  const parts = path.split('.');
  const [group = '', name = ''] = parts;
  let holder = facts as Record<string, unknown>;
  for (const part of parts.slice(0, -1)) holder = holder[part] as Record<string, unknown>;
  if (path === 'user.passkeys') holder['passkeys'] = toPasskeys(value);
  else if (group === 'kept') holder[keptKeys[name] ?? name] = value;
  else holder[parts.at(-1) ?? ''] = value;
}

/** Returns a copy of facts with other values by path. */
export function withFacts<Facts extends object>(facts: Facts, values: ReadonlyMap<string, FactValue>): Facts {
  const copy = structuredClone(facts);
  for (const [path, value] of values) setFact(copy, path, value);
  return copy;
}

function toPasskeys(value: FactValue): OwnFacts['user']['passkeys'] {
  const types = Array.isArray(value) ? (value as readonly PasskeyType[]) : [];
  return types.map((type) => ({ type, deviceId: 'device-1' }));
}

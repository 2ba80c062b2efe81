import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { datelessRulesets as rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { completeFacts } from '../../src/contract/attempt-facts.ts';
import { factsSchema } from '../../src/contract/facts.schema.ts';
import { nonEmpty } from '../non-empty.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Facts with every key of the fixed shape and without any default value. Written by hand. */
const everyKey = {
  ruleset: '2026-09',
  tenant: {
    id: 'north',
    subscription: 'trial',
    campaign: {
      state: 'enabled',
      snoozeDurationInDays: 14,
      enforceRegistrationAfterAllowedSnoozes: false,
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
      excludeTargets: [{ targetType: 'user', id: 'u9' }],
    },
    rollout: { method: true, snoozeDays: true, snoozeLimit: true, targeting: true },
    methodsPolicy: {
      authenticator: {
        state: 'disabled',
        includeTargets: [{ targetType: 'user', id: 'u1', authenticationMode: 'deviceBasedPush' }],
        excludeTargets: [{ targetType: 'group', id: 'g9' }],
      },
      fido2: {
        state: 'disabled',
        selfService: false,
        keyRestrictions: { type: 'allow', kinds: ['keychain'] },
        includeTargets: [{ targetType: 'group', id: 'g1', profiles: ['p1'] }],
        excludeTargets: [{ targetType: 'user', id: 'u9' }],
        profiles: [
          {
            id: 'p1',
            passkeyTypes: 'synced',
            attestationEnforced: true,
            keyRestrictions: { type: 'block', kinds: ['security-key'] },
          },
        ],
      },
    },
    groups: { g1: ['g2', 'g3'] },
    options: { strictDevice: true },
  },
  user: {
    id: 'u1',
    type: 'guest',
    groups: ['g1'],
    methods: ['sms', 'voice'],
    passkeys: [{ type: 'handset-vendor', deviceId: 'phone-1' }],
    mfaCapable: false,
    snooze: { count: 2, snoozedAtMs: 5 },
  },
  attempt: {
    os: 'macos',
    browser: 'safari',
    surface: 'native-app',
    deviceId: 'mac-1',
    mfa: { completed: false, provider: 'external', method: 'passkey' },
    ssoSession: true,
    registeredThisSession: true,
    conditionalAccess: { registrationPageBlocked: true, registrationConditionMet: false },
    termsOfUse: true,
    customControls: true,
    nowMs: 7,
  },
} as const;

/** Facts with all defaults of the specification and the project. Written by hand. */
const defaults = {
  tenant: {
    id: 'tenant',
    subscription: 'paid',
    campaign: {
      state: null,
      snoozeDurationInDays: null,
      enforceRegistrationAfterAllowedSnoozes: null,
      includeTargets: [],
      excludeTargets: [],
    },
    rollout: { method: false, snoozeDays: false, snoozeLimit: false, targeting: false },
    methodsPolicy: {
      authenticator: {
        state: 'enabled',
        includeTargets: [{ targetType: 'group', id: 'all_users', authenticationMode: 'any' }],
        excludeTargets: [],
      },
      fido2: {
        state: 'enabled',
        selfService: true,
        keyRestrictions: null,
        includeTargets: [{ targetType: 'group', id: 'all_users', profiles: [] }],
        excludeTargets: [],
        profiles: [],
      },
    },
    groups: {},
    options: { strictDevice: false },
  },
  user: {
    id: 'u1',
    type: 'member',
    groups: [],
    methods: ['sms'],
    passkeys: [],
    mfaCapable: true,
    snooze: { count: 0, snoozedAtMs: null },
  },
  attempt: {
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
    nowMs: 0,
  },
} as const;

/** Lists the path of every object in a JSON value. The root has the empty path. */
function objectsIn(value: Json, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) =>
    objectsIn(child as Json, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? below : [path, ...below];
}

/** Copies the facts and changes the object at a path. */
function withObjectAt(path: readonly (string | number)[], change: (object: Record<string, unknown>) => void): unknown {
  const copy = structuredClone(everyKey) as unknown as Record<string, unknown>;
  let at: unknown = copy;
  for (const key of path) at = (at as Record<string | number, unknown>)[key];
  change(at as Record<string, unknown>);
  return copy;
}

describe('fixed names of facts', () => {
  test('facts-invalid: every key of the shape is accepted and its value is kept', () => {
    const { facts, ruleset } = completeFacts(factsSchema.parse(everyKey));
    expect({ ruleset, ...facts }).toEqual(everyKey);
  });

  // The keys of `groups` are ids, not names.
  const objects = objectsIn(everyKey).filter((path) => path.at(-1) !== 'groups');

  test.for(nonEmpty(objects))('facts-invalid: an unknown key in %j is rejected', (path) => {
    const given = withObjectAt(path, (object) => Object.assign(object, { surprise: 1 }));
    expect(factsSchema.safeParse(given).success).toBe(false);
  });

  const keys = objects.flatMap((path) => {
    let at: unknown = everyKey;
    for (const key of path) at = (at as Record<string | number, unknown>)[key];
    return Object.keys(at as object).map((key) => ({ path, key }));
  });

  test.for(nonEmpty(keys))(
    'facts-invalid: $key in $path is case-sensitive and rejected in capitals',
    ({ path, key }) => {
      const given = withObjectAt(path, (object) => {
        object[key.toUpperCase()] = object[key];
        delete object[key];
      });
      expect(factsSchema.safeParse(given).success).toBe(false);
    },
  );
});

describe('defaults of facts', () => {
  test('facts-invalid: facts without a user id are rejected', () => {
    expect(factsSchema.safeParse({}).success).toBe(false);
    expect(factsSchema.safeParse({ user: {} }).success).toBe(false);
  });

  test('A17: missing facts get their defaults', () => {
    const { facts, ruleset } = completeFacts(factsSchema.parse({ user: { id: 'u1' } }));
    expect(facts).toEqual(defaults);
    expect(ruleset).toBeUndefined();
  });

  const parts = [
    ['tenant', ['id', 'subscription', 'campaign', 'rollout', 'methodsPolicy', 'groups', 'options']],
    ['user', ['type', 'groups', 'methods', 'passkeys', 'mfaCapable', 'snooze']],
    [
      'attempt',
      ['os', 'browser', 'surface', 'deviceId', 'mfa', 'ssoSession', 'registeredThisSession', 'conditionalAccess'],
    ],
    ['attempt', ['termsOfUse', 'customControls', 'nowMs']],
  ] as const;

  test.for(nonEmpty(parts.flatMap(([part, names]) => names.map((name) => [part, name] as const))))(
    'facts-invalid: %s.%s may be omitted on its own and gets its default',
    ([part, name]) => {
      const given = withObjectAt([part], (object) => {
        delete object[name];
      });
      const { facts } = completeFacts(factsSchema.parse(given));
      const kept = structuredClone(everyKey[part]) as unknown as Record<string, unknown>;
      const byDefault = (defaults[part] as unknown as Record<string, unknown>)[name];
      expect(facts[part]).toEqual({ ...kept, [name]: byDefault });
    },
  );

  test('facts-invalid: parts of nested objects may be omitted', () => {
    const given = {
      tenant: {
        campaign: { state: 'enabled' },
        rollout: { method: true },
        methodsPolicy: { fido2: { selfService: false, profiles: [{ id: 'p' }] } },
      },
      user: { id: 'u1', passkeys: [{ type: 'keychain' }], snooze: { count: 1 } },
      attempt: { mfa: { provider: 'external' }, conditionalAccess: { registrationPageBlocked: true } },
    };
    const { facts } = completeFacts(factsSchema.parse(given));
    expect(facts).toMatchObject({
      tenant: {
        campaign: { ...defaults.tenant.campaign, state: 'enabled' },
        rollout: { ...defaults.tenant.rollout, method: true },
        methodsPolicy: {
          authenticator: defaults.tenant.methodsPolicy.authenticator,
          fido2: {
            selfService: false,
            profiles: [{ id: 'p', passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null }],
          },
        },
      },
      user: { passkeys: [{ type: 'keychain', deviceId: 'device-1' }], snooze: { count: 1, snoozedAtMs: null } },
      attempt: {
        mfa: { completed: true, provider: 'external', method: 'sms' },
        conditionalAccess: { registrationPageBlocked: true, registrationConditionMet: true },
      },
    });
  });
});

describe('fixed names of verdicts', () => {
  const verdicts = [...rulesets.values()].map((ruleset) => ({
    ruleset,
    verdict: evaluate(completeFacts(factsSchema.parse(everyKey)).facts, ruleset),
  }));

  test.for(nonEmpty(verdicts))(
    'C1: a verdict of ruleset $ruleset.id has the names of the fixed shape',
    ({ ruleset, verdict }) => {
      expect(Object.keys(verdict)).toEqual(
        expect.arrayContaining(['ruleset', 'outcome', 'reason', 'rules', 'warnings']),
      );
      expect(verdict).toMatchObject({ ruleset: ruleset.id, outcome: 'none', reason: expect.any(String), warnings: [] });
    },
  );

  test.for(nonEmpty(verdicts))(
    'C1: each rule result of ruleset $ruleset.id has id, outcome and evaluated facts, and a reason if it stopped',
    ({ verdict }) => {
      for (const trace of nonEmpty(verdict.rules)) {
        const names = trace.outcome === 'stopped' ? ['id', 'outcome', 'reason', 'saw'] : ['id', 'outcome', 'saw'];
        expect(Object.keys(trace).sort()).toEqual(names);
        expect(['met', 'stopped', 'not-applicable']).toContain(trace.outcome);
      }
    },
  );

  test('R6: outcomes are none, skippable and required, and the reason is null without a stop', () => {
    const facts = (count: number) => ({
      tenant: { campaign: { ...everyKey.tenant.campaign, enforceRegistrationAfterAllowedSnoozes: true } },
      user: { id: 'u1', snooze: { count } },
    });
    const outcomes = [0, 3].flatMap((count) =>
      [...rulesets.values()].map((ruleset): Pick<Verdict, 'outcome' | 'reason'> => {
        const { outcome, reason } = evaluate(completeFacts(factsSchema.parse(facts(count))).facts, ruleset);
        return { outcome, reason };
      }),
    );
    expect(outcomes).toEqual([
      { outcome: 'skippable', reason: null },
      { outcome: 'skippable', reason: null },
      { outcome: 'required', reason: null },
      { outcome: 'required', reason: null },
    ]);
  });
});

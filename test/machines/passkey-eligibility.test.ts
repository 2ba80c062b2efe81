import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import {
  type EligibilityEvent,
  type EligibilityState,
  passkeyEligibility,
  passkeyEligibilityMachine,
} from '../../machines/passkey-eligibility.machine.ts';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { datelessRulesets as rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import { createStepper } from '../../machines/step.ts';
import { type Facts, type PasskeyType, passkeyTypes, type Ruleset } from '../../machines/vocabulary.ts';
import { findDifference } from './difference.ts';
import { anyFacts, tenantFacts } from './facts-arbitrary.ts';
import { asIs, type Change, changed, enabledFacts, hasProfiles, holdsPasskey, managedFacts } from './facts-builder.ts';
import { expectAlways, expectFoundOut, propertySeed } from './property.ts';

const step = createStepper(passkeyEligibilityMachine, { facts: enabledFacts('fido2'), ruleset: seedRuleset });

/** Creates a snapshot of the machine for the given facts. */
function standing(facts: Facts, ruleset: Ruleset = seedRuleset) {
  const context = { facts, ruleset };
  return passkeyEligibilityMachine.resolveState({ value: passkeyEligibility(context), context });
}

function registered(type: PasskeyType, deviceId = 'device-1'): EligibilityEvent {
  return { type: 'passkey.registered', passkey: { type, deviceId } };
}

function policy(facts: Facts, change: Change): EligibilityEvent {
  return { type: 'policy.changed', tenant: changed(facts, change).tenant };
}

describe('Device-and-browser passkey eligibility', () => {
  /** Fact changes by row, with the expected state. */
  const rows: readonly (readonly [string, EligibilityState, Change])[] = [
    ['a member on Windows with Chrome', 'eligible', asIs],
    ['an iOS native app', 'eligible', ({ attempt }) => Object.assign(attempt, { os: 'ios', surface: 'native-app' })],
    ['a passkey of another platform', 'eligible', holdsPasskey('keychain')],
    ['a guest', 'notSupported', ({ user }) => Object.assign(user, { type: 'guest' })],
    ['Linux', 'notSupported', ({ attempt }) => Object.assign(attempt, { os: 'linux' })],
    ['an unknown platform', 'notSupported', ({ attempt }) => Object.assign(attempt, { os: 'unknown' })],
    [
      'an Android native app',
      'notSupported',
      ({ attempt }) => Object.assign(attempt, { os: 'android', surface: 'native-app' }),
    ],
    ['an out-of-box experience', 'notSupported', ({ attempt }) => Object.assign(attempt, { surface: 'oobe' })],
    [
      'a disabled method',
      'notAllowed',
      ({ tenant }) => Object.assign(tenant.methodsPolicy.fido2, { state: 'disabled' }),
    ],
    [
      'self-service off',
      'notAllowed',
      ({ tenant }) => Object.assign(tenant.methodsPolicy.fido2, { selfService: false }),
    ],
    ['Windows Hello', 'localPasskey', holdsPasskey('windows-hello-for-business')],
    ['a security key', 'localPasskey', holdsPasskey('security-key', 'key-1')],
  ];

  test.for(rows)('R11: %s is %s', ([, state, change]) => {
    expect(passkeyEligibility({ facts: enabledFacts('fido2', change), ruleset: seedRuleset })).toBe(state);
  });

  test('R11.7: a restricted profile is not allowed in a provider-managed campaign, and has no effect in an enabled one', () => {
    const restricted = hasProfiles({ passkeyTypes: 'synced', attestationEnforced: false, keyRestrictions: null });
    expect(
      [managedFacts('fido2', restricted), enabledFacts('fido2', restricted)].map((facts) => standing(facts).value),
    ).toEqual(['notAllowed', 'eligible']);
  });

  test('R11.3: registering a local passkey changes the state, and removing all of them changes it back', () => {
    const before = standing(enabledFacts('fido2'));
    const holding = step(before, registered('windows-bound'));
    const removed = step(holding, { type: 'passkeys.removed' });
    expect([before, holding, removed].map(({ value }) => value)).toEqual(['eligible', 'localPasskey', 'eligible']);
    expect(removed.context.facts.user.passkeys).toEqual([]);
  });

  test('R11.3: registering a passkey of another platform leaves this combination eligible', () => {
    const moved = step(standing(enabledFacts('fido2')), registered('keychain'));
    expect(moved.value).toBe('eligible');
    expect(moved.context.facts.user.passkeys).toEqual([{ type: 'keychain', deviceId: 'device-1' }]);
  });

  test('R11.3: the same user is eligible on one platform and not on another', () => {
    const onMac: Change = ({ attempt }) => Object.assign(attempt, { os: 'macos', browser: 'safari' });
    const facts = enabledFacts('fido2', holdsPasskey('windows-hello-for-business'));
    expect([standing(facts).value, standing(changed(facts, onMac)).value]).toEqual(['localPasskey', 'eligible']);
  });

  test('R11.1: a policy change changes the state and reverts it, and the user’s passkeys are unaffected', () => {
    const facts = enabledFacts('fido2', holdsPasskey('security-key'));
    const off = step(
      standing(facts),
      policy(facts, ({ tenant }) => Object.assign(tenant.methodsPolicy.fido2, { state: 'disabled' })),
    );
    const on = step(off, policy(facts, asIs));
    expect([off.value, on.value]).toEqual(['notAllowed', 'localPasskey']);
  });

  test('A9: with strictDevice, a passkey created on another device does not affect the combination', () => {
    const facts = enabledFacts('fido2', holdsPasskey('windows-bound', 'device-2'));
    const strict = policy(facts, ({ tenant }) => Object.assign(tenant.options, { strictDevice: true }));
    expect([standing(facts).value, step(standing(facts), strict).value]).toEqual(['localPasskey', 'eligible']);
  });
});

describe('Agreement of machine and evaluator', () => {
  const events: fc.Arbitrary<EligibilityEvent> = fc.oneof(
    fc
      .record({ type: fc.constantFrom(...passkeyTypes), deviceId: fc.constantFrom('device-1', 'device-2') })
      .map((passkey): EligibilityEvent => ({ type: 'passkey.registered', passkey })),
    fc.constant<EligibilityEvent>({ type: 'passkeys.removed' }),
    tenantFacts.map((tenant): EligibilityEvent => ({ type: 'policy.changed', tenant })),
  );
  const runs = fc.record({
    facts: anyFacts,
    ruleset: fc.constantFrom(...rulesets.values()),
    taken: fc.array(events, { maxLength: 4 }),
  });

  /** Gates that the machine covers, by the state that their stop leads to. */
  const gates: readonly (readonly [EligibilityState, readonly string[]])[] = [
    ['notSupported', ['R13.6', 'R11.4', 'R11.6', 'R11.9', 'R11.5']],
    ['notAllowed', ['R11.1', 'R11.2', 'R11.7']],
    ['localPasskey', ['R11.3']],
  ];

  /** Returns the state that corresponds to the verdict of a passkey campaign, or `null` for another campaign. */
  function stateIn(facts: Facts, ruleset: Ruleset): EligibilityState | null {
    const { campaign, rules } = evaluate(facts, ruleset);
    if (campaign.method !== 'fido2') return null;
    const stopped = rules.filter(({ outcome }) => outcome === 'stopped').map(({ id }) => String(id));
    return gates.find(([, ids]) => ids.some((id) => stopped.includes(id)))?.[0] ?? 'eligible';
  }

  type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

  function differs({ facts, ruleset, taken }: Run, count = taken.length): string | null {
    const end = taken.slice(0, count).reduce(step, standing(facts, ruleset));
    const evaluated = stateIn(taken.reduce(step, standing(facts, ruleset)).context.facts, ruleset);
    return evaluated === null ? null : findDifference(end.value, evaluated, 'state');
  }

  test('R11, R12: after any registrations, removals and policy changes, the machine matches the evaluator', () => {
    expectAlways(runs, (run) => differs(run), 1500);
  });

  test('R11 canary: a machine that misses the last event is detected', () => {
    expectFoundOut(runs, (run) => differs(run, run.taken.length - 1), 1500);
  });

  test('R11: random runs end in every state', () => {
    const ends = fc
      .sample(runs, { seed: propertySeed, numRuns: 500 })
      .map(({ facts, ruleset, taken }) => taken.reduce(step, standing(facts, ruleset)).value);
    expect([...new Set(ends)].sort()).toEqual(['eligible', 'localPasskey', 'notAllowed', 'notSupported']);
  });
});

import { expect, test } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { EvaluatedFacts, ReasonCode } from '../../machines/vocabulary.ts';
import { nonEmpty } from '../non-empty.ts';
import { asIs, enabledFacts, managedFacts, nowMs } from './facts-builder.ts';
import { orderTables } from './tables/order.ts';

/** Evaluated facts of the gate that stops with each reason, as triggered by the rows of the order tables. */
const saw: Readonly<Record<Exclude<ReasonCode, 'method-not-enabled'>, EvaluatedFacts>> = {
  'campaign-disabled': { state: 'disabled' },
  'not-included': { includeTargets: 1 },
  excluded: { target: { targetType: 'user', id: 'ada' } },
  'not-voice-or-sms': { targetingRolledOut: false, methods: [] },
  'not-mfa-capable': { targetingRolledOut: true, mfaCapable: false },
  'sso-session': { ssoSession: true },
  'mfa-not-completed': { completed: false },
  'external-mfa': { provider: 'external' },
  'mfa-not-voice-or-sms': { method: 'hardware-totp' },
  'registered-this-session': { registeredThisSession: true },
  'registration-blocked': { registrationPageBlocked: true },
  'registration-condition-unmet': { registrationConditionMet: false },
  'terms-of-use': { termsOfUse: true },
  'custom-controls': { customControls: true },
  'unsupported-surface': { surface: 'oobe' },
  'mobile-not-supported': { os: 'ios' },
  'native-android': { os: 'android', surface: 'native-app' },
  linux: { os: 'linux' },
  'unknown-platform': { os: 'unknown' },
  guest: { type: 'guest' },
  'mode-passwordless': { modes: ['deviceBasedPush'] },
  'self-service-off': { selfService: false },
  'restricted-profile': { profiles: [{ id: 'shut', passes: false }] },
  'already-registered': { methods: ['sms', 'authenticator-push'] },
  'local-passkey': { platform: 'windows-chrome', passkeys: ['security-key'], suppressedBy: 'security-key' },
  snoozed: { snoozedAtMs: nowMs, elapsedMs: 0, snoozeDays: 1 },
};

/** First table that contains each reason. */
const rows = orderTables.flatMap((table, index) =>
  table.stops
    .filter(
      ({ reason }) => !orderTables.slice(0, index).some(({ stops }) => stops.some((stop) => stop.reason === reason)),
    )
    .map((stop) => ({ ...table, ...stop })),
);

test.for(nonEmpty(rows))(
  '$reason: its gate reports the evaluated facts',
  ({ reason, provoke, method, managed, ruleset }) => {
    const evaluated = rulesets.get(ruleset);
    const facts = managed ? managedFacts(method, provoke) : enabledFacts(method, provoke);
    const trace = evaluated && evaluate(facts, evaluated).rules.find(({ outcome }) => outcome === 'stopped');
    expect(trace?.saw).toEqual(
      reason === 'method-not-enabled' ? { state: 'disabled', included: true, excluded: false } : saw[reason],
    );
  },
);

test.for([
  ['S1', { target: { targetType: 'group', id: 'all_users' } }],
  ['S2', { excludeTargets: 0 }],
  ['S3', { state: 'enabled' }],
  ['R10.2', { state: 'enabled', included: true, excluded: false }],
  ['R10.3', { modes: ['any'] }],
  ['R11.3', { targetedMethod: 'vendorAuthenticator' }],
  ['R5', { snoozedAtMs: null }],
] as const)('%s: a gate that is met or not applicable also reports its evaluated facts: %j', ([gate, seen]) => {
  const [seed] = rulesets.values();
  const trace = seed && evaluate(enabledFacts('vendorAuthenticator', asIs), seed).rules.find(({ id }) => id === gate);
  expect(trace?.saw).toEqual(seen);
});

test('R3, M1: without MFA they report that there was no second factor', () => {
  const facts = enabledFacts('vendorAuthenticator', ({ attempt }) => {
    attempt.mfa.completed = false;
  });
  const september = rulesets.get('2026-09');
  const traces = september && evaluate(facts, september).rules.filter(({ id }) => id === 'R3' || id === 'M1');
  expect(traces).toEqual([
    { id: 'R3', outcome: 'not-applicable', saw: { completed: false } },
    { id: 'M1', outcome: 'not-applicable', saw: { completed: false } },
  ]);
});

import {
  type EligibilityEvent,
  passkeyEligibility,
  passkeyEligibilityMachine,
} from '../../../machines/passkey-eligibility.machine.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { Passkey, TenantFacts } from '../../../machines/vocabulary.ts';
import type { Invariant, Model } from '../../compiled/model.ts';
import { givenFacts } from './given-facts.ts';

type EligibilityMachine = typeof passkeyEligibilityMachine;

/** Passkeys of both types, for this system and for others, created on this device and on another one. */
const passkeys: readonly Passkey[] = [
  { type: 'windows-hello-for-business', deviceId: 'device-1' },
  { type: 'password-manager', deviceId: 'device-1' },
  { type: 'keychain', deviceId: 'device-1' },
  { type: 'security-key', deviceId: 'device-1' },
  { type: 'security-key', deviceId: 'device-2' },
  { type: 'authenticator-app', deviceId: 'device-2' },
];

const policies: readonly TenantFacts[] = [
  {},
  { state: 'disabled' },
  { selfService: false },
  {
    includeTargets: [{ targetType: 'group', id: 'all_users', profiles: ['restricted'] }],
    profiles: [{ id: 'restricted', keyRestrictions: { type: 'allow', kinds: ['security-key'] } }],
  },
].map((fido2) => factsUnder(fido2).tenant);

const events: readonly EligibilityEvent[] = [
  ...passkeys.map((passkey) => ({ type: 'passkey.registered' as const, passkey })),
  { type: 'passkeys.removed' },
  ...policies.map((tenant) => ({ type: 'policy.changed' as const, tenant })),
];

const invariants: readonly Invariant<EligibilityMachine>[] = [
  {
    id: 'passkey-eligibility.state-is-judged',
    sentence: 'The state matches the result of the rules for the facts (R11).',
    of: 'state',
    holds: ({ value, context }) => value === passkeyEligibility(context),
  },
  {
    id: 'passkey-eligibility.none-left-none-local',
    sentence: 'A user without passkeys has no local passkey for this device and browser (R11.3).',
    of: 'state',
    holds: ({ value, context }) => value !== 'localPasskey' || context.facts.user.passkeys.length > 0,
  },
  {
    id: 'passkey-eligibility.policy-comes-first',
    sentence: 'While the passkey policy is off, no user is eligible (R11.1).',
    of: 'state',
    holds: ({ value, context }) =>
      context.facts.tenant.methodsPolicy.fido2.state !== 'disabled' ||
      value === 'notAllowed' ||
      value === 'notSupported',
  },
];

function factsUnder(fido2: object) {
  const tenant = {
    campaign: {
      state: 'enabled',
      includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' }],
    },
    methodsPolicy: { fido2 },
  };
  return givenFacts({ tenant, user: { id: 'ada' } });
}

/**
 * Model of a user on Chrome on Windows with any subset of some passkeys under four policies. The passkeys form a set:
 * duplicates and order make no difference and would make the state space infinite.
 */
export const eligibilityModel: Model<EligibilityMachine> = {
  name: 'passkey-eligibility',
  machine: passkeyEligibilityMachine,
  input: { facts: factsUnder({}), ruleset: seedRuleset },
  events,
  serialize: ({ value, context: { facts } }) =>
    JSON.stringify([value, facts.user.passkeys, facts.tenant.methodsPolicy.fido2]),
  normalize: (state) => {
    const { facts } = state.context;
    const held = facts.user.passkeys.map((passkey) => JSON.stringify(passkey));
    const asSet = passkeys.filter((passkey) => held.includes(JSON.stringify(passkey)));
    return { ...state, context: { ...state.context, facts: { ...facts, user: { ...facts.user, passkeys: asSet } } } };
  },
  invariants,
};

import { assign, setup } from 'xstate';
import { deriveGateFacts, evaluateGate } from './evaluate.ts';
import { getRule } from './rules/rule-registry.ts';
import type { Facts, GateId, Passkey, Ruleset, TenantFacts } from './vocabulary.ts';

/** Context of a user on a specific device and browser, with the policy that controls passkeys there. */
export interface EligibilityContext {
  readonly facts: Facts;
  readonly ruleset: Ruleset;
}

export type EligibilityEvent =
  | { readonly type: 'passkey.registered'; readonly passkey: Passkey }
  | { readonly type: 'passkeys.removed' }
  | { readonly type: 'policy.changed'; readonly tenant: TenantFacts };

const platformGates: readonly GateId[] = ['R13.6', 'R11.4', 'R11.6', 'R11.9', 'R11.5'];
const policyGates: readonly GateId[] = ['R11.1', 'R11.2', 'R11.7'];
const passkeyGates: readonly GateId[] = ['R11.3'];

/** Returns the facts after an event. The guards use them, because guards run before the assignment. */
function factsAfter(facts: Facts, event: EligibilityEvent): Facts {
  switch (event.type) {
    case 'passkey.registered':
      return { ...facts, user: { ...facts.user, passkeys: [...facts.user.passkeys, event.passkey] } };
    case 'passkeys.removed':
      return { ...facts, user: { ...facts.user, passkeys: [] } };
    case 'policy.changed':
      return { ...facts, tenant: event.tenant };
  }
}

/**
 * Returns true if one of the gates stops a passkey campaign for these facts. The gates are the single source of
 * this logic.
 */
function oneStops(gates: readonly GateId[], facts: Facts, ruleset: Ruleset): boolean {
  const derived = deriveGateFacts(facts, ruleset);
  const passkeyCampaign = { ...derived, campaign: { ...derived.campaign, method: 'fido2' as const } };
  return gates.some((id) => evaluateGate(getRule(id), passkeyCampaign, ruleset).outcome === 'stopped');
}

export type EligibilityState = 'eligible' | 'notSupported' | 'notAllowed' | 'localPasskey';

/**
 * Computes the eligibility of a user for a passkey campaign on a platform, which is the initial state of the
 * machine. The first state that applies is returned: `notSupported` (platform, surface or guest), `notAllowed`
 * (policy or profile), `localPasskey` (a passkey for this combination) or `eligible`.
 */
export function passkeyEligibility({ facts, ruleset }: EligibilityContext): EligibilityState {
  if (oneStops(platformGates, facts, ruleset)) return 'notSupported';
  if (oneStops(policyGates, facts, ruleset)) return 'notAllowed';
  return oneStops(passkeyGates, facts, ruleset) ? 'localPasskey' : 'eligible';
}

const eligibilitySetup = setup({
  types: {
    context: {} as EligibilityContext,
    events: {} as EligibilityEvent,
    input: {} as EligibilityContext,
  },
  guards: {
    becomesNotSupported: ({ context, event }) => after(context, event) === 'notSupported',
    becomesNotAllowed: ({ context, event }) => after(context, event) === 'notAllowed',
    becomesLocalPasskey: ({ context, event }) => after(context, event) === 'localPasskey',
  },
  actions: {
    takeEffect: assign(({ context, event }) => ({ facts: factsAfter(context.facts, event) })),
  },
});

function after(context: EligibilityContext, event: EligibilityEvent): EligibilityState {
  return passkeyEligibility({ ...context, facts: factsAfter(context.facts, event) });
}

const move = [
  { guard: 'becomesNotSupported', target: '.notSupported', actions: 'takeEffect' },
  { guard: 'becomesNotAllowed', target: '.notAllowed', actions: 'takeEffect' },
  { guard: 'becomesLocalPasskey', target: '.localPasskey', actions: 'takeEffect' },
  { target: '.eligible', actions: 'takeEffect' },
] as const;

/**
 * State machine of the passkey eligibility of one user on one device and browser (R11). Registration, removal and
 * policy changes trigger transitions. The initial state is `eligible`. Use `passkeyEligibility` with `resolveState`
 * for the state of a given context.
 */
export const passkeyEligibilityMachine = eligibilitySetup.createMachine({
  id: 'passkeyEligibility',
  context: ({ input }) => input,
  initial: 'eligible',
  on: { 'passkey.registered': move, 'passkeys.removed': move, 'policy.changed': move },
  states: {
    eligible: { meta: { page: 'prompt', rules: ['R11.1', 'R11.2', 'R11.3'] } },
    notSupported: { meta: { page: 'not-nudged', rules: ['R11.4', 'R11.5', 'R11.6', 'R11.9', 'R13.6'] } },
    notAllowed: { meta: { page: 'not-nudged', rules: ['R11.1', 'R11.2', 'R11.7'] } },
    localPasskey: { meta: { page: 'not-nudged', rules: ['R11.3', 'R12'] } },
  },
});

import type { CampaignContext } from '../../../machines/campaign.machine.ts';
import { dayMs } from '../../../machines/campaign-limits.ts';
import { evaluate } from '../../../machines/evaluate.ts';
import type { EffectivePolicy, NudgeEvent } from '../../../machines/nudge.machine.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { Facts, Ruleset, TargetedMethod, TenantFacts } from '../../../machines/vocabulary.ts';
import { type Action, eventsSent, type Move, type Product } from '../exploration/product.ts';
import { type CampaignAlphabet, campaignModel } from './campaign-model.ts';
import { givenFacts } from './given-facts.ts';
import { createWaitEvent, frozenAtMs, listPolicies, nudgeModel } from './nudge-model.ts';
import { choosePromptedFacts, withDeclared } from './prompted-facts.ts';
import { tenantInvariants } from './tenant-invariants.ts';
import {
  type NudgeStatusView,
  policyOfCampaign,
  tenantOfCampaign,
  userNudgeStatus,
  whichUser,
} from './tenant-state-views.ts';
import { excludedGroup, type UserClass, userClasses, userModel } from './user-model.ts';

/** Alphabet for exploring a tenant with one user. */
export interface TenantAlphabet extends CampaignAlphabet {
  /** Ids of prompts that can be open in parallel, one per tab. */
  readonly prompts: readonly string[];
  /** Possible users; the first one is the initial user. */
  readonly users: readonly UserClass[];
}

/** Snooze durations, in days, that the provider sets while it manages the campaign (A19, A30). */
const providerDays = [1, 3];

/**
 * Creates the product of a campaign, a user and the user's lifecycle: administrators change settings, the user signs in
 * and takes actions at prompts, and days pass. The rules evaluate each sign-in on the facts at that time.
 */
export function tenantProduct(alphabet: TenantAlphabet): Product {
  const { snoozeDays, methods, prompts, users, ruleset = seedRuleset } = alphabet;
  const campaign = campaignModel({ ...alphabet, excludedGroups: [excludedGroup] });
  const policies = listPolicies([...new Set([...snoozeDays, ...providerDays])].toSorted((a, b) => a - b));
  // A provider-managed campaign can target another method than the tenant's own configuration.
  const targeted = [...new Set<TargetedMethod>([...methods, 'vendorAuthenticator', ...rolledOut(alphabet)])];
  return {
    name: 'tenant',
    parts: [nudgeModel({ policies, prompts, methods: targeted }), campaign, userModel],
    actions: [
      { name: 'signs in', moves: [signIn(prompts, ruleset)] },
      ...prompts.flatMap(answers),
      { name: 'a day passes', moves: [timed(createWaitEvent)] },
      {
        name: 'pending closes are settled',
        moves: [timed((policy) => ({ type: 'pendingClose.settled', nowMs: frozenAtMs, ...policy }))],
      },
      ...targeted.flatMap(elsewhere),
      {
        name: 'the nudge status is reset',
        moves: [eventsSent('nudge', { type: 'snooze.set', count: 0, snoozedAtMs: null } as NudgeEvent)],
      },
      ...campaign.events.map((event) => ({
        name: `campaign: ${JSON.stringify(event)}`,
        moves: [eventsSent('campaign', event)],
      })),
      ...users.map((user) => ({
        name: `the user is ${user}`,
        moves: [eventsSent('user', { type: `became.${user}` })],
      })),
    ],
    invariants: tenantInvariants,
  };
}

function rolledOut({ switches }: CampaignAlphabet): readonly TargetedMethod[] {
  return switches.includes('method') ? ['fido2'] : [];
}

/** Creates a lifecycle move whose event carries the effective policy (A39). */
export function timed(event: (policy: EffectivePolicy) => NudgeEvent): Move {
  return { part: 'nudge', reads: [policyOfCampaign], event: ([policy]) => event(policy as EffectivePolicy) };
}

/** Lists the actions of a user at one prompt. */
function answers(promptId: string): readonly Action[] {
  const by = (name: string, ...moves: readonly Move[]): Action => ({ name: `${promptId}: ${name}`, moves });
  const plain = (type: NudgeEvent['type']): Move => eventsSent('nudge', { type, promptId } as NudgeEvent);
  return [
    by('selects next', plain('prompt.nextSelected')),
    by(
      'skips',
      timed((policy) => ({ type: 'prompt.skipped', promptId, nowMs: frozenAtMs, ...policy })),
    ),
    by(
      'closes the browser',
      eventsSent('nudge', { type: 'browser.closed', promptId, nowMs: frozenAtMs } as NudgeEvent),
    ),
    by('comes back', plain('prompt.resumed')),
    by('registers', plain('setup.completed')),
    by('fails to register', plain('setup.failed')),
    by(
      'skips the error screen',
      timed((policy) => ({ type: 'errorScreen.skipped', promptId, nowMs: frozenAtMs, ...policy })),
    ),
  ];
}

/** Lists the actions on a method outside of any prompt. */
function elsewhere(method: TargetedMethod): readonly Action[] {
  return [
    {
      name: `${method} is registered elsewhere`,
      moves: [eventsSent('nudge', { type: 'method.registered', method } as NudgeEvent)],
    },
    {
      name: `${method} is removed`,
      moves: [timed((policy) => ({ type: 'method.removed', method, nowMs: frozenAtMs, ...policy }))],
    },
  ];
}

/**
 * Creates the move for a sign-in, which evaluates the rules on the facts and shows the result in a free tab. A pending
 * close must be settled first (A41), and without a free tab no sign-in takes place. The declared facts of a ruleset are
 * those with which a user is prompted.
 */
export function signIn(prompts: readonly string[], ruleset: Ruleset): Move {
  const declared = choosePromptedFacts(ruleset);
  return {
    part: 'nudge',
    reads: [userNudgeStatus, tenantOfCampaign, whichUser],
    event: ([nudgeStatus, tenant, user]) => {
      const { open, left } = nudgeStatus as NudgeStatusView;
      const promptId = prompts.find((id) => !open.includes(id));
      if (left || promptId === undefined) return null;
      const facts = createFacts(nudgeStatus as NudgeStatusView, tenant as CampaignContext['tenant'], user as UserClass);
      const { outcome, campaign } = evaluate(withDeclared(facts, declared), ruleset);
      if (outcome === 'none' || campaign.method === null) return null;
      return {
        type: 'prompt.shown',
        promptId,
        method: campaign.method,
        required: outcome === 'required',
        nowMs: frozenAtMs,
      };
    },
  };
}

const base = givenFacts({ user: { id: 'ada' } });

function createFacts(nudgeStatus: NudgeStatusView, tenant: CampaignContext['tenant'], user: UserClass): Facts {
  const { count, daysElapsed, registered } = nudgeStatus;
  return {
    attempt: { ...base.attempt, nowMs: frozenAtMs },
    tenant: { ...base.tenant, ...tenant } satisfies TenantFacts,
    user: {
      ...base.user,
      ...userClasses[user],
      methods: registered === 'vendorAuthenticator' ? ['sms', 'authenticator-push'] : ['sms'],
      passkeys: registered === 'fido2' ? [{ type: 'windows-bound', deviceId: base.attempt.deviceId }] : [],
      snooze: { count, snoozedAtMs: daysElapsed === null ? null : frozenAtMs - daysElapsed * dayMs },
    },
  };
}

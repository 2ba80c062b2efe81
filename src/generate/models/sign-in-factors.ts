import { dayMs, snoozeDaysMax, snoozeDaysMin } from '../../../machines/campaign-limits.ts';
import { browsers, mfaMethods, operatingSystems, surfaces } from '../../../machines/vocabulary.ts';
import type { FactAxis } from '../../compiled/fact-space.ts';
import { clockDefaultMs } from '../../sandbox/sandbox.ts';
import { axis, deviceAxes, policyAxes, userAxes } from './eligibility-axes.ts';

/** Actions of the user at a prompt. Each row of an array has one in addition to its facts. */
export const answers = ['skip', 'register', 'closeBrowser', 'abandon'] as const;
export type PromptAnswer = (typeof answers)[number];

/** Name of the parameter for the action at a prompt. */
export const answerFactor = 'answer';

/** Creates an axis that sets one fact to the values of a vocabulary; `noneName` is the name of `null`. */
function listed(name: string, path: string, values: readonly (string | null)[], noneName = 'none'): FactAxis {
  return axis(name, Object.fromEntries(values.map((value) => [value ?? noneName, { [path]: value }])));
}

function flag(name: string, path: string): FactAxis {
  return axis(name, { no: { [path]: false }, yes: { [path]: true } });
}

function mfa(completed: boolean, provider: string) {
  return { 'attempt.mfa.completed': completed, 'attempt.mfa.provider': provider };
}

function nudgeStatus(elapsedMs: number | null) {
  return { 'user.snooze.snoozedAtMs': elapsedMs === null ? null : clockDefaultMs - elapsedMs };
}

function limit(subscription: string, on: boolean) {
  return { 'tenant.subscription': subscription, 'tenant.campaign.enforceRegistrationAfterAllowedSnoozes': on };
}

/** Axes that covering arrays combine: policy, user, device, browser and sign-in context. */
export const signInAxes: readonly FactAxis[] = [
  ...policyAxes,
  axis('limit', { on: limit('paid', true), off: limit('paid', false), 'off, in a trial': limit('trial', false) }),
  axis(
    'snooze days',
    Object.fromEntries(
      [snoozeDaysMin, 1, snoozeDaysMax].map((days) => [days, { 'tenant.campaign.snoozeDurationInDays': days }]),
    ),
  ),
  ...userAxes,
  axis('snoozes', {
    none: { 'user.snooze.count': 0 },
    one: { 'user.snooze.count': 1 },
    all: { 'user.snooze.count': 3 },
  }),
  axis('last snooze', {
    never: nudgeStatus(null),
    'just now': nudgeStatus(0),
    'two weeks ago': nudgeStatus(snoozeDaysMax * dayMs),
  }),
  ...deviceAxes.filter(({ name }) => name === 'device'),
  listed('system', 'attempt.os', operatingSystems),
  listed('browser', 'attempt.browser', [...browsers, null]),
  listed('surface', 'attempt.surface', surfaces),
  axis('second factor', {
    here: mfa(true, 'service'),
    elsewhere: mfa(true, 'external'),
    'at home': mfa(true, 'home-tenant'),
    none: mfa(false, 'service'),
  }),
  listed('used', 'attempt.mfa.method', [...mfaMethods, null], 'nothing of ours'),
  flag('already signed in', 'attempt.ssoSession'),
  flag('registered in this session', 'attempt.registeredThisSession'),
  axis('registration page', {
    open: { 'attempt.conditionalAccess': { registrationPageBlocked: false, registrationConditionMet: true } },
    blocked: { 'attempt.conditionalAccess': { registrationPageBlocked: true, registrationConditionMet: true } },
    'condition not met': {
      'attempt.conditionalAccess': { registrationPageBlocked: false, registrationConditionMet: false },
    },
  }),
  flag('terms of use', 'attempt.termsOfUse'),
  flag('custom controls', 'attempt.customControls'),
];

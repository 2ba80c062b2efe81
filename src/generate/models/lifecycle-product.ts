import { snoozeDaysMax } from '../../../machines/campaign-limits.ts';
import { type EffectivePolicy, maySnooze, type NudgeEvent, type OpenPrompt } from '../../../machines/nudge.machine.ts';
import type { NudgeQuotient } from '../../../machines/nudge-quotient.ts';
import { seedRuleset } from '../../../machines/rulesets/built-in.ts';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { formatCount } from '../../core/format-count.ts';
import type { Action, Move, Product, Reading } from '../exploration/product.ts';
import { eventsSent } from '../exploration/product.ts';
import { campaignModel } from './campaign-model.ts';
import { createWaitEvent, frozenAtMs, listPolicies, nudgeModel, toQuotient } from './nudge-model.ts';
import { tenantInvariants } from './tenant-invariants.ts';
import { signIn, timed } from './tenant-product.ts';
import { excludedGroup, userModel } from './user-model.ts';

/** Alphabet for exploring the lifecycle of one user. */
export interface LifecycleAlphabet {
  /** Snooze durations, in days, that the administrator can set; the first one applies initially. */
  readonly snoozeDays: readonly number[];
  /**
   * Number of whole days since a snooze from which more days make no difference. The longest duration is enough,
   * because elapsed time is only compared with a duration. Default: 14, as in the quotient of the machine.
   */
  readonly distinguishedDays?: number;
  /** `true` if the control API can reset the nudge status (A3). Default: `true`. */
  readonly snoozeResets?: boolean;
  readonly ruleset?: Ruleset;
}

/** Tab of the user's prompts; only one is open at a time. */
const lifecyclePrompt = 'p1';

/** Method that the campaign targets. */
export const lifecycleMethod = 'vendorAuthenticator';
const method = lifecycleMethod;

/** State of a prompt from the user's view: its page, if it is open. */
interface PromptView {
  /** Page of the open prompt; `null` if no prompt is open. */
  readonly phase: OpenPrompt['phase'] | null;
  readonly left: boolean;
}

const openPrompt: Reading<PromptView> = {
  part: 'nudge',
  view: (state) => {
    const [prompt] = toQuotient(state as never).openPrompts;
    return { phase: prompt?.phase ?? null, left: prompt?.left ?? false };
  },
};

const snoozesUsed: Reading<number> = { part: 'nudge', view: (state) => toQuotient(state as never).count };

const recordIsEmpty: Reading<boolean> = {
  part: 'nudge',
  view: ({ context }) => context.count === 0 && context.snoozedAtMs === null,
};

/** Restricts a move of the lifecycle to some pages of a prompt in an open tab. */
function onPages(phases: readonly OpenPrompt['phase'][], { reads, event, part }: Move): Move {
  return {
    part,
    reads: [openPrompt, ...reads],
    event: ([prompt, ...views]) => {
      const { phase, left } = prompt as PromptView;
      return phase !== null && !left && phases.includes(phase) ? event(views) : null;
    },
  };
}

function plain(type: NudgeEvent['type']): Move {
  return eventsSent('nudge', { type, promptId: lifecyclePrompt } as NudgeEvent);
}

/**
 * Creates the move for a skip. On the setup pages it applies only while skipping is allowed: a rejected skip there
 * shows the prompt page again, which the lifecycle does not distinguish from setup.
 */
function skip(): Move {
  const { part, reads, event } = answered('prompt.skipped');
  return onPages(['offered', 'setup'], {
    part,
    reads: [openPrompt, snoozesUsed, ...reads],
    event: ([prompt, used, policy]) => {
      const { limited } = policy as EffectivePolicy;
      const allowed = maySnooze(used as number, limited);
      return allowed || (prompt as PromptView).phase === 'offered' ? event([policy]) : null;
    },
  });
}

function answered(type: 'prompt.skipped' | 'errorScreen.skipped'): Move {
  return timed((policy) => ({ type, promptId: lifecyclePrompt, nowMs: frozenAtMs, ...policy }));
}

/** Names of the lifecycle actions, except for policy changes. */
export const lifecycleActions = {
  signsIn: 'signs in',
  signsInBySession: 'signs in through an existing session',
  selectsNext: 'selects next',
  skips: 'skips',
  closesBrowser: 'closes the browser',
  registers: 'registers',
  failsToRegister: 'fails to register',
  skipsErrorScreen: 'skips the error screen',
  registersElsewhere: 'registers elsewhere',
  removesMethod: 'removes the method',
  dayPasses: 'a day passes',
  snoozeIsReset: 'the nudge status is reset',
} as const;

/** Returns the name of the action that sets the snooze duration, in days. */
export function daysAction(days: number): string {
  return `the administrator sets ${formatCount(days, 'day')}`;
}

/**
 * Returns the name of the action that changes the snooze limit.
 * @param limited - `true` to turn the limit on
 */
export function limitAction(limited: boolean): string {
  return `the administrator switches the limit ${limited ? 'on' : 'off'}`;
}

function userActions(ruleset: Ruleset): readonly Action[] {
  const names = lifecycleActions;
  const everywhere = ['offered', 'setup', 'error'] as const;
  const by = (name: string, move: Move): Action => ({ name, moves: [move] });
  const left = timed((policy) => ({ type: 'pendingClose.settled', nowMs: frozenAtMs, ...policy }));
  const closed = eventsSent('nudge', {
    type: 'browser.closed',
    promptId: lifecyclePrompt,
    nowMs: frozenAtMs,
  } as NudgeEvent);
  return [
    by(names.signsIn, signIn([lifecyclePrompt], ruleset)),
    by(names.signsInBySession, left),
    by(names.selectsNext, onPages(everywhere, plain('prompt.nextSelected'))),
    by(names.skips, skip()),
    by(names.closesBrowser, onPages(everywhere, closed)),
    by(names.registers, onPages(everywhere, plain('setup.completed'))),
    by(names.failsToRegister, onPages(everywhere, plain('setup.failed'))),
    by(names.skipsErrorScreen, onPages(['error'], answered('errorScreen.skipped'))),
    by(names.dayPasses, timed(createWaitEvent)),
  ];
}

function otherActions({ snoozeDays, snoozeResets = true }: LifecycleAlphabet): readonly Action[] {
  const names = lifecycleActions;
  const elsewhere: Move = {
    part: 'nudge',
    reads: [openPrompt],
    // Without an open prompt, the lifecycle receives no event.
    event: ([prompt]) => ((prompt as PromptView).phase === null ? null : { type: 'method.registered', method }),
  };
  const removed = timed((policy) => ({ type: 'method.removed', method, nowMs: frozenAtMs, ...policy }));
  const reset: Move = {
    part: 'nudge',
    reads: [recordIsEmpty],
    event: ([empty]) => (empty === true ? null : { type: 'snooze.set', count: 0, snoozedAtMs: null }),
  };
  const sets = (name: string, settings: object): Action => ({
    name,
    moves: [eventsSent('campaign', { type: 'settings.updated', settings, mayWrite: true } as never)],
  });
  return [
    { name: names.registersElsewhere, moves: [elsewhere] },
    { name: names.removesMethod, moves: [removed] },
    ...(snoozeResets ? [{ name: names.snoozeIsReset, moves: [reset] }] : []),
    ...snoozeDays.map((days) => sets(daysAction(days), { snoozeDurationInDays: days })),
    ...[true, false].map((on) => sets(limitAction(on), { enforceRegistrationAfterAllowedSnoozes: on })),
  ];
}

function limitDays(quotient: NudgeQuotient, days: number): NudgeQuotient {
  const { daysElapsed } = quotient;
  return { ...quotient, daysElapsed: daysElapsed === null ? null : Math.min(daysElapsed, days) };
}

/**
 * Creates the lifecycle product of one user under a policy that an administrator changes. Duration and limit are part
 * of the state, and every event uses the current values (A39). An action that the user cannot take in a state changes
 * nothing, so a scenario can execute every transition.
 */
export function lifecycleProduct(alphabet: LifecycleAlphabet): Product {
  const { snoozeDays, distinguishedDays = snoozeDaysMax, ruleset = seedRuleset } = alphabet;
  const campaign = campaignModel({
    snoozeDays,
    methods: [method],
    switches: [],
    ruleset,
    excludedGroups: [excludedGroup],
  });
  const changes = campaign.events.filter(
    (event) => event.type === 'settings.updated' && event.mayWrite && event.settings.state === undefined,
  );
  const nudge = nudgeModel({ policies: listPolicies(snoozeDays), prompts: [lifecyclePrompt], methods: [method] });
  const days = Math.max(distinguishedDays, ...snoozeDays);
  return {
    name: 'lifecycle',
    parts: [
      { ...nudge, serialize: (state) => JSON.stringify(limitDays(toQuotient(state as never), days)) },
      { ...campaign, events: changes },
      userModel,
    ],
    actions: [...userActions(ruleset), ...otherActions(alphabet)],
    invariants: tenantInvariants,
  };
}

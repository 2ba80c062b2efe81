import { assign, setup } from 'xstate';
import { type CampaignLimits, campaignLimits } from './campaign-limits.ts';
import { snoozeEndsAtMs } from './snooze.ts';
import type { SnoozeRecord, TargetedMethod } from './vocabulary.ts';

/** Prompt that was shown and is still open. */
export interface OpenPrompt {
  readonly id: string;
  readonly method: TargetedMethod;
  /** True if the prompt has no skip button, either from the start or since a skip was rejected (A1). */
  readonly required: boolean;
  readonly phase: 'offered' | 'setup' | 'error';
  readonly shownAtMs: number;
  /**
   * Time at which the browser reported that the page was closed (A41), or `null` if it did not or the user returned.
   */
  readonly leftAtMs: number | null;
}

/** Stored data of one user: the nudge status (R7, A8), the open prompts, and the method registered last. */
export interface NudgeContext {
  readonly count: number;
  readonly snoozedAtMs: number | null;
  readonly openPrompts: readonly OpenPrompt[];
  readonly registered: TargetedMethod | null;
}

/** Policy in effect when an event is handled (A39). A day is 24 hours (A6). */
export interface EffectivePolicy {
  readonly limited: boolean;
  readonly snoozeDays: number;
  /** True if the ruleset demands the registration, whatever was answered before (OC23). */
  readonly required?: boolean | undefined;
}

interface PromptEvent {
  readonly promptId: string;
}

interface TimedEvent extends EffectivePolicy {
  /** Time of the event in milliseconds on the virtual clock. */
  readonly nowMs: number;
}

export type NudgeEvent =
  | {
      readonly type: 'prompt.shown';
      readonly promptId: string;
      readonly method: TargetedMethod;
      readonly required: boolean;
      readonly nowMs: number;
    }
  | ({ readonly type: 'prompt.nextSelected' } & PromptEvent)
  | ({ readonly type: 'prompt.skipped' } & PromptEvent & TimedEvent)
  | ({ readonly type: 'prompt.resumed' } & PromptEvent)
  | ({ readonly type: 'browser.closed' } & PromptEvent & { readonly nowMs: number })
  | ({ readonly type: 'setup.completed' } & PromptEvent)
  | ({ readonly type: 'setup.failed' } & PromptEvent)
  | ({ readonly type: 'errorScreen.skipped' } & PromptEvent & TimedEvent)
  | ({ readonly type: 'time.passed' } & TimedEvent)
  | ({ readonly type: 'pendingClose.settled' } & TimedEvent)
  | { readonly type: 'method.registered'; readonly method: TargetedMethod }
  | ({ readonly type: 'method.removed'; readonly method: TargetedMethod } & TimedEvent)
  | { readonly type: 'snooze.set'; readonly count: number; readonly snoozedAtMs: number | null };

type Typed<T extends NudgeEvent['type']> = Extract<NudgeEvent, { type: T }>;

/** Narrows the event of a guard or an action. Any other event type is a programming error in this file. */
function assertEvent<T extends NudgeEvent['type']>(event: NudgeEvent, ...types: readonly T[]): Typed<T> {
  if ((types as readonly string[]).includes(event.type)) return event as Typed<T>;
  throw new TypeError(`The action cannot handle ${event.type}.`);
}

function findPrompt(context: NudgeContext, promptId: string): OpenPrompt | undefined {
  return context.openPrompts.find((prompt) => prompt.id === promptId);
}

function withPrompt(context: NudgeContext, promptId: string, change: Partial<OpenPrompt>): Partial<NudgeContext> {
  return {
    openPrompts: context.openPrompts.map((prompt) => (prompt.id === promptId ? { ...prompt, ...change } : prompt)),
  };
}

function withoutPrompt(context: NudgeContext, promptId: string): readonly OpenPrompt[] {
  return context.openPrompts.filter((prompt) => prompt.id !== promptId);
}

/**
 * Returns true if another snooze is allowed. If snoozes are limited, three is the maximum (R6, A42). Without the
 * limit the count still increases (A4). The policy at the time of the action applies, even if it was different when
 * the prompt was shown (A39).
 *
 * @param count - snooze count so far
 * @param limited - true if snoozes are limited
 */
export function maySnooze(count: number, limited: boolean, { snoozeLimit } = campaignLimits): boolean {
  return !limited || count < snoozeLimit;
}

/**
 * Returns true if closing this prompt or letting it expire counts as a snooze (R9, A11, A40). Neither counts on an
 * error screen (A10) or if no snoozes are left (A42). Closing a prompt that was shown as required never counts,
 * even if the policy has changed since (A2).
 */
function leavingCounts(prompt: OpenPrompt, count: number, policy: EffectivePolicy, limits: CampaignLimits): boolean {
  return !prompt.required && prompt.phase !== 'error' && !refusesSnooze(count, policy, limits);
}

/** Returns true if the policy refuses another snooze: by the limit, or because it demands the registration. */
export function refusesSnooze(
  count: number,
  { limited, required = false }: Pick<EffectivePolicy, 'limited' | 'required'>,
  limits: CampaignLimits,
): boolean {
  return required || !maySnooze(count, limited, limits);
}

/** Returns the time at which an open prompt expires, in milliseconds. At exactly that time it has expired (A40). */
export function promptEndsAtMs(
  prompt: Pick<OpenPrompt, 'shownAtMs'>,
  { promptLifetimeMs }: CampaignLimits = campaignLimits,
): number {
  return prompt.shownAtMs + promptLifetimeMs;
}

/** Returns the time at which a prompt was closed or expired, which is the start of its snooze (A40, A41). */
function settlesFromMs(prompt: OpenPrompt, limits: CampaignLimits): number {
  return prompt.leftAtMs ?? promptEndsAtMs(prompt, limits);
}

type Settling = Typed<'time.passed' | 'pendingClose.settled'>;

/** Returns the prompts that an event settles: the closed ones in order of closing, or the expired ones. */
function promptsToSettle(context: NudgeContext, event: Settling, limits: CampaignLimits): readonly OpenPrompt[] {
  if (event.type === 'time.passed')
    return context.openPrompts.filter((prompt) => event.nowMs >= promptEndsAtMs(prompt, limits));
  return context.openPrompts
    .filter((prompt) => prompt.leftAtMs !== null)
    .toSorted((a, b) => settlesFromMs(a, limits) - settlesFromMs(b, limits));
}

/**
 * Returns the context after settling. Every settled prompt is closed, and every one that counts is counted once,
 * from its close or expiry (A41).
 */
function settled(context: NudgeContext, event: Settling, limits: CampaignLimits): NudgeContext {
  const due = promptsToSettle(context, event, limits);
  let { count, snoozedAtMs } = context;
  for (const prompt of due) {
    if (!leavingCounts(prompt, count, event, limits)) continue;
    count += 1;
    snoozedAtMs = Math.max(snoozedAtMs ?? 0, settlesFromMs(prompt, limits));
  }
  return { ...context, count, snoozedAtMs, openPrompts: context.openPrompts.filter((prompt) => !due.includes(prompt)) };
}

/**
 * Returns the prompts that stay open after the event closed the prompt that it names or the prompts that it
 * settles.
 */
function remaining(context: NudgeContext, event: NudgeEvent, limits: CampaignLimits): readonly OpenPrompt[] {
  if (isSettling(event)) return settled(context, event, limits).openPrompts;
  return 'promptId' in event ? withoutPrompt(context, event.promptId) : context.openPrompts;
}

function isSettling(event: NudgeEvent): event is Settling {
  return event.type === 'time.passed' || event.type === 'pendingClose.settled';
}

interface Given {
  readonly context: NudgeContext;
  readonly event: NudgeEvent;
}

/** Creates the guards that depend on the limits. */
function guardsUnder(limits: CampaignLimits) {
  return {
    skipIsRefused: ({ context, event }: Given) =>
      refusesSnooze(context.count, assertEvent(event, 'prompt.skipped'), limits),
    nothingToSettle: ({ context, event }: Given) =>
      promptsToSettle(context, assertEvent(event, 'time.passed', 'pendingClose.settled'), limits).length === 0,
    settlingCounts: ({ context, event }: Given) =>
      settled(context, assertEvent(event, 'time.passed', 'pendingClose.settled'), limits).count > context.count,
    snoozeIsRunning: ({ context, event }: Given) =>
      snoozeEndsAtMs(context, assertEvent(event, 'errorScreen.skipped', 'method.removed'), limits) !== null,
    anotherPromptIsOpen: ({ context, event }: Given) => remaining(context, event, limits).length > 0,
  };
}

/** Creates the context changes that depend on the limits. */
function changesUnder(limits: CampaignLimits) {
  return {
    closePrompt: ({ context, event }: Given) => ({ openPrompts: remaining(context, event, limits) }),
    settlePrompts: ({ context, event }: Given) =>
      settled(context, assertEvent(event, 'time.passed', 'pendingClose.settled'), limits),
  };
}

const changes = changesUnder(campaignLimits);

const nudgeSetup = setup({
  types: { context: {} as NudgeContext, events: {} as NudgeEvent, input: {} as SnoozeRecord },
  guards: {
    promptIsUnknown: ({ context, event }) => 'promptId' in event && findPrompt(context, event.promptId) === undefined,
    promptIsRequired: ({ event }) => assertEvent(event, 'prompt.shown').required,
    ...guardsUnder(campaignLimits),
    anotherMethodWasRemoved: ({ context, event }) => assertEvent(event, 'method.removed').method !== context.registered,
    recordSaysSnoozed: ({ event }) => assertEvent(event, 'snooze.set').snoozedAtMs !== null,
  },
  actions: {
    openPrompt: assign(({ context, event }) => {
      const { promptId, method, required, nowMs } = assertEvent(event, 'prompt.shown');
      const prompt: OpenPrompt = { id: promptId, method, required, phase: 'offered', shownAtMs: nowMs, leftAtMs: null };
      return { openPrompts: [...withoutPrompt(context, promptId), prompt] };
    }),
    beginSetup: assign(({ context, event }) =>
      withPrompt(context, assertEvent(event, 'prompt.nextSelected').promptId, { phase: 'setup', leftAtMs: null }),
    ),
    showErrorScreen: assign(({ context, event }) =>
      withPrompt(context, assertEvent(event, 'setup.failed').promptId, { phase: 'error', leftAtMs: null }),
    ),
    countSkip: assign(({ context, event }) => {
      const { promptId, nowMs } = assertEvent(event, 'prompt.skipped');
      return { count: context.count + 1, snoozedAtMs: nowMs, openPrompts: withoutPrompt(context, promptId) };
    }),
    insistOnRegistration: assign(({ context, event }) =>
      withPrompt(context, assertEvent(event, 'prompt.skipped').promptId, { required: true, leftAtMs: null }),
    ),
    markAsLeft: assign(({ context, event }) => {
      const { promptId, nowMs } = assertEvent(event, 'browser.closed');
      return withPrompt(context, promptId, { leftAtMs: nowMs });
    }),
    withdrawLeaveMark: assign(({ context, event }) =>
      withPrompt(context, assertEvent(event, 'prompt.resumed').promptId, { leftAtMs: null }),
    ),
    closePrompt: assign((given) => changes.closePrompt(given)),
    settlePrompts: assign((given) => changes.settlePrompts(given)),
    resolveAsRegistered: assign(({ context, event }) => {
      const done = assertEvent(event, 'setup.completed', 'method.registered');
      const method = done.type === 'method.registered' ? done.method : findPrompt(context, done.promptId)?.method;
      return { openPrompts: [], registered: method ?? context.registered };
    }),
    forgetRegistration: assign({ registered: null }),
    setSnooze: assign(({ event }) => {
      const { count, snoozedAtMs } = assertEvent(event, 'snooze.set');
      return { count, snoozedAtMs };
    }),
  },
});

/**
 * Transitions after a prompt closed without a count. The first that applies wins: snoozed, prompted, not prompted.
 */
const restAfterClosing = [
  { guard: 'snoozeIsRunning', target: '.snoozed', actions: 'closePrompt' },
  { guard: 'anotherPromptIsOpen', target: '.prompted', actions: 'closePrompt' },
  { target: '.notPrompted', actions: 'closePrompt' },
] as const;

const restAfterSettling = [
  { guard: 'nothingToSettle' },
  { guard: 'settlingCounts', target: '.snoozed', actions: 'settlePrompts' },
  { guard: 'anotherPromptIsOpen', target: '.prompted', actions: 'settlePrompts' },
  { target: '.notPrompted', actions: 'settlePrompts' },
] as const;

/**
 * Transitions that settle prompts for a snoozed or required user. Without a count, a required user stays required
 * and a snooze that began while the prompt was open continues. A settled prompt that counts always starts a snooze
 * (A38). The time of a request has no effect, so reading the state early changes nothing.
 */
const staysWhenSettling = [
  { guard: 'nothingToSettle' },
  { guard: 'settlingCounts', target: 'snoozed', actions: 'settlePrompts' },
  { actions: 'settlePrompts' },
] as const;

/**
 * State machine of the nudge lifecycle of one user, the second state table of the specification with assumptions A1
 * to A48. Events carry the time and the policy in effect. Prompts have ids, so two tabs act independently (A26) and
 * nothing is counted twice.
 */
export const nudgeMachine = nudgeSetup.createMachine({
  id: 'nudge',
  context: ({ input }) => ({ count: input.count, snoozedAtMs: input.snoozedAtMs, openPrompts: [], registered: null }),
  initial: 'notPrompted',
  on: {
    'prompt.shown': [
      { guard: 'promptIsRequired', target: '.registrationRequired', actions: 'openPrompt' },
      { target: '.prompted', actions: 'openPrompt' },
    ],
    'prompt.nextSelected': [{ guard: 'promptIsUnknown' }, { actions: 'beginSetup' }],
    'prompt.skipped': [
      { guard: 'promptIsUnknown' },
      { guard: 'skipIsRefused', target: '.registrationRequired', actions: 'insistOnRegistration' },
      { target: '.snoozed', actions: 'countSkip' },
    ],
    'prompt.resumed': [{ guard: 'promptIsUnknown' }, { actions: 'withdrawLeaveMark' }],
    'browser.closed': [{ guard: 'promptIsUnknown' }, { actions: 'markAsLeft' }],
    'setup.completed': [{ guard: 'promptIsUnknown' }, { target: '.registered', actions: 'resolveAsRegistered' }],
    'setup.failed': [{ guard: 'promptIsUnknown' }, { actions: 'showErrorScreen' }],
    'errorScreen.skipped': [{ guard: 'promptIsUnknown' }, ...restAfterClosing],
    'time.passed': restAfterSettling,
    'pendingClose.settled': restAfterSettling,
    'method.registered': { target: '.registered', actions: 'resolveAsRegistered' },
    'snooze.set': [
      { guard: 'anotherPromptIsOpen', actions: 'setSnooze' },
      { guard: 'recordSaysSnoozed', target: '.snoozed', actions: 'setSnooze' },
      { target: '.notPrompted', actions: 'setSnooze' },
    ],
  },
  states: {
    notPrompted: { meta: { page: 'not-nudged', rules: ['R1', 'A12', 'A38'] } },
    prompted: { meta: { page: 'prompt', rules: ['R1', 'R5', 'R9', 'A39'] } },
    snoozed: {
      meta: { page: 'signed-in', rules: ['R5', 'R6', 'R7', 'R9', 'A2', 'A6'] },
      on: {
        'time.passed': staysWhenSettling,
        'pendingClose.settled': staysWhenSettling,
        // If the record no longer contains a snooze, an open prompt in another tab determines the state.
        'snooze.set': [
          { guard: 'recordSaysSnoozed', actions: 'setSnooze' },
          { guard: 'anotherPromptIsOpen', target: 'prompted', actions: 'setSnooze' },
          { target: 'notPrompted', actions: 'setSnooze' },
        ],
      },
    },
    registrationRequired: {
      meta: { page: 'required', rules: ['R6', 'A1', 'A2', 'A13'] },
      on: {
        'errorScreen.skipped': [{ guard: 'promptIsUnknown' }, { actions: 'closePrompt' }],
        'time.passed': staysWhenSettling,
        'pendingClose.settled': staysWhenSettling,
      },
    },
    registered: {
      meta: { page: 'signed-in', rules: ['A3', 'A27', 'A38', 'A44'] },
      on: {
        'snooze.set': { actions: 'setSnooze' },
        'method.removed': [
          { guard: 'anotherMethodWasRemoved' },
          { guard: 'snoozeIsRunning', target: 'snoozed', actions: 'forgetRegistration' },
          { target: 'notPrompted', actions: 'forgetRegistration' },
        ],
      },
    },
  },
});

/** Creates the nudge machine with other limits than those of the specification. */
export function nudgeMachineUnder(limits: CampaignLimits): typeof nudgeMachine {
  const under = changesUnder(limits);
  return nudgeMachine.provide({
    guards: guardsUnder(limits),
    actions: {
      closePrompt: assign((given) => under.closePrompt(given)),
      settlePrompts: assign((given) => under.settlePrompts(given)),
    },
  });
}

import { assign, setup } from 'xstate';
import type { VerdictOutcome } from './vocabulary.ts';

/** The screens of one sign-in; the state of the machine is the screen that the user sees. */
export const screens = [
  'name',
  'password',
  'mfa',
  'externalMfa',
  'termsOfUse',
  'blocked',
  'prompt',
  'required',
  'setup',
  'errorScreen',
  'expired',
  'resolved',
  'signedIn',
  'notNudged',
] as const;
export type Screen = (typeof screens)[number];

export interface SignInContext {
  /** R13.3 is why this sign-in is not nudged: the block is shown on the way. */
  readonly registrationBlocked: boolean;
  /** The prompt had no way out when it ended, so a late skip signs nobody in (A1). */
  readonly required: boolean;
}

export type SignInEvent =
  | { readonly type: 'name.accepted' }
  | { readonly type: 'password.accepted'; readonly externalMfa: boolean }
  /** The rules have judged the attempt. */
  | {
      readonly type: 'attempt.judged';
      readonly outcome: VerdictOutcome;
      readonly termsOfUse: boolean;
      readonly registrationBlocked: boolean;
    }
  | { readonly type: 'interstitial.passed' }
  | { readonly type: 'prompt.nextSelected' }
  | { readonly type: 'prompt.skipped'; readonly refused: boolean }
  | { readonly type: 'setup.completed' }
  | { readonly type: 'setup.failed' }
  | { readonly type: 'errorScreen.skipped' }
  /** The prompt reached its end, or what was left open was settled (A40, A41). */
  | { readonly type: 'prompt.expired'; readonly required: boolean }
  /** The user registered elsewhere while this prompt was open (A27, A43). */
  | { readonly type: 'prompt.resolved' };

const signInSetup = setup({
  types: { context: {} as SignInContext, events: {} as SignInEvent },
  guards: {
    secondFactorIsExternal: ({ event }) => event.type === 'password.accepted' && event.externalMfa,
    termsOfUseAppear: ({ event }) => event.type === 'attempt.judged' && event.termsOfUse,
    registrationIsBlocked: ({ event }) => event.type === 'attempt.judged' && event.registrationBlocked,
    registrationWasBlocked: ({ context }) => context.registrationBlocked,
    promptIsSkippable: ({ event }) => event.type === 'attempt.judged' && event.outcome === 'skippable',
    promptIsRequired: ({ event }) => event.type === 'attempt.judged' && event.outcome === 'required',
    skipIsRefused: ({ event }) => event.type === 'prompt.skipped' && event.refused,
    promptWasRequired: ({ context }) => context.required,
  },
  actions: {
    rememberBlock: assign(({ event }) => ({
      registrationBlocked: event.type === 'attempt.judged' && event.registrationBlocked,
    })),
    rememberRequirement: assign(({ event }) => ({ required: event.type === 'prompt.expired' && event.required })),
  },
});

const afterJudgement = [
  { guard: 'termsOfUseAppear', target: 'termsOfUse', actions: 'rememberBlock' },
  { guard: 'registrationIsBlocked', target: 'blocked', actions: 'rememberBlock' },
  { guard: 'promptIsSkippable', target: 'prompt' },
  { guard: 'promptIsRequired', target: 'required' },
  { target: 'notNudged' },
] as const;

const afterSkip = [{ guard: 'skipIsRefused', target: 'required' }, { target: 'signedIn' }] as const;

/** A prompt ends without an answer from any of its screens. */
const endings = {
  'prompt.expired': { target: 'expired', actions: 'rememberRequirement' },
  'prompt.resolved': { target: 'resolved' },
} as const;

/**
 * The screens of one sign-in in order: name, password, second factor, what conditional access puts in between, the nudge
 * with set-up and error screen, and the end. The rules judge once, when the facts of the attempt are complete.
 */
export const signInMachine = signInSetup.createMachine({
  id: 'signIn',
  context: { registrationBlocked: false, required: false },
  initial: 'name',
  states: {
    name: {
      meta: { page: 'name', rules: ['R13.1'] },
      on: { 'name.accepted': 'password', 'attempt.judged': afterJudgement },
    },
    password: {
      meta: { page: 'password', rules: ['R1'] },
      on: {
        'password.accepted': [{ guard: 'secondFactorIsExternal', target: 'externalMfa' }, { target: 'mfa' }],
        'attempt.judged': afterJudgement,
      },
    },
    mfa: { meta: { page: 'mfa', rules: ['R1', 'R3'] }, on: { 'attempt.judged': afterJudgement } },
    externalMfa: { meta: { page: 'external-mfa', rules: ['R3', 'A21'] }, on: { 'attempt.judged': afterJudgement } },
    termsOfUse: {
      meta: { page: 'terms-of-use', rules: ['R13.4'] },
      on: {
        'interstitial.passed': [{ guard: 'registrationWasBlocked', target: 'blocked' }, { target: 'notNudged' }],
      },
    },
    blocked: { meta: { page: 'blocked', rules: ['R13.3'] }, on: { 'interstitial.passed': 'notNudged' } },
    prompt: {
      meta: { page: 'prompt', rules: ['R5', 'R6', 'R9'] },
      on: { 'prompt.nextSelected': 'setup', 'prompt.skipped': afterSkip, ...endings },
    },
    required: {
      meta: { page: 'required', rules: ['R6', 'A1', 'A2'] },
      on: { 'prompt.nextSelected': 'setup', 'prompt.skipped': afterSkip, ...endings },
    },
    setup: {
      meta: { page: 'setup', rules: ['A11'] },
      on: {
        'prompt.nextSelected': 'setup',
        'setup.completed': 'signedIn',
        'setup.failed': 'errorScreen',
        'prompt.skipped': afterSkip,
        ...endings,
      },
    },
    errorScreen: {
      meta: { page: 'error-screen', rules: ['R11.8', 'A12', 'A13', 'A45'] },
      on: { 'prompt.nextSelected': 'setup', 'errorScreen.skipped': 'signedIn', ...endings },
    },
    expired: {
      meta: { page: 'closed', rules: ['A25', 'A40', 'A41'] },
      on: { 'prompt.skipped': [{ guard: 'promptWasRequired' }, { target: 'signedIn' }] },
    },
    resolved: {
      meta: { page: 'signed-in', rules: ['A27', 'A43'] },
      on: { 'prompt.skipped': 'signedIn', 'prompt.nextSelected': 'signedIn', 'errorScreen.skipped': 'signedIn' },
    },
    signedIn: { type: 'final', meta: { page: 'signed-in', rules: [] } },
    notNudged: { type: 'final', meta: { page: 'not-nudged', rules: [] } },
  },
});

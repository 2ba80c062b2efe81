import { assign, setup } from 'xstate';
import type { VerdictOutcome } from './vocabulary.ts';

/** Screens of a sign-in. The state of the machine is the screen that the user sees. */
export const screens = [
  'name',
  'password',
  'mfa',
  'mfaChoice',
  'externalMfa',
  'securityInfo',
  'termsOfUse',
  'customControls',
  'blocked',
  'prompt',
  'required',
  'setup',
  'setupTest',
  'setupName',
  'errorScreen',
  'expired',
  'resolved',
  'signedIn',
  'notNudged',
] as const;
export type Screen = (typeof screens)[number];

/** Screens between selecting "Next" on a prompt and completing the registration. */
export const setupScreens = ['setup', 'setupTest', 'setupName'] as const satisfies readonly Screen[];

/** Screens between the second factor and the end that are not the prompt, in display order. */
export const interstitialScreens = ['securityInfo', 'termsOfUse', 'customControls', 'blocked'] as const;
export type InterstitialScreen = (typeof interstitialScreens)[number];

export interface SignInContext {
  /** Interstitial screens that follow the current one. */
  readonly pending: readonly InterstitialScreen[];
  /** True if the prompt was required when it expired, so a late skip does not complete the sign-in (A1). */
  readonly required: boolean;
}

export type SignInEvent =
  | { readonly type: 'name.accepted' }
  | { readonly type: 'password.accepted'; readonly externalMfa: boolean }
  /** The user opened the list of MFA methods, or selected one in it. */
  | { readonly type: 'mfa.methodListOpened' }
  | { readonly type: 'mfa.methodChosen' }
  /** The rules evaluated the attempt. */
  | {
      readonly type: 'attempt.evaluated';
      readonly outcome: VerdictOutcome;
      /** Interstitial screens between the second factor and the end, in display order. */
      readonly interstitials: readonly InterstitialScreen[];
    }
  | { readonly type: 'interstitial.passed' }
  | { readonly type: 'prompt.nextSelected' }
  | { readonly type: 'prompt.skipped'; readonly refused: boolean }
  /** The app was added, and a test notification was sent to it. */
  | { readonly type: 'push.sent' }
  /** A passkey was created, and is registered once the user has named it. */
  | { readonly type: 'passkey.created' }
  | { readonly type: 'setup.completed' }
  | { readonly type: 'setup.failed' }
  | { readonly type: 'errorScreen.skipped' }
  /** The prompt expired, or its pending close was settled (A40, A41). */
  | { readonly type: 'prompt.expired'; readonly required: boolean }
  /** The user registered elsewhere while this prompt was open (A27, A43). */
  | { readonly type: 'prompt.resolved' };

/** Returns the interstitial screens still to show: those of the evaluation, or the stored remainder. */
function listPendingScreens({ pending }: SignInContext, event: SignInEvent): readonly InterstitialScreen[] {
  return event.type === 'attempt.evaluated' ? event.interstitials : pending;
}

function comesNext(screen: InterstitialScreen, context: SignInContext, event: SignInEvent): boolean {
  return listPendingScreens(context, event)[0] === screen;
}

const signInSetup = setup({
  types: { context: {} as SignInContext, events: {} as SignInEvent },
  guards: {
    secondFactorIsExternal: ({ event }) => event.type === 'password.accepted' && event.externalMfa,
    securityInfoIsNext: ({ context, event }) => comesNext('securityInfo', context, event),
    termsOfUseAreNext: ({ context, event }) => comesNext('termsOfUse', context, event),
    customControlsAreNext: ({ context, event }) => comesNext('customControls', context, event),
    blockIsNext: ({ context, event }) => comesNext('blocked', context, event),
    promptIsSkippable: ({ event }) => event.type === 'attempt.evaluated' && event.outcome === 'skippable',
    promptIsRequired: ({ event }) => event.type === 'attempt.evaluated' && event.outcome === 'required',
    skipIsRefused: ({ event }) => event.type === 'prompt.skipped' && event.refused,
    promptWasRequired: ({ context }) => context.required,
  },
  actions: {
    rememberInterstitials: assign(({ context, event }) => ({ pending: listPendingScreens(context, event).slice(1) })),
    rememberRequirement: assign(({ event }) => ({ required: event.type === 'prompt.expired' && event.required })),
  },
});

const interstitials = [
  { guard: 'securityInfoIsNext', target: 'securityInfo', actions: 'rememberInterstitials' },
  { guard: 'termsOfUseAreNext', target: 'termsOfUse', actions: 'rememberInterstitials' },
  { guard: 'customControlsAreNext', target: 'customControls', actions: 'rememberInterstitials' },
  { guard: 'blockIsNext', target: 'blocked', actions: 'rememberInterstitials' },
] as const;

const afterEvaluation = [
  ...interstitials,
  { guard: 'promptIsSkippable', target: 'prompt' },
  { guard: 'promptIsRequired', target: 'required' },
  { target: 'notNudged' },
] as const;

const afterSkip = [{ guard: 'skipIsRefused', target: 'required' }, { target: 'signedIn' }] as const;

const afterInterstitial = { on: { 'interstitial.passed': [...interstitials, { target: 'notNudged' }] } } as const;

/** Transitions that end a setup from any of its screens. "Next" returns to the first setup screen. */
const setUpAnswers = {
  'prompt.nextSelected': 'setup',
  'setup.completed': 'signedIn',
  'setup.failed': 'errorScreen',
  'prompt.skipped': afterSkip,
} as const;

/** Transitions that end a prompt without a user action, from any of its screens. */
const endings = {
  'prompt.expired': { target: 'expired', actions: 'rememberRequirement' },
  'prompt.resolved': { target: 'resolved' },
} as const;

/**
 * State machine of the screens of one sign-in: name, password, second factor, conditional access screens, the
 * prompt with its setup and error screens, and the end. The rules are evaluated once, when the facts of the attempt
 * are complete.
 */
export const signInMachine = signInSetup.createMachine({
  id: 'signIn',
  context: { pending: [], required: false },
  initial: 'name',
  states: {
    name: {
      meta: { page: 'name', rules: ['R13.1'] },
      on: { 'name.accepted': 'password', 'attempt.evaluated': afterEvaluation },
    },
    password: {
      meta: { page: 'password', rules: ['R1'] },
      on: {
        'password.accepted': [{ guard: 'secondFactorIsExternal', target: 'externalMfa' }, { target: 'mfa' }],
        'attempt.evaluated': afterEvaluation,
      },
    },
    mfa: {
      meta: { page: 'mfa', rules: ['R1', 'R3'] },
      on: { 'mfa.methodListOpened': 'mfaChoice', 'attempt.evaluated': afterEvaluation },
    },
    mfaChoice: { meta: { page: 'mfa-choice', rules: ['R3'] }, on: { 'mfa.methodChosen': 'mfa' } },
    externalMfa: { meta: { page: 'external-mfa', rules: ['R3', 'A21'] }, on: { 'attempt.evaluated': afterEvaluation } },
    securityInfo: { meta: { page: 'security-info', rules: ['R13.2'] }, ...afterInterstitial },
    termsOfUse: { meta: { page: 'terms-of-use', rules: ['R13.4'] }, ...afterInterstitial },
    customControls: { meta: { page: 'custom-controls', rules: ['R13.5'] }, ...afterInterstitial },
    blocked: { meta: { page: 'blocked', rules: ['R13.3'] }, ...afterInterstitial },
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
      on: { ...setUpAnswers, 'push.sent': 'setupTest', 'passkey.created': 'setupName', ...endings },
    },
    setupTest: {
      meta: { page: 'setup-test', rules: ['A11', 'A45'] },
      on: { ...setUpAnswers, 'push.sent': 'setupTest', ...endings },
    },
    setupName: { meta: { page: 'setup-name', rules: ['A11'] }, on: { ...setUpAnswers, ...endings } },
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

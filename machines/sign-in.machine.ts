import { assign, setup } from 'xstate';
import type { VerdictOutcome } from './vocabulary.ts';

/** The screens of one sign-in; the state of the machine is the screen that the user sees. */
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

/** Screens between Next on a prompt and its registration. */
export const setupScreens = ['setup', 'setupTest', 'setupName'] as const satisfies readonly Screen[];

/** Screens between second factor and end that are not the nudge, in the order in which they are shown. */
export const interstitialScreens = ['securityInfo', 'termsOfUse', 'customControls', 'blocked'] as const;
export type InterstitialScreen = (typeof interstitialScreens)[number];

export interface SignInContext {
  /** Interstitials that are still to come after the one that is shown. */
  readonly pending: readonly InterstitialScreen[];
  /** The prompt had no way out when it ended, so a late skip signs no one in (A1). */
  readonly required: boolean;
}

export type SignInEvent =
  | { readonly type: 'name.accepted' }
  | { readonly type: 'password.accepted'; readonly externalMfa: boolean }
  /** The user asked for another way to give the second factor, and chose one. */
  | { readonly type: 'mfa.methodListOpened' }
  | { readonly type: 'mfa.methodChosen' }
  /** The rules have evaluated the attempt. */
  | {
      readonly type: 'attempt.evaluated';
      readonly outcome: VerdictOutcome;
      /** What lies between second factor and end, in order. */
      readonly interstitials: readonly InterstitialScreen[];
    }
  | { readonly type: 'interstitial.passed' }
  | { readonly type: 'prompt.nextSelected' }
  | { readonly type: 'prompt.skipped'; readonly refused: boolean }
  /** The app was added, and a test notification was sent to it. */
  | { readonly type: 'push.sent' }
  /** A passkey was made; it is registered when it has its name. */
  | { readonly type: 'passkey.created' }
  | { readonly type: 'setup.completed' }
  | { readonly type: 'setup.failed' }
  | { readonly type: 'errorScreen.skipped' }
  /** The prompt reached its end, or what was left open was settled (A40, A41). */
  | { readonly type: 'prompt.expired'; readonly required: boolean }
  /** The user registered elsewhere while this prompt was open (A27, A43). */
  | { readonly type: 'prompt.resolved' };

/** The interstitials that come from here on: those that were evaluated, or the rest of them. */
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

/** What ends a setup from any of its screens; "Next" goes back to its first one. */
const setUpAnswers = {
  'prompt.nextSelected': 'setup',
  'setup.completed': 'signedIn',
  'setup.failed': 'errorScreen',
  'prompt.skipped': afterSkip,
} as const;

/** A prompt ends without an answer from any of its screens. */
const endings = {
  'prompt.expired': { target: 'expired', actions: 'rememberRequirement' },
  'prompt.resolved': { target: 'resolved' },
} as const;

/**
 * The screens of one sign-in in order: name, password, second factor, what conditional access puts in between, the nudge
 * with setup and error screen, and the end. The rules evaluate once, when the facts of the attempt are complete.
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

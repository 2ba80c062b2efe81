import {
  interstitialScreens,
  type SignInEvent,
  setupScreens,
  signInMachine,
} from '../../../machines/sign-in.machine.ts';
import { verdictOutcomes } from '../../../machines/vocabulary.ts';
import type { Invariant, Model } from '../../compiled/model.ts';

type SignInMachine = typeof signInMachine;

/** Possible sequences of interstitial pages: every subset, in order. */
const interstitialLists = Array.from({ length: 2 ** interstitialScreens.length }, (_, chosen) =>
  interstitialScreens.filter((_screen, index) => (chosen & (1 << index)) !== 0),
);

const events: readonly SignInEvent[] = [
  { type: 'name.accepted' },
  ...[false, true].map((externalMfa) => ({ type: 'password.accepted' as const, externalMfa })),
  { type: 'mfa.methodListOpened' },
  { type: 'mfa.methodChosen' },
  ...verdictOutcomes.flatMap((outcome) =>
    interstitialLists.map((interstitials) => ({ type: 'attempt.evaluated' as const, outcome, interstitials })),
  ),
  { type: 'interstitial.passed' },
  { type: 'prompt.nextSelected' },
  ...[false, true].map((refused) => ({ type: 'prompt.skipped' as const, refused })),
  { type: 'push.sent' },
  { type: 'passkey.created' },
  { type: 'setup.completed' },
  { type: 'setup.failed' },
  { type: 'errorScreen.skipped' },
  ...[false, true].map((required) => ({ type: 'prompt.expired' as const, required })),
  { type: 'prompt.resolved' },
];

const setUp: readonly string[] = setupScreens;

const invariants: readonly Invariant<SignInMachine>[] = [
  {
    id: 'sign-in.required-ends-rightly',
    sentence: 'A rejected skip does not sign the user in, whether before or after the prompt expires (R6, A1).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      after.value !== 'signedIn' ||
      before.value === 'signedIn' ||
      event.type !== 'prompt.skipped' ||
      (before.value === 'expired' ? !before.context.required : before.value === 'resolved' || !event.refused),
  },
  {
    id: 'sign-in.error-skip-at-error-screen',
    sentence:
      'Skipping an error screen signs the user in only from that screen, or from a prompt resolved elsewhere (A12, A27).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      event.type !== 'errorScreen.skipped' ||
      after.value === before.value ||
      before.value === 'errorScreen' ||
      before.value === 'resolved',
  },
  {
    id: 'sign-in.registers-in-set-up',
    sentence: 'A setup is completed only on its own screens (A11).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      event.type !== 'setup.completed' || after.value === before.value || setUp.includes(String(before.value)),
  },
  {
    id: 'sign-in.prompt-after-judgement',
    sentence: 'A prompt is first shown because of its verdict, with no screen in between (R13.2 to R13.5).',
    of: 'edge',
    holds: ({ before, event, after }) =>
      after.value !== 'prompt' ||
      before.value === 'prompt' ||
      (event.type === 'attempt.evaluated' && event.outcome === 'skippable' && event.interstitials.length === 0),
  },
  {
    id: 'sign-in.interstitials-in-order',
    sentence: 'The remaining screens are in the order in which they are shown (R13.2 to R13.5).',
    of: 'state',
    holds: ({ context }) => isInOrder(context.pending.map((screen) => interstitialScreens.indexOf(screen))),
  },
];

function isInOrder(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) < number);
}

/** Model of the screens of one sign-in, under every known event with every possible value. */
export const signInModel: Model<SignInMachine> = { name: 'sign-in', machine: signInMachine, events, invariants };

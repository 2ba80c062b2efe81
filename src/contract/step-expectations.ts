import type { StepKind } from './step-names.ts';

/** Steps that end at a page of a sign-in. */
export const pageSteps: readonly StepKind[] = [
  'signIn',
  'next',
  'skip',
  'closeBrowser',
  'abandon',
  'reload',
  'register',
  'upgradePasskey',
  'failRegistration',
  'skipError',
];
const bodies: readonly StepKind[] = ['getPolicy', 'patchPolicy', 'callApi', 'lookup', 'document'];
const responses: readonly StepKind[] = [...pageSteps, 'signOut', ...bodies];
const verdicts: readonly StepKind[] = [...pageSteps, 'explain'];

/** The kinds of steps that can show what a key of `expect` names; all steps can show a key that is not listed. */
export const observableKeys: Readonly<Record<string, readonly StepKind[]>> = {
  page: [...pageSteps, 'signOut'],
  visitedPages: ['signIn', 'signOut'],
  outcome: verdicts,
  reason: verdicts,
  warnings: verdicts,
  status: responses,
  headers: bodies,
  body: bodies,
  remaining: ['lookup'],
  ceremony: pageSteps,
  signals: pageSteps,
};

/**
 * Controls of the sign-in pages, by page. Pages declare them in `data-control`, so drivers find a control by the same
 * name in every language.
 */
export const pageControls = {
  name: ['username', 'next', 'passkey'],
  password: ['password', 'submit-password', 'passkey'],
  mfa: [
    'code',
    'verify-code',
    'send-code',
    'check-push',
    'send-push',
    'open-phone',
    'passkey',
    'test-passkey',
    'other-method',
  ],
  'mfa-choice': ['method', 'use-method'],
  'external-mfa': ['continue'],
  'security-info': ['continue'],
  'terms-of-use': ['continue'],
  'custom-controls': ['continue'],
  blocked: ['continue'],
  prompt: ['next', 'skip'],
  required: ['next'],
  setup: [
    'try-app',
    'make-passkey',
    'fail',
    'open-test-authenticator',
    'passkey-type',
    'device',
    'finish',
    'setup-code',
    'new-password',
    'repeated-password',
    'accept-terms',
    'open-phone',
    'complete-setup',
  ],
  'setup-test': ['finish', 'send-push', 'open-phone', 'fail'],
  'setup-name': ['passkey-name', 'name-passkey'],
  'error-screen': ['next', 'skip-error'],
  closed: ['continue', 'sign-in-again'],
  'signed-in': ['continue', 'sign-in-again', 'open-security-info'],
  'not-nudged': ['sign-in-again', 'open-security-info'],
  'account-picker': ['keep', 'other'],
  'stay-signed-in': ['stay', 'go'],
  consent: ['grant', 'refuse'],
  'sign-out': ['sign-out', 'keep-session'],
  'signed-out': ['sign-in-again'],
  'hand-over': ['continue'],
  'signing-out': ['continue'],
  'device-code': ['user-code', 'next'],
  'device-confirmation': ['confirm', 'cancel'],
  phone: ['number', 'approve', 'deny', 'reload'],
} as const;

/** Button of one answer on the prompt of an own campaign: its id follows the hyphen. */
export type AnswerControl = `answer-${string}`;

/** Name of a control on a sign-in page. */
export type PageControl = (typeof pageControls)[keyof typeof pageControls][number] | AnswerControl;

const answerPrefix = 'answer-';

/** Returns the control of an answer, which is also the action of its form. */
export function toAnswerControl(id: string): AnswerControl {
  return `${answerPrefix}${id}`;
}

/** Returns the id of the answer that a control or an action gives, or `null` for another one. */
export function findAnswerId(control: string): string | null {
  return control.startsWith(answerPrefix) ? control.slice(answerPrefix.length) : null;
}

/** Languages of the sign-in pages as BCP 47 tags. The first language is the default. */
export const pageLanguages = ['en', 'ar'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

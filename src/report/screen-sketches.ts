import type { TargetedMethod } from '../../machines/vocabulary.ts';
import type { StepResult } from '../contract/result.schema.ts';
import type { FactorScreen, PageName } from '../contract/step-names.ts';

/** Name of a picture: a screen, or a sign for an action without a screen. */
export type PictureName = FactorScreen | PageName | `${PageName}-${TargetedMethod}` | 'expired' | 'resolved' | Sign;

type Sign = 'clock' | 'settings' | 'person' | 'request' | 'rules' | 'lens' | 'paper' | 'unseen';

/** Outline of a screen. The first button is the main one. */
export interface Sketch {
  readonly heading: string;
  /** Label of the input field. */
  readonly field?: string;
  /** Name of the drawing in the middle, which has 28 by 28 units. */
  readonly drawing?: keyof typeof drawings;
  /** Number of lines that represent text, which would be illegible at this size. */
  readonly lines?: number;
  readonly buttons?: readonly string[];
  /** True if the window is closed. */
  readonly isGone?: boolean;
}

/** Drawings of 28 by 28 units. */
export const drawings = {
  done: '<circle class="g" cx="14" cy="14" r="12"/><path class="on" d="M8 14l4 5 8-9"/>',
  wrong: '<circle class="b" cx="14" cy="14" r="12"/><path class="on" d="M9 9l10 10M19 9L9 19"/>',
  stop: '<circle class="b" cx="14" cy="14" r="12"/><path class="on" d="M7 14h14"/>',
  phone: '<rect class="o" x="8" y="2" width="12" height="24" rx="2"/><path class="o" d="M12 23h4M11 12l2 3 4-5"/>',
  key: '<circle class="o" cx="8" cy="14" r="5"/><path class="o" d="M13 14h13v5M21 14v4"/>',
  scan: '<path class="t" d="M3 3h9v9H3zM16 3h9v9h-9zM3 16h9v9H3zM16 16h4v4h-4zM21 21h4v4h-4zM16 23h3v2h-3zM23 16h2v3h-2z"/><path class="c" d="M6 6h3v3H6zM19 6h3v3h-3zM6 19h3v3H6z"/>',
  number: '<rect class="o" x="0" y="4" width="28" height="20" rx="4"/><text class="n" x="14" y="19">42</text>',
  people:
    '<circle class="q" cx="3" cy="7" r="4"/><path class="l" d="M11 7h28"/><circle class="q" cx="3" cy="19" r="4"/><path class="l" d="M11 19h20"/>',
  list: '<circle class="o" cx="2" cy="5" r="2.5"/><path class="l" d="M9 5h28"/><circle class="o" cx="2" cy="14" r="2.5"/><path class="l" d="M9 14h22"/><circle class="o" cx="2" cy="23" r="2.5"/><path class="l" d="M9 23h25"/>',
  ticks: '<path class="o" d="M0 6l3 3 5-6M0 18l3 3 5-6"/><path class="l" d="M13 6h26M13 18h18"/>',
  tiles: '<path class="q" d="M0 2h12v10H0zM16 2h12v10H16zM0 16h12v10H0zM16 16h12v10H16z"/>',
  away: '<path class="o" d="M11 4H3v20h8M11 14h15M20 8l6 6-6 6"/>',
  puzzle: '<path class="o" d="M3 8h7a4 4 0 1 1 8 0h7v17H3z"/>',
} as const;

/** Outline of each screen. */
export const screenSketches: Readonly<Partial<Record<PictureName, Sketch>>> = {
  name: { heading: 'Sign in', field: 'Username', buttons: ['Next'] },
  password: { heading: 'Password', field: '••••••••', buttons: ['Sign in'] },
  code: { heading: 'Verify it is you', field: 'Code', buttons: ['Verify'] },
  number: { heading: 'Enter it in the app', drawing: 'number' },
  passkey: { heading: 'Use your passkey', drawing: 'key', buttons: ['Use passkey'] },
  choice: { heading: 'Choose a method', drawing: 'list', buttons: ['Continue'] },
  elsewhere: { heading: 'Verify elsewhere', drawing: 'away', buttons: ['Continue'] },
  mfa: { heading: 'Not verified', field: 'Code', buttons: ['Verify'] },
  'terms-of-use': { heading: 'Terms of use', lines: 4, buttons: ['Accept'] },
  'security-info': { heading: 'More is required', lines: 3, buttons: ['Continue'] },
  'custom-controls': { heading: 'Custom control', drawing: 'puzzle', buttons: ['Continue'] },
  blocked: { heading: 'Setup is blocked', drawing: 'stop', buttons: ['Continue'] },
  prompt: { heading: 'Improve your sign-in', lines: 2, buttons: ['Next', 'Skip for now'] },
  'prompt-vendorAuthenticator': { heading: 'Set up the app', drawing: 'phone', buttons: ['Next', 'Skip for now'] },
  'prompt-fido2': { heading: 'Set up a passkey', drawing: 'key', buttons: ['Next', 'Skip for now'] },
  required: { heading: 'Setup is required', lines: 2, buttons: ['Next'] },
  'required-vendorAuthenticator': { heading: 'The app is required', drawing: 'phone', buttons: ['Next'] },
  'required-fido2': { heading: 'Passkey required', drawing: 'key', buttons: ['Next'] },
  setup: { heading: 'Setup', lines: 3, buttons: ['Next'] },
  'setup-vendorAuthenticator': { heading: 'Scan with the app', drawing: 'scan', buttons: ['Next'] },
  'setup-fido2': { heading: 'Create a passkey', drawing: 'key', buttons: ['Create passkey'] },
  'error-screen': { heading: 'Setup failed', drawing: 'wrong', buttons: ['Try again', 'Skip'] },
  expired: { heading: 'The prompt expired', lines: 1, buttons: ['Skip for now'] },
  resolved: { heading: 'Already set up', drawing: 'done', buttons: ['Continue'] },
  'signed-in': { heading: 'Signed in', drawing: 'done' },
  'not-nudged': { heading: 'Signed in, no prompt', drawing: 'done' },
  'account-picker': { heading: 'Pick an account', drawing: 'people' },
  'stay-signed-in': { heading: 'Stay signed in?', lines: 1, buttons: ['Yes', 'No'] },
  consent: { heading: 'Permissions', drawing: 'ticks', buttons: ['Accept', 'Cancel'] },
  application: { heading: 'The application', drawing: 'tiles' },
  'application-refused': { heading: 'Access denied', drawing: 'wrong' },
  'sign-out': { heading: 'Sign out?', lines: 1, buttons: ['Sign out'] },
  'signed-out': { heading: 'Signed out', drawing: 'away' },
  closed: { heading: 'Closed', isGone: true },
  unseen: { heading: '', isGone: true },
};

/** Signs of 28 by 28 units for actions without a screen. */
export const signs: Readonly<Partial<Record<PictureName, string>>> = {
  clock: '<circle class="o" cx="14" cy="14" r="11"/><path class="o" d="M14 7v7l5 4"/>',
  settings:
    '<path class="o" d="M2 7h15M23 7h3M2 14h3M11 14h15M2 21h12M20 21h6"/><circle class="o" cx="20" cy="7" r="3"/><circle class="o" cx="8" cy="14" r="3"/><circle class="o" cx="17" cy="21" r="3"/>',
  person: '<circle class="o" cx="14" cy="9" r="5"/><path class="o" d="M4 26a10 10 0 0 1 20 0"/>',
  request: '<path class="o" d="M10 4c-6 0-1 10-7 10 6 0 1 10 7 10M18 4c6 0 1 10 7 10-6 0-1 10-7 10"/>',
  rules: '<path class="o" d="M14 3v22M7 25h14M5 8h18M5 8l-3 8h7zM23 8l-4 8h7z"/>',
  lens: '<circle class="o" cx="12" cy="12" r="8"/><path class="o" d="M18 18l8 8"/>',
  paper: '<path class="o" d="M6 3h11l5 5v17H6zM17 3v5h5M10 14h8M10 19h8"/>',
};

/** Sign for each step without a screen. */
export const stepSigns: Readonly<Partial<Record<StepResult['kind'], PictureName>>> = {
  advance: 'clock',
  setClock: 'clock',
  setTenant: 'settings',
  setFaults: 'settings',
  setUser: 'person',
  removeMethod: 'person',
  getPolicy: 'request',
  patchPolicy: 'request',
  callApi: 'request',
  explain: 'rules',
  lookup: 'lens',
  document: 'paper',
};

import { application } from './relying-party.ts';
import type { Errand } from './tabs.ts';

/** A second application at another address. */
export const elsewhere = application.replace('callback', 'elsewhere');

/** What two tabs of one browser do, and how each has to end. */
export interface Story {
  readonly title: string;
  readonly first: Partial<Errand>;
  readonly second: Partial<Errand>;
  /** Pages that each tab has to itself, the first load among them. */
  readonly steps: readonly [first: number, second: number];
  /** Each how many orders one is walked. */
  readonly every?: number;
  readonly clients?: readonly [first: string, second: string];
  readonly before?: string;
  readonly settings?: object;
  readonly tenant?: object;
  readonly endings: readonly [first: RegExp, second: RegExp];
}

const codeOf = (user: string) => new RegExp(`^code of (${user})$`);
const login = { parameters: { prompt: 'login' } };
const nudged = {
  campaign: {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

/** What the orders of their pages are tried for. */
export const stories: readonly Story[] = [
  {
    title: 'one user at two applications',
    first: {},
    second: {},
    steps: [4, 4],
    every: 2,
    endings: [codeOf('ada'), codeOf('ada')],
  },
  {
    title: 'one user twice at one application',
    first: {},
    second: {},
    clients: ['test-public', 'test-public'],
    steps: [4, 4],
    every: 3,
    endings: [codeOf('ada'), codeOf('ada')],
  },
  {
    title: 'two users who both have to sign in',
    first: login,
    second: { user: 'ben', ...login },
    steps: [4, 4],
    every: 3,
    endings: [codeOf('ada'), codeOf('ben')],
  },
  {
    title: 'two users, one after the session of the other',
    first: {},
    second: { user: 'ben', ...login },
    steps: [4, 4],
    every: 2,
    // Who has not signed in in a tab goes on with the session that there is.
    endings: [codeOf('ada|ben'), codeOf('ben')],
  },
  {
    title: 'two users over a session',
    before: 'ada',
    first: { user: 'ben', ...login },
    second: login,
    steps: [4, 4],
    every: 2,
    endings: [codeOf('ben'), codeOf('ada')],
  },
  {
    title: 'a consent of one user while another one signs in',
    before: 'ada',
    clients: ['test-consent', 'test-web'],
    first: {},
    second: { user: 'ben', ...login },
    steps: [2, 4],
    endings: [codeOf('ada|ben'), codeOf('ben')],
  },
  {
    title: 'two consents of one user at one application',
    clients: ['test-consent', 'test-consent'],
    first: {},
    second: {},
    steps: [5, 5],
    every: 9,
    endings: [codeOf('ada'), codeOf('ada')],
  },
  {
    title: 'two consents of two users',
    clients: ['test-consent', 'test-consent'],
    first: login,
    second: { user: 'ben', ...login },
    steps: [5, 5],
    every: 11,
    endings: [codeOf('ada'), codeOf('ben')],
  },
  {
    title: 'a refused consent beside one that is given',
    clients: ['test-consent', 'test-consent'],
    first: { ways: { consent: ['Cancel'] }, parameters: { prompt: 'login consent' } },
    second: { parameters: { prompt: 'login consent' } },
    steps: [5, 5],
    every: 11,
    endings: [/^error access_denied$/, codeOf('ada')],
  },
  {
    title: 'nudges of two users',
    tenant: nudged,
    first: login,
    second: { user: 'ben', ...login },
    steps: [5, 5],
    every: 13,
    endings: [codeOf('ada'), codeOf('ben')],
  },
  {
    title: 'two users who are asked to stay signed in',
    settings: { askToStaySignedIn: true },
    first: { ways: { 'stay-signed-in': ['Yes'] }, ...login },
    second: { user: 'ben', ...login },
    steps: [5, 5],
    every: 13,
    endings: [codeOf('ada'), codeOf('ben')],
  },
  {
    title: 'the account that is picked is the one of the tokens',
    before: 'ada',
    first: { parameters: { prompt: 'select_account' }, ways: { 'account-picker': ['Ada (ada@example.test)'] } },
    second: { user: 'ben', ...login },
    steps: [2, 4],
    // Whose account is no longer there is asked again.
    endings: [/^(code of ada|200 account-picker)$/, codeOf('ben')],
  },
  {
    title: 'another account in one tab, a sign-in in the other',
    before: 'ada',
    first: {
      user: 'ben',
      parameters: { prompt: 'select_account' },
      ways: { 'account-picker': ['Use another account'] },
    },
    second: login,
    steps: [5, 4],
    every: 3,
    endings: [codeOf('ben'), codeOf('ada')],
  },
];

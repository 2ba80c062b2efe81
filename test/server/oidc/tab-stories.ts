import { application } from './relying-party.ts';
import type { Errand } from './tabs.ts';

/** Redirect URI of a second application. */
export const elsewhere = application.replace('callback', 'elsewhere');

/** Steps of two tabs in one browser, with the expected ending of each. */
export interface Story {
  readonly title: string;
  readonly first: Partial<Errand>;
  readonly second: Partial<Errand>;
  /** Number of pages that belong to each tab alone, including the first load. */
  readonly steps: readonly [first: number, second: number];
  /** Sampling interval: every n-th order of the steps is tested. */
  readonly every?: number;
  readonly clients?: readonly [first: string, second: string];
  readonly before?: string;
  readonly settings?: object;
  readonly tenant?: object;
  readonly endings: readonly [first: RegExp, second: RegExp];
}

const getCode = (user: string) => new RegExp(`^code of (${user})$`);
const signInAgain = { parameters: { prompt: 'login' } };
const nudged = {
  campaign: {
    state: 'enabled',
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

/** Cases whose page orders are tested. */
export const stories: readonly Story[] = [
  {
    title: 'one user at two applications',
    first: {},
    second: {},
    steps: [4, 4],
    every: 2,
    endings: [getCode('ada'), getCode('ada')],
  },
  {
    title: 'one user twice at one application',
    first: {},
    second: {},
    clients: ['test-public', 'test-public'],
    steps: [4, 4],
    every: 3,
    endings: [getCode('ada'), getCode('ada')],
  },
  {
    title: 'two users who both have to sign in',
    first: signInAgain,
    second: { user: 'ben', ...signInAgain },
    steps: [4, 4],
    every: 3,
    endings: [getCode('ada'), getCode('ben')],
  },
  {
    title: 'two users, one after the session of the other',
    first: {},
    second: { user: 'ben', ...signInAgain },
    steps: [4, 4],
    every: 2,
    // A tab without its own sign-in uses the existing session.
    endings: [getCode('ada|ben'), getCode('ben')],
  },
  {
    title: 'two users over a session',
    before: 'ada',
    first: { user: 'ben', ...signInAgain },
    second: signInAgain,
    steps: [4, 4],
    every: 2,
    endings: [getCode('ben'), getCode('ada')],
  },
  {
    title: 'a consent of one user while another one signs in',
    before: 'ada',
    clients: ['test-consent', 'test-web'],
    first: {},
    second: { user: 'ben', ...signInAgain },
    steps: [2, 4],
    endings: [getCode('ada|ben'), getCode('ben')],
  },
  {
    title: 'two consents of one user at one application',
    clients: ['test-consent', 'test-consent'],
    first: {},
    second: {},
    steps: [5, 5],
    every: 9,
    endings: [getCode('ada'), getCode('ada')],
  },
  {
    title: 'two consents of two users',
    clients: ['test-consent', 'test-consent'],
    first: signInAgain,
    second: { user: 'ben', ...signInAgain },
    steps: [5, 5],
    every: 11,
    endings: [getCode('ada'), getCode('ben')],
  },
  {
    title: 'a refused consent beside one that is given',
    clients: ['test-consent', 'test-consent'],
    first: { ways: { consent: ['Cancel'] }, parameters: { prompt: 'login consent' } },
    second: { parameters: { prompt: 'login consent' } },
    steps: [5, 5],
    every: 11,
    endings: [/^error access_denied$/, getCode('ada')],
  },
  {
    title: 'nudges of two users',
    tenant: nudged,
    first: signInAgain,
    second: { user: 'ben', ...signInAgain },
    steps: [5, 5],
    every: 13,
    endings: [getCode('ada'), getCode('ben')],
  },
  {
    title: 'two users who are asked to stay signed in',
    settings: { askToStaySignedIn: true },
    first: { ways: { 'stay-signed-in': ['Yes'] }, ...signInAgain },
    second: { user: 'ben', ...signInAgain },
    steps: [5, 5],
    every: 13,
    endings: [getCode('ada'), getCode('ben')],
  },
  {
    title: 'the account that is picked is the one of the tokens',
    before: 'ada',
    first: { parameters: { prompt: 'select_account' }, ways: { 'account-picker': ['Ada (ada@example.test)'] } },
    second: { user: 'ben', ...signInAgain },
    steps: [2, 4],
    // A tab whose account no longer exists shows the account picker.
    endings: [/^(code of ada|200 account-picker)$/, getCode('ben')],
  },
  {
    title: 'another account in one tab, a sign-in in the other',
    before: 'ada',
    first: {
      user: 'ben',
      parameters: { prompt: 'select_account' },
      ways: { 'account-picker': ['Use another account'] },
    },
    second: signInAgain,
    steps: [5, 4],
    every: 3,
    endings: [getCode('ben'), getCode('ada')],
  },
];

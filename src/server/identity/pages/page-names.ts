import type { ScreenPage } from '../../../sandbox/screen-names.ts';

/** Pages between an application and its user; with the screens of a sign-in they are all that a user of one meets. */
export const applicationPages = ['account-picker', 'stay-signed-in', 'consent', 'sign-out', 'signed-out'] as const;

/** Pages around sign-ins: of problems, of trying things out, of other parts of the server. */
export const pagesAround = [
  'phone',
  'security-info-list',
  'try-it',
  'landing',
  'problem',
  'hand-over',
  'console-sign-in',
  'console-sign-out',
  'document',
  'profile',
  'lookup-sign-in',
  'lookup-tokens',
] as const;

/** What a program can call a page of this server. A page that is in none of these lists does not compile. */
export type PageOfServer = ScreenPage | (typeof applicationPages)[number] | (typeof pagesAround)[number];

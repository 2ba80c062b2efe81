import type { ScreenPage } from '../../../sandbox/screen-names.ts';

/**
 * Pages between an application and its user. Together with the sign-in screens, they cover an application's sign-in.
 */
export const applicationPages = ['account-picker', 'stay-signed-in', 'consent', 'sign-out', 'signed-out'] as const;

/** Pages outside sign-ins, such as error pages, the try-it page, and pages of other parts of the server. */
export const pagesAround = [
  'phone',
  'security-info-list',
  'try-it',
  'landing',
  'problem',
  'hand-over',
  'signing-out',
  'device-code',
  'device-confirmation',
  'device-done',
  'console-sign-in',
  'console-sign-out',
  'document',
  'profile',
  'lookup-sign-in',
  'lookup-tokens',
] as const;

/** Names of all pages of this server. A page that is missing from these lists causes a compile error. */
export type PageOfServer = ScreenPage | (typeof applicationPages)[number] | (typeof pagesAround)[number];

import type { Browser, MatrixPlatform, OperatingSystem, PasskeyType, Platform } from '../../../machines/vocabulary.ts';

/** Columns of the R12 matrix in the order of the specification, each with a matching attempt. */
export const columns: readonly {
  readonly platform: MatrixPlatform;
  readonly os: OperatingSystem;
  readonly browser: Browser;
}[] = [
  { platform: 'windows-chrome', os: 'windows', browser: 'chrome' },
  { platform: 'windows-other', os: 'windows', browser: 'edge' },
  { platform: 'mac-chrome', os: 'macos', browser: 'chrome' },
  { platform: 'mac-other', os: 'macos', browser: 'safari' },
  { platform: 'ios', os: 'ios', browser: 'safari' },
  { platform: 'android', os: 'android', browser: 'chrome' },
];

/** Cells of one row of the matrix. A value of 1 means that the passkey type suppresses the prompt. */
export type Cells = readonly [0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1];

type Matrix = readonly (readonly [PasskeyType, Cells])[];

/** Matrix of R12 in ruleset `seed`. */
export const seedMatrix: Matrix = [
  ['windows-hello-for-business', [1, 1, 0, 0, 0, 0]],
  ['windows-bound', [1, 1, 0, 0, 0, 0]],
  ['password-manager', [1, 0, 1, 0, 0, 1]],
  ['keychain', [0, 0, 1, 1, 1, 0]],
  ['mac-platform-sso', [0, 0, 1, 1, 0, 0]],
  ['handset-vendor', [0, 0, 0, 0, 0, 1]],
  ['authenticator-app', [1, 1, 1, 1, 1, 1]],
  ['security-key', [1, 1, 1, 1, 1, 1]],
];

/** Matrix of R12 in ruleset `2026-09`, which has a different row for the authenticator app. */
export const septemberMatrix: Matrix = [
  ['windows-hello-for-business', [1, 1, 0, 0, 0, 0]],
  ['windows-bound', [1, 1, 0, 0, 0, 0]],
  ['password-manager', [1, 0, 1, 0, 0, 1]],
  ['keychain', [0, 0, 1, 1, 1, 0]],
  ['mac-platform-sso', [0, 0, 1, 1, 0, 0]],
  ['handset-vendor', [0, 0, 0, 0, 0, 1]],
  ['authenticator-app', [0, 0, 0, 0, 1, 1]],
  ['security-key', [1, 1, 1, 1, 1, 1]],
];

/**
 * Matrix column for each operating system and browser, if any. The key `none` is a sign-in without a browser (R12,
 * A36).
 */
export const platformTable: readonly (readonly [OperatingSystem, Readonly<Record<Browser | 'none', Platform>>])[] = [
  [
    'windows',
    {
      chrome: 'windows-chrome',
      edge: 'windows-other',
      firefox: 'windows-other',
      safari: 'windows-other',
      other: 'windows-other',
      none: 'windows-other',
    },
  ],
  [
    'macos',
    {
      chrome: 'mac-chrome',
      edge: 'mac-other',
      firefox: 'mac-other',
      safari: 'mac-other',
      other: 'mac-other',
      none: 'mac-other',
    },
  ],
  ['ios', { chrome: 'ios', edge: 'ios', firefox: 'ios', safari: 'ios', other: 'ios', none: 'ios' }],
  [
    'android',
    { chrome: 'android', edge: 'android', firefox: 'android', safari: 'android', other: 'android', none: 'android' },
  ],
  ['linux', { chrome: 'linux', edge: 'linux', firefox: 'linux', safari: 'linux', other: 'linux', none: 'linux' }],
  [
    'unknown',
    { chrome: 'unknown', edge: 'unknown', firefox: 'unknown', safari: 'unknown', other: 'unknown', none: 'unknown' },
  ],
];

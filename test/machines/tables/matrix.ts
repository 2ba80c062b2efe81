import type { Browser, MatrixPlatform, OperatingSystem, PasskeyType, Platform } from '../../../machines/vocabulary.ts';

/** The columns of the R12 matrix, in the order in which the specification prints them, each with one attempt that is in it. */
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

/** Cells of one row of the matrix: 1 = suppresses. */
export type Cells = readonly [0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1, 0 | 1];

type Matrix = readonly (readonly [PasskeyType, Cells])[];

/** R12, ruleset `seed`. */
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

/** R12, ruleset `2026-09`: the row of the authenticator app is another one. */
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

/** Which column, if any, an operating system is in with each browser; `null` is no browser at all (R12, A36). */
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

import type { AttemptFacts, MatrixPlatform, Platform } from './vocabulary.ts';

/**
 * The device-and-browser combination of an attempt: the column of the R12 matrix, or a platform without one.
 * Edge on Windows is `windows-other`; any browser on iOS or Android goes by the operating system; no browser at all on
 * Windows or Mac is the "other" column (A36).
 */
export function platformOf(attempt: Pick<AttemptFacts, 'os' | 'browser'>): Platform {
  switch (attempt.os) {
    case 'windows':
      return attempt.browser === 'chrome' ? 'windows-chrome' : 'windows-other';
    case 'macos':
      return attempt.browser === 'chrome' ? 'mac-chrome' : 'mac-other';
    default:
      return attempt.os;
  }
}

/** Whether a platform has a column in the R12 matrix (A36: Linux and unknown platforms have none). */
export function hasMatrixColumn(platform: Platform): platform is MatrixPlatform {
  return platform !== 'linux' && platform !== 'unknown';
}

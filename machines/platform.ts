import {
  type AttemptFacts,
  type Browser,
  browsers,
  type MatrixPlatform,
  type Platform,
  type Surface,
} from './vocabulary.ts';

/**
 * Returns the device-and-browser combination of an attempt, which is a column of the R12 matrix or a platform
 * without one. Edge on Windows is `windows-other`. On iOS and Android only the operating system counts. On Windows
 * or Mac without a browser it is the "other" column (A36).
 */
export function getPlatform(attempt: Pick<AttemptFacts, 'os' | 'browser'>): Platform {
  switch (attempt.os) {
    case 'windows':
      return attempt.browser === 'chrome' ? 'windows-chrome' : 'windows-other';
    case 'macos':
      return attempt.browser === 'chrome' ? 'mac-chrome' : 'mac-other';
    default:
      return attempt.os;
  }
}

/** Returns true if a platform has a column in the R12 matrix. Linux and unknown platforms have none (A36). */
export function hasMatrixColumn(platform: Platform): platform is MatrixPlatform {
  return platform !== 'linux' && platform !== 'unknown';
}

/**
 * Returns the browsers that a surface can have: any browser for browser pages, only an unnamed one for an embedded
 * view of an app or of the system, and none for a native app (A36).
 */
export function browsersOn(surface: Surface): readonly (Browser | null)[] {
  if (surface === 'browser') return browsers;
  return surface === 'native-app' ? [null] : ['other'];
}

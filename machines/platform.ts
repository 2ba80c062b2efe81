import {
  type AttemptFacts,
  type Browser,
  browsers,
  type MatrixPlatform,
  type Platform,
  type Surface,
} from './vocabulary.ts';

/**
 * The device-and-browser combination of an attempt: the column of the R12 matrix, or a platform without one.
 * Edge on Windows is `windows-other`; any browser on iOS or Android goes by the operating system; no browser at all on
 * Windows or Mac is the "other" column (A36).
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

/** Whether a platform has a column in the R12 matrix (A36: Linux and unknown platforms have none). */
export function hasMatrixColumn(platform: Platform): platform is MatrixPlatform {
  return platform !== 'linux' && platform !== 'unknown';
}

/**
 * The browsers that a surface can have: any on pages of a browser, none by name in the view of an app or of the system, and no
 * browser at all in a native app (A36).
 */
export function browsersOn(surface: Surface): readonly (Browser | null)[] {
  if (surface === 'browser') return browsers;
  return surface === 'native-app' ? [null] : ['other'];
}

import { browsersOn } from '../../../machines/platform.ts';
import {
  type Browser,
  browsers,
  type OperatingSystem,
  operatingSystems,
  type Surface,
  surfaces,
} from '../../../machines/vocabulary.ts';
import { deviceProfile } from '../../scenario/drivers/browser/device-profiles.ts';

/** Arbitrary version; the set of browsers does not depend on it. */
const chromiumVersion = '150.0.0.0';

/** Browsers with a profile, by operating system; a system without profiles has no entry. */
const profiled: ReadonlyMap<OperatingSystem, readonly Browser[]> = new Map(
  operatingSystems.map((os) => [os, browsers.filter((browser) => deviceProfile({ os, browser }, chromiumVersion))]),
);

/**
 * Checks whether a browser runs on a system, by the profiles of the browser driver. A browser without a name runs on
 * every system, and on a system without profiles every browser is accepted.
 */
export function runsOn(browser: Browser | null, os: OperatingSystem): boolean {
  const known = profiled.get(os) ?? [];
  return browser === null || browser === 'other' || known.length === 0 || known.includes(browser);
}

/** Checks whether a surface can have this browser, or no browser (A36). */
export function isShownIn(browser: Browser | null, surface: Surface): boolean {
  return browsersOn(surface).includes(browser);
}

/** Possible platforms of a sign-in: all valid combinations of system, browser and surface. */
export const possiblePlatforms: readonly {
  readonly os: OperatingSystem;
  readonly browser: Browser | null;
  readonly surface: Surface;
}[] = operatingSystems.flatMap((os) =>
  surfaces.flatMap((surface) =>
    browsersOn(surface)
      .filter((browser) => runsOn(browser, os))
      .map((browser) => ({ os, browser, surface })),
  ),
);

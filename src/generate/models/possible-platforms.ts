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

/** Any version: which browsers there are does not depend on it. */
const chromiumVersion = '150.0.0.0';

/** The browsers with a profile on a system; none for a system of which the profiles say nothing. */
const profiled: ReadonlyMap<OperatingSystem, readonly Browser[]> = new Map(
  operatingSystems.map((os) => [os, browsers.filter((browser) => deviceProfile({ os, browser }, chromiumVersion))]),
);

/**
 * Whether a browser runs on a system, by the profiles that the browser driver can take on. A browser without a name may run
 * anywhere, and of a system without any profile nothing is known.
 */
export function runsOn(browser: Browser | null, os: OperatingSystem): boolean {
  const known = profiled.get(os) ?? [];
  return browser === null || browser === 'other' || known.length === 0 || known.includes(browser);
}

/** Whether a surface can have this browser, or none (A36). */
export function isShownIn(browser: Browser | null, surface: Surface): boolean {
  return browsersOn(surface).includes(browser);
}

/** Where a sign-in can take place: every system, browser and surface that go together. */
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

import type { AttemptFacts } from '../../../../machines/vocabulary.ts';

/** Brand that a browser sends in its client hints. */
interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** Client hints of a Chromium browser. Other browsers have none. */
export interface ClientHints {
  readonly brands: readonly Brand[];
  readonly fullVersionList: readonly Brand[];
  readonly platform: string;
  readonly platformVersion: string;
  readonly architecture: string;
  readonly bitness: string;
  readonly model: string;
  readonly mobile: boolean;
}

/** Device and browser as they appear to a server and to scripts. */
export interface DeviceProfile {
  readonly userAgent: string;
  /** Value of `navigator.platform`. */
  readonly platform: string;
  readonly vendor: string;
  /** Client hints, or `null` if the browser sends none and has no `navigator.userAgentData`. */
  readonly hints: ClientHints | null;
  readonly screen: ScreenProfile;
}

/** Screen in CSS pixels with its capabilities. */
export interface ScreenProfile {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly touch: boolean;
  readonly mobile: boolean;
}

type OperatingSystem = AttemptFacts['os'];
type Browser = NonNullable<AttemptFacts['browser']>;

/** Operating system with a browser that runs on it. */
export interface Device {
  readonly os: OperatingSystem;
  readonly browser: Browser;
}

/** Profiles of the named combinations: the columns of the R12 suppression matrix, and Linux. */
export const namedDevices = {
  'windows-chrome': { os: 'windows', browser: 'chrome' },
  'windows-other': { os: 'windows', browser: 'edge' },
  'mac-chrome': { os: 'macos', browser: 'chrome' },
  'mac-other': { os: 'macos', browser: 'safari' },
  ios: { os: 'ios', browser: 'safari' },
  android: { os: 'android', browser: 'chrome' },
  linux: { os: 'linux', browser: 'chrome' },
} as const satisfies Record<string, Device>;
export type DeviceName = keyof typeof namedDevices;

interface SystemRow {
  /** Name of the system in the user agent of Chromium browsers, which have frozen it. */
  readonly chromium: string;
  readonly firefox: string | null;
  readonly platform: string;
  readonly hints: Pick<ClientHints, 'platform' | 'platformVersion' | 'architecture' | 'bitness' | 'model' | 'mobile'>;
  readonly screen: ScreenProfile;
}

const desktop: ScreenProfile = { width: 1280, height: 800, scale: 1, touch: false, mobile: false };

const systems: Readonly<Partial<Record<OperatingSystem, SystemRow>>> = {
  windows: {
    chromium: 'Windows NT 10.0; Win64; x64',
    firefox: 'Windows NT 10.0; Win64; x64',
    platform: 'Win32',
    hints: createHints('Windows', '15.0.0', 'x86'),
    screen: desktop,
  },
  macos: {
    chromium: 'Macintosh; Intel Mac OS X 10_15_7',
    firefox: 'Macintosh; Intel Mac OS X 10.15',
    platform: 'MacIntel',
    hints: createHints('macOS', '15.5.0', 'arm'),
    screen: { ...desktop, scale: 2 },
  },
  linux: {
    chromium: 'X11; Linux x86_64',
    firefox: 'X11; Linux x86_64',
    platform: 'Linux x86_64',
    hints: createHints('Linux', '', 'x86'),
    screen: desktop,
  },
  android: {
    chromium: 'Linux; Android 10; K',
    firefox: 'Android 16; Mobile',
    platform: 'Linux armv81',
    hints: { ...createHints('Android', '16.0.0', ''), bitness: '', model: 'Pixel 9', mobile: true },
    screen: { width: 412, height: 915, scale: 2.625, touch: true, mobile: true },
  },
};

const phone: ScreenProfile = { width: 393, height: 852, scale: 3, touch: true, mobile: true };
const iosSystem = 'iPhone; CPU iPhone OS 18_5 like Mac OS X';
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const safariVersion = '26.0';
const firefoxVersion = '150.0';
const edgeVersion = '0.0.0';

/**
 * Returns the profile of a device, or `null` for a combination that does not exist, such as Safari on Windows.
 *
 * @param chromiumVersion - full version of the running Chromium, which browsers of its family report as their own
 */
export function deviceProfile({ os, browser }: Device, chromiumVersion: string): DeviceProfile | null {
  if (os === 'ios') return iosProfile(browser);
  const system = systems[os];
  if (system === undefined) return null;
  switch (browser) {
    case 'chrome':
    case 'edge':
      return chromiumProfile(system, browser, chromiumVersion);
    case 'firefox':
      return firefoxProfile(system);
    case 'safari':
      return os === 'macos' ? safariProfile(system) : null;
    default:
      return null;
  }
}

function chromiumProfile(system: SystemRow, browser: 'chrome' | 'edge', fullVersion: string): DeviceProfile {
  const major = fullVersion.split('.')[0] ?? '';
  const brand = browser === 'chrome' ? 'Google Chrome' : 'Microsoft Edge';
  const brands = (version: string, greased: string): readonly Brand[] => [
    { brand: 'Chromium', version },
    { brand, version },
    { brand: 'Not_A Brand', version: greased },
  ];
  const mobile = system.hints.mobile ? ' Mobile' : '';
  const edge = browser === 'edge' ? ` ${system.hints.mobile ? 'EdgA' : 'Edg'}/${major}.${edgeVersion}` : '';
  return {
    userAgent: `Mozilla/5.0 (${system.chromium}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0${mobile} Safari/537.36${edge}`,
    platform: system.platform,
    vendor: 'Google Inc.',
    hints: {
      ...system.hints,
      brands: brands(major, '24'),
      fullVersionList: brands(fullVersion, '24.0.0.0'),
    },
    screen: system.screen,
  };
}

function firefoxProfile({ firefox, platform, screen }: SystemRow): DeviceProfile {
  const engine = screen.mobile ? `Gecko/${firefoxVersion}` : 'Gecko/20100101';
  return {
    userAgent: `Mozilla/5.0 (${firefox}; rv:${firefoxVersion}) ${engine} Firefox/${firefoxVersion}`,
    platform,
    vendor: '',
    hints: null,
    screen,
  };
}

function safariProfile({ chromium, platform, screen }: SystemRow): DeviceProfile {
  return {
    userAgent: `Mozilla/5.0 (${chromium}) ${webkit} Version/${safariVersion} Safari/605.1.15`,
    platform,
    vendor: 'Apple Computer, Inc.',
    hints: null,
    screen,
  };
}

/** Returns the profile of a browser on iOS. Every one uses the engine of Safari and reports its own name. */
function iosProfile(browser: Browser): DeviceProfile | null {
  const name = iosBrowsers[browser];
  if (name === undefined) return null;
  return {
    userAgent: `Mozilla/5.0 (${iosSystem}) ${webkit} ${name} Mobile/15E148 Safari/604.1`,
    platform: 'iPhone',
    vendor: 'Apple Computer, Inc.',
    hints: null,
    screen: phone,
  };
}

const iosBrowsers: Readonly<Partial<Record<Browser, string>>> = {
  safari: `Version/${safariVersion}`,
  chrome: 'CriOS/153.0.8010.0',
  firefox: `FxiOS/${firefoxVersion}`,
  edge: `Version/${safariVersion} EdgiOS/153.0.3500.0`,
};

function createHints(platform: string, platformVersion: string, architecture: string): SystemRow['hints'] {
  return { platform, platformVersion, architecture, bitness: '64', model: '', mobile: false };
}

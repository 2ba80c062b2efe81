import { accessSync, constants } from 'node:fs';
import { homedir, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { NudgeLabError } from '../../../core/errors.ts';
import { chromiumType } from './chromium-type.ts';
import { unpackedChromium } from './unpacked-chromium.ts';

/** Browser that can be started. */
export interface FoundBrowser {
  readonly executablePath: string;
  /** Required arguments in addition to those of Playwright. */
  readonly args: readonly string[];
  /** Description of where the browser was found. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variable with the browser to use, which takes precedence over every other browser. */
export const browserVariable = 'NUDGELAB_BROWSER';

/**
 * Finds the Chromium for the browser driver in this order: the browser in `NUDGELAB_BROWSER`, the optional package
 * on Linux, the browser installed by Playwright, and the system's Chromium, Chrome or Edge. Throws
 * `browser-missing` if there is none, or if the path in the variable does not exist.
 *
 * @param env - environment variables
 */
export async function findBrowser(env: Environment = {}): Promise<FoundBrowser> {
  const named = env[browserVariable] ?? '';
  if (named !== '') {
    if (isExecutable(named)) return { executablePath: named, args: [], origin: browserVariable };
    throw new NudgeLabError('browser-missing', {
      message: `${browserVariable} specifies ${named}, which cannot be run.`,
    });
  }
  const unpacked = await unpackedChromium(env);
  if (unpacked !== null) {
    return { executablePath: unpacked, args: ['--headless=shell'], origin: 'the package @sparticuz/chromium' };
  }
  const installed = await installedByPlaywright();
  if (installed !== null && isExecutable(installed))
    return { executablePath: installed, args: [], origin: 'Playwright' };
  const ofSystem = systemBrowsers(env).find(isExecutable);
  if (ofSystem !== undefined) return { executablePath: ofSystem, args: [], origin: 'the system' };
  throw new NudgeLabError('browser-missing', { message: 'No Chromium, Chrome or Edge was found.' });
}

/**
 * Returns the path of Playwright's own browser, or `null` if Playwright is not installed as a package of its own.
 */
async function installedByPlaywright(): Promise<string | null> {
  try {
    return (await chromiumType()).executablePath();
  } catch {
    return null;
  }
}

/** Browser names in the search path of Linux. */
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const macApplications = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const windowsPrograms = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Returns the system locations of browsers in order of preference. */
function systemBrowsers(env: Environment): readonly string[] {
  switch (platform()) {
    case 'darwin':
      return below(['/Applications', join(homedir(), 'Applications')], macApplications);
    case 'win32':
      return below([env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']], windowsPrograms);
    default:
      return below((env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter), commands);
  }
}

/** Combines every name with every existing folder. All folders are searched for a name before the next name. */
function below(folders: readonly (string | undefined)[], names: readonly string[]): readonly string[] {
  const given = folders.filter((folder) => folder !== undefined && folder !== '') as readonly string[];
  return names.flatMap((name) => given.map((folder) => join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

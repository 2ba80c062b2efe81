import { accessSync, constants } from 'node:fs';
import { homedir, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { NudgeLabError } from '../../../core/errors.ts';
import { chromiumType } from './chromium-type.ts';
import { unpackedChromium } from './unpacked-chromium.ts';

/** A browser that can be started. */
export interface FoundBrowser {
  readonly executablePath: string;
  /** What it has to be started with, besides what Playwright gives every browser. */
  readonly args: readonly string[];
  /** Where it was found, in words for a person. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names the browser to use; it comes before all that is found. */
export const browserVariable = 'NUDGELAB_BROWSER';

/**
 * Finds the Chromium that the browser driver starts, in this order: the one that `NUDGELAB_BROWSER` names, the one of the
 * optional package on Linux, the one that Playwright installed, the system's Chromium, Chrome or Edge. Takes the environment.
 * Throws `browser-missing` when there is none, or none where the variable says.
 */
export async function findBrowser(env: Environment = {}): Promise<FoundBrowser> {
  const named = env[browserVariable] ?? '';
  if (named !== '') {
    if (isExecutable(named)) return { executablePath: named, args: [], origin: browserVariable };
    throw new NudgeLabError('browser-missing', { message: `${browserVariable} names ${named}, which cannot be run.` });
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

/** Where Playwright would have put its own; `null` where it is not installed itself, as with a test runner that brings it. */
async function installedByPlaywright(): Promise<string | null> {
  try {
    return (await chromiumType()).executablePath();
  } catch {
    return null;
  }
}

/** Names that browsers have on the search path of Linux. */
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

/** Where the system keeps its browsers, the preferred one first. */
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

/** Every name in every folder that is there; a name is looked for everywhere before the next one. */
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

import { statfsSync } from 'node:fs';

/** How to start a browser, besides what Playwright gives every browser and what a browser needs itself. */
export interface LeanStart {
  readonly args: readonly string[];
  /** What Playwright gives and this browser does without. */
  readonly ignoreDefaultArgs: readonly string[];
}

/**
 * Features that Playwright switches off. Of several lists Chromium takes the last one alone, so that this one has to repeat
 * them.
 */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * With it each document of a site gets a frame of its own in the browser, made again with all that draws it. Without it the
 * document alone is new: a fifth less processor time for each journey, and nothing that a page or a server could tell.
 */
const frameForEachDocument = 'RenderDocument';

/** Where Linux keeps memory that processes share, and the least room there, in bytes: containers have 64 MB if nothing is said. */
const sharedMemoryFolder = '/dev/shm';
const sharedMemoryLeastBytes = 512 * 2 ** 20;

/** Has Chromium keep shared memory in files of the temporary folder: safe in a small container, and slower by a tenth. */
const sharedMemoryInFiles = '--disable-dev-shm-usage';

/**
 * What spares a browser work that a sign-in has no use for. Takes how many bytes of shared memory are free; asks the machine where it is left
 * out.
 */
export function leanStart(sharedMemoryBytes = freeSharedMemoryBytes()): LeanStart {
  return {
    args: [`--disable-features=${[...offByPlaywright, frameForEachDocument].join(',')}`],
    ignoreDefaultArgs: sharedMemoryBytes >= sharedMemoryLeastBytes ? [sharedMemoryInFiles] : [],
  };
}

/** Free bytes of shared memory; 0 on systems that have no such folder. */
function freeSharedMemoryBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(sharedMemoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

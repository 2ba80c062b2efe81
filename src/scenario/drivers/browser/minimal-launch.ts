import { statfsSync } from 'node:fs';

/** Start options in addition to those of Playwright and to the required ones of a browser. */
export interface LeanStart {
  readonly args: readonly string[];
  /** Default arguments of Playwright to omit for this browser. */
  readonly ignoreDefaultArgs: readonly string[];
}

/**
 * Features that Playwright disables. Chromium uses only the last of several lists, so this list must repeat them.
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
 * Feature that creates a new frame with all of its rendering for each document of a site. Without the feature, only
 * the document is new, which saves a fifth of the processor time per journey and is not observable by pages or
 * servers.
 */
const frameForEachDocument = 'RenderDocument';

/**
 * Linux directory for shared memory, and the minimum free space there in bytes. Containers have 64 MB by default.
 */
const sharedMemoryFolder = '/dev/shm';
const sharedMemoryLeastBytes = 512 * 2 ** 20;

/** Argument that stores shared memory in temporary files, which is safe in small containers but a tenth slower. */
const sharedMemoryInFiles = '--disable-dev-shm-usage';

/**
 * Returns start options that avoid work irrelevant to a sign-in.
 *
 * @param sharedMemoryBytes - free shared memory in bytes, by default that of the machine
 */
export function leanStart(sharedMemoryBytes = freeSharedMemoryBytes()): LeanStart {
  return {
    args: [`--disable-features=${[...offByPlaywright, frameForEachDocument].join(',')}`],
    ignoreDefaultArgs: sharedMemoryBytes >= sharedMemoryLeastBytes ? [sharedMemoryInFiles] : [],
  };
}

/** Returns the free shared memory in bytes, or 0 on systems without such a directory. */
function freeSharedMemoryBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(sharedMemoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

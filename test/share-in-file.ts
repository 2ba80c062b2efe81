import { afterAll, beforeAll } from 'vitest';

/** Maximum duration of a start in milliseconds. It is long enough for a database or a browser on a busy machine. */
const startMs = 60_000;

/**
 * Registers the hooks that start a resource before the tests of a file or group and close it after them.
 *
 * @param start - starts the resource, a plain object
 * @returns the resource, whose members are available in tests and in later hooks
 */
export function shareInFile<Resource extends { readonly close: () => Promise<void> }>(
  start: () => Promise<Resource>,
): Resource {
  const started: Partial<Resource> = {};
  beforeAll(async () => {
    Object.assign(started, await start());
  }, startMs);
  afterAll(async () => {
    await started.close?.();
  });
  return started as Resource;
}

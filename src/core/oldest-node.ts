/**
 * Oldest supported version of Node.js. It must match package.json. Earlier versions of 22 cannot load a configuration in
 * TypeScript.
 */
export const oldestNode = '22.18.0';

/** Checks whether a version of Node.js, such as `24.21.0`, is supported. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

import { relative } from 'node:path';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { isPlainObject } from '../../core/merge-patch.ts';
import { scenarioBytesMax } from '../../scenario/data-file.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { YamlSource } from '../../scenario/yaml-source.ts';

/**
 * Returns warnings about the users of scenario files. Users that are only a fixture name are checked with their fixture.
 *
 * @param files - paths of the scenarios
 * @param cwd - base of displayed paths
 */
export function findScenarioWarnings(
  files: readonly string[],
  library: FixtureLibrary,
  cwd: string,
): readonly ValidationProblem[] {
  return files.flatMap((file) => {
    const source = YamlSource.ofFile(file, relative(cwd, file) || file, scenarioBytesMax);
    const { given } = isPlainObject(source.data) ? source.data : {};
    const { users } = isPlainObject(given) ? given : {};
    if (!isPlainObject(users)) return [];
    return Object.entries(users).flatMap(([id, user]) =>
      findUserWarnings(source, ['given', 'users', id], user, library),
    );
  });
}

/**
 * Returns a warning for a user who is stated to be capable of MFA and has no method for it: the registration
 * report then shows a user who is capable and not registered.
 *
 * @param source - file of the user
 * @param path - place of the user in the file
 * @param user - user as written
 */
export function findUserWarnings(
  source: YamlSource,
  path: readonly PropertyKey[],
  user: unknown,
  library: FixtureLibrary,
): readonly ValidationProblem[] {
  if (!isPlainObject(user)) return [];
  const { mfaCapable, methods, passkeys } = resolveUser(user, library);
  if (mfaCapable !== true || !isEmptyList(methods) || !(passkeys === undefined || isEmptyList(passkeys))) return [];
  const message =
    'mfaCapable is true, but the user has no method and no passkey; add one, or omit mfaCapable if this is intended.';
  return [{ location: source.place('mfaCapable' in user ? [...path, 'mfaCapable'] : path), message }];
}

function resolveUser(user: unknown, library: FixtureLibrary): Readonly<Record<string, unknown>> {
  try {
    return library.resolve('users', user);
  } catch (error) {
    // Problems of the user are reported as such.
    if (error instanceof NudgeLabError) return {};
    throw error;
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

import { NudgeLabError } from '../core/errors.ts';
import { namedSnapshotsMax } from '../core/limits.ts';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Rejects a bad name of a snapshot, and a further one beyond the maximum. Throws `bad-request`. */
export function refuseName(name: string, existing: readonly { readonly name: string }[]): void {
  if (!namePattern.test(name)) {
    const message = `"${name}" must be 1 to 63 letters, digits, dots, hyphens and underscores, starting with a letter or digit`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'name', message }] });
  }
  // The snapshots that the program takes by itself have no name.
  const names = new Set(existing.map((one) => one.name).filter((one) => one !== ''));
  if (names.size >= namedSnapshotsMax && !names.has(name)) {
    const message = `the sandbox already has ${names.size} snapshots, the maximum; reuse one of their names`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'name', message }] });
  }
}

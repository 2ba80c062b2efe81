import { NudgeLabError } from '../core/errors.ts';
import { namedSnapshotsMax } from '../core/limits.ts';
import type { SnapshotPlace } from '../journal/store.ts';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Rejects a bad name of a snapshot, and a further one beyond the maximum. Throws `bad-request`. */
export function refuseName(name: string, places: readonly SnapshotPlace[]): void {
  if (!namePattern.test(name)) {
    const message = `"${name}" must be 1 to 63 letters, digits, dots, hyphens and underscores, starting with a letter or digit`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'name', message }] });
  }
  const named = places.filter((place) => place.name !== '');
  if (named.length >= namedSnapshotsMax && !named.some((place) => place.name === name)) {
    const message = `the sandbox already has ${named.length} snapshots, the maximum; reuse one of their names`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'name', message }] });
  }
}

import { NudgeLabError } from '../core/errors.ts';
import { namedSnapshotsMax } from '../core/limits.ts';
import type { SnapshotPlace } from '../journal/store.ts';
import type { Sandbox } from './sandbox.ts';

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Names of the snapshots that are being taken, which count toward the maximum of their sandbox. */
export class SnapshotNames {
  /** Names by sandbox, in the order of their beginnings. */
  readonly #begun = new WeakMap<Sandbox, Set<{ readonly name: string }>>();

  /**
   * Takes a snapshot under a name. A bad name is rejected before the work, and so is a further one beyond the maximum.
   * Throws `bad-request`.
   *
   * @param sandbox - sandbox whose snapshot is taken
   * @param name - name of the snapshot
   * @param stored - snapshots that the store has
   * @param take - takes and stores the snapshot
   */
  async reserve(
    sandbox: Sandbox,
    name: string,
    stored: Promise<readonly SnapshotPlace[]>,
    take: () => Promise<void>,
  ): Promise<void> {
    const begun = this.#begun.get(sandbox) ?? new Set();
    this.#begun.set(sandbox, begun);
    const earlier = [...begun];
    const entry = { name };
    begun.add(entry);
    try {
      refuseName(name, [...(await stored), ...earlier]);
      await take();
    } finally {
      begun.delete(entry);
    }
  }
}

/** Rejects a bad name, and a further one beyond the maximum. `existing` begins with the stored names. */
function refuseName(name: string, existing: readonly { readonly name: string }[]): void {
  if (!namePattern.test(name)) {
    const message = `"${name}" must be 1 to 63 letters, digits, dots, hyphens and underscores, starting with a letter or digit`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'name', message }] });
  }
  // The snapshots that the program takes by itself have no name. Those that are begun beyond the maximum are rejected too.
  const named = existing.map((one) => one.name).filter((one) => one !== '');
  const names = [...new Set(named)].slice(0, namedSnapshotsMax);
  if (names.length === namedSnapshotsMax && !names.includes(name)) {
    const message = `the sandbox already has ${names.length} snapshots, the maximum; reuse one of their names`;
    throw new NudgeLabError('bad-request', { problems: [{ location: 'name', message }] });
  }
}

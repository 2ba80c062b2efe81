/** Changelog after a release. */
export interface ReleasedChangelog {
  /** Complete text, with an empty section for unreleased changes. */
  readonly text: string;
  /** Changes of the release, without the heading. */
  readonly notes: string;
}

/**
 * Moves the unreleased changes to a section of the released version.
 *
 * @param changelog - text of CHANGELOG.md
 * @param version - version to release
 * @param date - date of the release, such as 2026-01-05
 * @returns the new text and the changes; `null` if there are no unreleased changes
 */
export function releaseChangelog(changelog: string, version: string, date: string): ReleasedChangelog | null {
  const heading = /^## Unreleased[ \t]*$/m.exec(changelog);
  if (heading === null) return null;
  const start = heading.index + heading[0].length;
  const next = changelog.slice(start).search(/^## /m);
  const end = next === -1 ? changelog.length : start + next;
  const notes = changelog.slice(start, end).trim();
  if (!notes.split('\n').some((line) => line.trim() !== '' && !line.startsWith('#'))) return null;
  const parts = [
    `${changelog.slice(0, heading.index)}## Unreleased`,
    `## ${version} – ${date}`,
    notes,
    changelog.slice(end).trimEnd(),
  ];
  return { text: `${parts.filter((part) => part !== '').join('\n\n')}\n`, notes: `${notes}\n` };
}

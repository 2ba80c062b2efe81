import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { releaseChangelog } from './changelog.ts';
import { compareVersions, parseVersion } from './version.ts';

const shownChangesMax = 20;

/** Error for a release that cannot be created as requested. Nothing was changed. */
export class ReleaseRejected extends Error {
  override readonly name = 'ReleaseRejected';
}

/** Request for a release. */
export interface ReleaseOrder {
  /** Path of the repository root. */
  readonly root: string;
  /** Version to release. */
  readonly version: string;
  /** Date of the release, such as 2026-01-05. */
  readonly date: string;
  /** True to change nothing and only report the steps. */
  readonly isDryRun: boolean;
  /** Function that builds the package and packs it into a folder, as `npm pack` does. It throws if that fails. */
  readonly pack: (root: string, folder: string) => void;
  /** Callback for each line of the report. */
  readonly report: (line: string) => void;
}

/** File with its new text. */
interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

interface Plan {
  readonly packageName: string;
  readonly notes: string;
  readonly files: readonly ChangedFile[];
}

/**
 * Creates a release: changes the files that contain the version, writes the release notes, packs the package,
 * commits and tags. If a step fails, the changed files are restored.
 *
 * @param order - version and repository of the release
 * @throws ReleaseRejected if the working tree has changes, the version is not newer, or there is nothing to release
 * @throws Error if packing, committing or tagging fails
 */
export function makeRelease(order: ReleaseOrder): void {
  const { root, version, isDryRun, report } = order;
  const plan = planRelease(order);
  const folder = join(root, '.nudgelab/release', version);
  const notesFile = join(folder, 'release-notes.md');
  const tarball = join(folder, `${plan.packageName}-${version}.tgz`);
  const done = (text: string): void => report(isDryRun ? `would ${text}` : text);
  for (const { path } of plan.files) done(`change ${path}`);
  done(`write ${relative(root, notesFile)}`);
  done(`build the package and pack it to ${relative(root, tarball)}`);
  done(`commit "Release ${version}"`);
  done(`create the annotated tag v${version}`);
  if (isDryRun) report(`\nRelease notes:\n\n${plan.notes}`);
  else carryOut(order, plan, notesFile, tarball);
  report(`\nTo publish:\n\n${publishCommands(order, relative(root, notesFile), relative(root, tarball)).join('\n')}`);
}

function planRelease({ root, version, date }: ReleaseOrder): Plan {
  const wanted = parseVersion(version);
  if (wanted === null) throw new ReleaseRejected(`"${version}" is not a semantic version such as 1.2.3 or 1.2.3-rc.1.`);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const changes = git(root, 'status', '--porcelain');
  if (changes !== '')
    throw new ReleaseRejected(`The working tree has changes. Commit or remove them first:\n${shortened(changes)}`);
  for (const released of releasedVersions(root)) {
    const known = parseVersion(released);
    if (known !== null && compareVersions(wanted, known) <= 0) {
      throw new ReleaseRejected(`${version} is not newer than ${released}, the latest release.`);
    }
  }
  const current = parseVersion(manifest.version);
  if (current !== null && compareVersions(wanted, current) < 0) {
    throw new ReleaseRejected(`${version} is older than ${manifest.version}, the version in package.json.`);
  }
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const released = releaseChangelog(changelog, version, date);
  if (released === null) throw new ReleaseRejected('CHANGELOG.md has no changes under "## Unreleased".');
  const files = [
    { path: 'CHANGELOG.md', before: changelog, after: released.text },
    ...['package.json', 'package-lock.json'].map((path) => withVersion(root, path, version)),
    ...pagesWithTarball(root, manifest, version),
  ].filter(({ before, after }) => before !== after);
  return { packageName: manifest.name, notes: released.notes, files };
}

/** Returns the first lines of a list. */
function shortened(list: string): string {
  const lines = list.split('\n');
  const more = lines.length - shownChangesMax;
  return [...lines.slice(0, shownChangesMax), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

/** Lists the versions of the existing tags. */
function releasedVersions(root: string): readonly string[] {
  return git(root, 'tag', '--list', 'v*')
    .split('\n')
    .filter((tag) => tag !== '')
    .map((tag) => tag.slice(1));
}

/** Changes the version in a manifest or lock file, in the format that npm writes. */
function withVersion(root: string, path: string, version: string): ChangedFile {
  const before = readFileSync(join(root, path), 'utf8');
  const data = JSON.parse(before) as { version: string; packages?: Record<string, { version?: string }> };
  data.version = version;
  const own = data.packages?.[''];
  if (own !== undefined) own.version = version;
  return { path, before, after: `${JSON.stringify(data, null, 2)}\n` };
}

/** Finds the pages that name the packed file of the version in package.json. */
function pagesWithTarball(
  root: string,
  { name, version: current }: { readonly name: string; readonly version: string },
  version: string,
): readonly ChangedFile[] {
  const [old, now] = [`${name}-${current}.tgz`, `${name}-${version}.tgz`];
  const pages = git(root, 'ls-files', '--', '*.md').split('\n');
  return pages
    .filter((path) => path !== '' && path !== 'CHANGELOG.md')
    .map((path) => ({ path, before: readFileSync(join(root, path), 'utf8') }))
    .map(({ path, before }) => ({ path, before, after: before.replaceAll(old, now) }));
}

function carryOut(
  { root, version, pack }: ReleaseOrder,
  { files, notes }: Plan,
  notesFile: string,
  tarball: string,
): void {
  const folder = dirname(tarball);
  try {
    for (const { path, after } of files) writeFileSync(join(root, path), after);
    mkdirSync(folder, { recursive: true });
    writeFileSync(notesFile, notes);
    pack(root, folder);
    if (!existsSync(tarball)) throw new Error(`${relative(root, tarball)} was not created.`);
    git(root, 'commit', '--quiet', '--message', `Release ${version}`, '--', ...files.map(({ path }) => path));
  } catch (error) {
    for (const { path, before } of files) writeFileSync(join(root, path), before);
    throw error;
  }
  // Without this option, git would remove the headings of the notes as comments, because they begin with #.
  git(root, 'tag', '--annotate', '--cleanup=whitespace', `v${version}`, '--file', notesFile);
}

function publishCommands({ root, version }: ReleaseOrder, notesFile: string, tarball: string): readonly string[] {
  const isPreRelease = (parseVersion(version)?.preRelease.length ?? 0) > 0;
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  return [
    `git push --atomic origin ${branch} v${version}`,
    `npm publish ${tarball}${isPreRelease ? ' --tag next' : ''}`,
    `gh release create v${version} ${tarball} --title v${version} --notes-file ${notesFile}${isPreRelease ? ' --prerelease' : ''}`,
  ];
}

/** Runs git and returns its output. Throws if git fails. */
function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${error?.message ?? `${stderr}${stdout}`.trim()}`);
  return stdout.trimEnd();
}

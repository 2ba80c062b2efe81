import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { releaseChangelog } from '../../tooling/release/changelog.ts';
import { makeRelease, type ReleaseOrder, ReleaseRejected } from '../../tooling/release/make-release.ts';
import { compareVersions, parseVersion } from '../../tooling/release/version.ts';

const script = fileURLToPath(new URL('../../tooling/release.ts', import.meta.url));
const date = '2026-01-05';

const changelog = `# Changelog

All notable changes.

## Unreleased

### Added

- A campaign can be exported.

## 0.1.0 – 2025-12-01

- The first release.
`;

const files = {
  '.gitignore': '.nudgelab/\n',
  'CHANGELOG.md': changelog,
  'README.md': 'Install it with `npm install ./planted-0.1.0.tgz`.\n',
  'package.json': `${JSON.stringify({ name: 'planted', version: '0.1.0', license: 'MIT' }, null, 2)}\n`,
  'package-lock.json': `${JSON.stringify(
    {
      name: 'planted',
      version: '0.1.0',
      packages: { '': { name: 'planted', version: '0.1.0' }, 'node_modules/other': { version: '0.1.0' } },
    },
    null,
    2,
  )}\n`,
};

/** Repository with a released version 0.1.0 in a temporary folder. */
class Repository {
  readonly root = mkdtempSync(join(tmpdir(), 'nudgelab-release-'));
  readonly lines: string[] = [];

  constructor(changed: Partial<typeof files> = {}) {
    onTestFinished(() => rmSync(this.root, { recursive: true }));
    for (const [path, text] of Object.entries({ ...files, ...changed })) writeFileSync(join(this.root, path), text);
    this.git('init', '--quiet', '--initial-branch=main');
    for (const [key, value] of [
      ['user.name', 'Test'],
      ['user.email', 'test@example.test'],
      ['commit.gpgSign', 'false'],
      ['tag.gpgSign', 'false'],
      ['core.hooksPath', '/dev/null'],
    ]) {
      this.git('config', `${key}`, `${value}`);
    }
    this.git('add', '.');
    this.git('commit', '--quiet', '--message', 'Add files');
    this.git('tag', 'v0.1.0');
  }

  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: this.root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return stdout.trimEnd();
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  release(version: string, order: Partial<ReleaseOrder> = {}): void {
    const pack: ReleaseOrder['pack'] = (_root, folder) =>
      writeFileSync(join(folder, `planted-${version}.tgz`), 'packed');
    const report = (line: string): void => void this.lines.push(line);
    makeRelease({ root: this.root, version, date, isDryRun: false, pack, report, ...order });
  }

  /** Returns the state that a rejected or failed release must not change. */
  state(): readonly string[] {
    return [
      this.git('rev-parse', 'HEAD'),
      this.git('tag', '--list'),
      this.git('status', '--porcelain'),
      ...Object.keys(files).map((path) => this.read(path)),
    ];
  }
}

describe('082: a release', () => {
  test('082: a release changes every file that names the version, commits and tags', () => {
    const repository = new Repository();
    repository.release('0.2.0');
    expect(repository.read('CHANGELOG.md')).toBe(
      changelog.replace('## Unreleased\n', `## Unreleased\n\n## 0.2.0 – ${date}\n`),
    );
    expect(JSON.parse(repository.read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(repository.read('package-lock.json'))).toMatchObject({
      version: '0.2.0',
      packages: { '': { version: '0.2.0' }, 'node_modules/other': { version: '0.1.0' } },
    });
    expect(repository.read('README.md')).toContain('planted-0.2.0.tgz');
    expect(repository.git('log', '--format=%s', '-1')).toBe('Release 0.2.0');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(repository.git('rev-parse', 'v0.2.0^{commit}')).toBe(repository.git('rev-parse', 'HEAD'));
  });

  test('082: the tag is annotated with the notes, headings included', () => {
    const repository = new Repository();
    repository.release('0.2.0');
    expect(repository.git('cat-file', '-t', 'v0.2.0')).toBe('tag');
    const notes = repository.read('.nudgelab/release/0.2.0/release-notes.md');
    expect(notes).toBe('### Added\n\n- A campaign can be exported.\n');
    expect(repository.git('tag', '--list', '--format=%(contents)', 'v0.2.0')).toBe(notes.trim());
  });

  test('082: the report ends with the commands that publish', () => {
    const repository = new Repository();
    repository.release('0.2.0-rc.1');
    const commands = repository.lines.join('\n').split('To publish:\n\n')[1]?.split('\n') ?? [];
    expect(commands).toEqual([
      'git push --atomic origin main v0.2.0-rc.1',
      'npm publish .nudgelab/release/0.2.0-rc.1/planted-0.2.0-rc.1.tgz --tag next',
      expect.stringMatching(/^gh release create v0\.2\.0-rc\.1 .*--notes-file .*release-notes\.md --prerelease$/),
    ]);
    expect(existsSync(join(repository.root, commands[1]?.split(' ')[2] ?? ''))).toBe(true);
  });

  test.for([
    ['a version that is not semantic', '1.0', /not a semantic version/],
    ['the released version', '0.1.0', /not newer/],
    ['an older version', '0.0.9', /not newer/],
    ['a pre-release of the released version', '0.1.0-rc.1', /not newer/],
  ] as const)('082: %s is rejected and nothing changes', ([, version, message]) => {
    const repository = new Repository();
    const before = repository.state();
    expect(() => repository.release(version)).toThrow(ReleaseRejected);
    expect(() => repository.release(version)).toThrow(message);
    expect(repository.state()).toEqual(before);
  });

  test('082: the version in package.json can be released while it has no tag', () => {
    const repository = new Repository();
    repository.git('tag', '--delete', 'v0.1.0');
    expect(() => repository.release('0.0.9')).toThrow(/older than 0\.1\.0/);
    repository.release('0.1.0');
    expect(repository.git('tag', '--list')).toBe('v0.1.0');
  });

  test.for(['README.md', 'new-file.txt'])('082: a working tree with a changed %s is rejected', (path) => {
    const repository = new Repository();
    writeFileSync(join(repository.root, path), 'changed');
    expect(() => repository.release('0.2.0')).toThrow(/working tree has changes[\s\S]*\b(README|new-file)/);
    expect(repository.git('tag', '--list')).toBe('v0.1.0');
  });

  test.for([
    ['no section', '# Changelog\n\n## 0.1.0\n\n- The first release.\n'],
    ['an empty section', '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- The first release.\n'],
    ['a section with headings only', '# Changelog\n\n## Unreleased\n\n### Added\n\n### Fixed\n'],
  ])('082: a changelog with %s is rejected', ([, text]) => {
    const repository = new Repository({ 'CHANGELOG.md': text ?? '' });
    expect(() => repository.release('0.2.0')).toThrow(/no changes under/);
  });

  test('082: a release with a packing error leaves everything unchanged', () => {
    const repository = new Repository();
    const before = repository.state();
    const pack = (): never => {
      throw new Error('The build failed.');
    };
    expect(() => repository.release('0.2.0', { pack })).toThrow('The build failed.');
    expect(repository.state()).toEqual(before);
    expect(() => repository.release('0.2.0', { pack: () => undefined })).toThrow(/\.tgz was not created/);
    expect(repository.state()).toEqual(before);
  });

  test('082: a dry run changes nothing and reports the same plan, the notes and the commands', () => {
    const repository = new Repository();
    const before = repository.state();
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [script, ...args], { cwd: repository.root, encoding: 'utf8' });
    const { status, stdout } = run('0.2.0', '--dry-run', '--date', date);
    expect(status).toBe(0);
    for (const path of ['CHANGELOG.md', 'README.md', 'package.json', 'package-lock.json']) {
      expect(stdout).toContain(`would change ${path}\n`);
    }
    expect(stdout).toContain('- A campaign can be exported.');
    expect(stdout).toContain('npm publish .nudgelab/release/0.2.0/planted-0.2.0.tgz');
    expect(repository.state()).toEqual(before);
    expect(existsSync(join(repository.root, '.nudgelab'))).toBe(false);
    for (const args of [[], ['0.2.0', '0.3.0'], ['0.2.0', '--date', '2026-02-30'], ['0.2.0', '--quick'], ['0.1']]) {
      expect(run(...args).status, args.join(' ')).toBe(2);
    }
  });
});

describe('082: versions and changelogs', () => {
  test('082: versions are ordered according to Semantic Versioning', () => {
    const ordered = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11'];
    const all = [...ordered, '1.0.0-rc.1', '1.0.0', '1.0.10', '1.2.0', '10.0.0'].map((text) => {
      const version = parseVersion(text);
      if (version === null) throw new TypeError(text);
      return version;
    });
    for (const [index, one] of all.entries()) {
      for (const [place, other] of all.entries()) {
        expect(Math.sign(compareVersions(one, other))).toBe(Math.sign(index - place));
      }
    }
  });

  test.for(['1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0+build', ' 1.0.0', '1.0.0\n'])(
    '082: %j is not a valid version',
    (text) => {
      expect(parseVersion(text)).toBeNull();
    },
  );

  test('082: a second release contains only the changes since the first', () => {
    const first = releaseChangelog(changelog, '0.2.0', date);
    expect(releaseChangelog(first?.text ?? '', '0.3.0', date)).toBeNull();
    const edited = first?.text.replace('## Unreleased\n', '## Unreleased\n\n- It is faster.\n') ?? '';
    expect(releaseChangelog(edited, '0.3.0', date)?.notes).toBe('- It is faster.\n');
  });
});

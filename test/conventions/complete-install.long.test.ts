import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Creates a clone as after `npm ci`, with a Node stub that only records its arguments. */
function clone(exitCode = 0): { readonly folder: string; readonly called: () => readonly string[] | null } {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'tooling'));
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
  copyFileSync(join(root, 'tooling/complete-install.js'), join(folder, 'tooling/complete-install.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "engines": { "node": ">=24" } }');
  const node = join(folder, 'node_modules/node/bin/node');
  writeFileSync(node, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/called"\nexit ${exitCode}\n`);
  chmodSync(node, 0o755);
  const called = join(folder, 'called');
  return { folder, called: () => (existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : null) };
}

function complete(folder: string, agent: string, npm = '/usr/lib/npm/bin/npm-cli.js') {
  return spawnSync(process.execPath, [join(folder, 'tooling/complete-install.js')], {
    env: { PATH: process.env['PATH'], npm_config_user_agent: agent, npm_execpath: npm },
    encoding: 'utf8',
  });
}

describe('packages that npm omits on an older Node version', () => {
  it('041: the installed Node adds them by running the same npm once, without scripts and without a new lock file', () => {
    const { folder, called } = clone();
    expect(complete(folder, 'npm/9.2.0 node/v18.20.4 linux x64 workspaces/false').status).toBe(0);
    expect(called()).toEqual(
      expect.arrayContaining(['/usr/lib/npm/bin/npm-cli.js', 'install', '--no-save', '--ignore-scripts']),
    );
  });

  it.each([
    ['the Node that is wanted', 'npm/11.6.1 node/v24.21.0 linux x64', undefined],
    ['a newer one', 'npm/12.0.0 node/v26.1.0 linux x64', undefined],
    ['no npm', '', undefined],
    ['another installer', 'pnpm/10.1.0 npm/? node/v20.19.0 linux x64', '/usr/lib/pnpm/bin/pnpm.cjs'],
  ])('041: nothing is done for %s', (_whom, agent, npm) => {
    const { folder, called } = clone();
    expect(complete(folder, agent, npm).status).toBe(0);
    expect(called()).toBeNull();
  });

  it('041: a failure is reported and does not fail the installation', () => {
    const { folder } = clone(1);
    const { status, stderr } = complete(folder, 'npm/9.2.0 node/v18.20.4 linux x64');
    expect({ status, namesVersion: stderr.includes('18') }).toEqual({ status: 0, namesVersion: true });
  });

  it('041: npm runs the script after an installation of the repository, and not as part of another package', () => {
    const { scripts, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
      files: readonly string[];
    };
    expect(scripts['prepare']).toBe('node tooling/complete-install.js');
    expect([scripts['install'], scripts['postinstall'], files.includes('tooling')]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });
});

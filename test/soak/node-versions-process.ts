/**
 * `node test/soak/node-versions-process.ts --versions 22.18.0,24,26`: packs the package, installs the file in an
 * empty project, and runs the shipped suite there on the model and on a server with each version of Node from the
 * npm registry. On 20 it checks that each entry reports the unsupported version. The exit code is 1 if a run fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { values } = parseArgs({ options: { versions: { type: 'string' } } });
const versions = (values.versions ?? '').split(',').filter((version) => version !== '');
const top = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-versions-'));
const unsupported = '20';
const entries = ['nudgelab', 'nudgelab/vitest', 'nudgelab/playwright', 'nudgelab/cucumber'];
const sentence = /Node 20\.\d+\.\d+ is too old/;

try {
  if (versions.length === 0) throw new Error('Name the versions with --versions.');
  npm(['pack', '--silent', '--pack-destination', folder], top);
  const [tarball = ''] = readdirSync(folder);
  const project = join(folder, 'project');
  npm(['install', '--prefix', project, join(folder, tarball)], folder);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }\n');
  const main = join(project, 'node_modules/nudgelab/dist/src/cli/main.js');
  const suite = join(project, 'node_modules/nudgelab/scenarios');
  const reports = versions.map((version) => {
    const { status, stdout, stderr } = run(installed(version), [
      main,
      'run',
      suite,
      '--driver',
      'model',
      '--driver',
      'http',
    ]);
    const last = stdout.trim().split('\n').at(-1) ?? '';
    if (status !== 0 || !last.includes(' passed')) throw new Error(`Node ${version}:\n${stdout}${stderr}`);
    say(`Node ${version}: ${last}`);
    return version;
  });
  const old = installed(unsupported);
  const calls = [
    [main, '--version'],
    ...entries.map((entry) => ['--input-type=module', '--eval', `await import('${entry}');`]),
  ];
  for (const call of calls) {
    const { status, stderr } = run(old, call);
    if (status === 0 || !sentence.test(stderr)) throw new Error(`Node ${unsupported}, ${call.join(' ')}:\n${stderr}`);
  }
  say(`the packed suite passes on Node ${reports.join(', ')}; ${calls.length} entries reject Node ${unsupported}`);

  function run(node: string, args: readonly string[]) {
    const env = { ...process.env, NO_COLOR: '1', PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}` };
    return spawnSync(node, args, { cwd: project, encoding: 'utf8', env });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Installs a version of Node from the registry. Returns the path of its program. */
function installed(version: string): string {
  const own = join(folder, `node-${version}`);
  mkdirSync(own);
  // The package downloads nothing; its script only places the program that comes with a package of this platform.
  writeFileSync(join(own, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
  npm(['install', '--prefix', own, `node@${version}`], folder);
  return join(own, 'node_modules/node/bin/node');
}

function npm(args: readonly string[], cwd: string): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stderr}`);
}

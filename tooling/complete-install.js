/**
 * Completes `npm ci`: adds packages that it omitted, and bundles the program.
 *
 * Installs the packages that `npm ci` omitted on an older Node.js (decision 041). npm omits an optional package
 * that does not support the Node.js version that runs npm, such as a browser or the compiled part of an image
 * library or of the test runner. The program runs on the newly installed Node.js, so npm runs once more on that
 * version. Installed packages are not changed.
 *
 * If `node` is not installed, the machine's own version runs this file, so the file uses only the syntax of Node.js
 * 12.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const wanted = Number(/\d+/.exec(JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).engines.node)[0]);
// In scripts, npm puts the newly installed Node.js first in the path. This variable contains the version that runs
// npm itself.
const running = /\bnode\/v(\d+)/.exec(process.env.npm_config_user_agent || '');
const isOld = running !== null && Number(running[1]) < wanted;
const node = `${folder}node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
const npm = process.env.npm_execpath || '';

if (isOld && npm.endsWith('npm-cli.js') && existsSync(node)) {
  const npmArguments = [npm, 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync(node, ['--no-deprecation', ...npmArguments], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.stderr.write(
      `Some optional packages want a newer Node than ${running[1]} and are missing. \`npm start\` works without them; ` +
        'the browser driver, images of documents and the tests may not.\n',
    );
  }
}

// The program is bundled where the packages for it are installed. Without it, the npm scripts start the sources.
const builder = existsSync(node) ? node : process.execPath;
if (existsSync(`${folder}node_modules/rolldown`)) {
  const { status } = spawnSync(builder, [`${folder}tooling/program.ts`], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.stderr.write('The program could not be bundled, so npm scripts start more slowly.\n');
}

/**
 * Completes what `npm ci` left out on an older Node (decision 041). npm leaves out an optional package that does not want the
 * Node by which npm itself runs: a browser, or the compiled part of an image library or of the test runner. The program runs by
 * the Node that was just installed, so npm is run once more by that one. What is there already stays as it is.
 *
 * Where `node` was not installed the machine's own runs this file, whatever its age: it keeps to what Node 12 understands.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const wanted = Number(/\d+/.exec(JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).engines.node)[0]);
// In its scripts npm puts the Node that was just installed first; by which one npm itself runs, it says here.
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

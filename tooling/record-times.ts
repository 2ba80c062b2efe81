/**
 * `npm run test:record-times`: runs every test and writes `test/recorded-times.json`, which is used to start the
 * longest files first. Only files that take at least one second are listed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface FileResult {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
}

const top = fileURLToPath(new URL('..', import.meta.url));
const secondsMin = 1;
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-times-'));
const outputFile = join(folder, 'results.json');
const { status } = spawnSync(
  'vitest',
  [
    'run',
    '--mode',
    'all',
    '--project',
    '!doc-commands',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${outputFile}`,
  ],
  { cwd: top, stdio: 'inherit' },
);
if (status === 0) {
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as { testResults: readonly FileResult[] };
  const seconds = testResults.map(
    ({ name, startTime, endTime }) =>
      [relative(top, name).split(sep).join('/'), Math.round((endTime - startTime) / 1000)] as const,
  );
  const listed = seconds
    .filter(([, time]) => time >= secondsMin)
    .toSorted(([one, first], [other, second]) => second - first || one.localeCompare(other));
  writeFileSync(join(top, 'test/recorded-times.json'), `${JSON.stringify(Object.fromEntries(listed), null, 2)}\n`);
  console.log(`${listed.length} files of ${seconds.length} take at least ${secondsMin} s.`);
}
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;

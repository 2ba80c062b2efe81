/**
 * `npm run release -- 1.2.3`: creates a release of the committed state. It moves the unreleased changes of
 * CHANGELOG.md to a section of the version. It then sets the version in package.json, package-lock.json and the
 * pages that name the packed file. After writing the release notes, it builds and packs the package, commits, tags,
 * and prints the commands that publish. It publishes nothing itself. `--dry-run` changes nothing. `--date
 * 2026-01-05` sets the date (default: today in UTC). The exit code is 2 if the release is rejected, or 1 if a step
 * fails.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { machineNowMs, parseInstant, toInstant } from '../src/core/clock.ts';
import { makeRelease, ReleaseRejected } from './release/make-release.ts';

const usage = 'Usage: npm run release -- VERSION [--date YYYY-MM-DD] [--dry-run]';

try {
  const { version, date, isDryRun } = readArguments();
  makeRelease({ root: process.cwd(), version, date, isDryRun, pack, report: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof ReleaseRejected ? 2 : 1;
}

function readArguments(): { readonly version: string; readonly date: string; readonly isDryRun: boolean } {
  const { values, positionals } = parsedArguments();
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) throw new ReleaseRejected(usage);
  const date = values.date ?? toInstant(machineNowMs()).slice(0, 'YYYY-MM-DD'.length);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || parseInstant(date) === null) {
    throw new ReleaseRejected(`"${date}" is not a date such as 2026-01-05.`);
  }
  return { version, date, isDryRun: values['dry-run'] };
}

function parsedArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { date: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new ReleaseRejected(`${error instanceof Error ? error.message : error}\n${usage}`, { cause: error });
  }
}

/** Packs the package with `npm pack`, whose script `prepack` builds it. */
function pack(root: string, folder: string): void {
  const { status } = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm pack failed with exit code ${status}.`);
}

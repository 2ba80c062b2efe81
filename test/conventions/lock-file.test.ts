import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

/** Lists packages without a digest in the lock file. For these, npm would accept any content from a registry. */
function unproven(packages: Readonly<Record<string, Locked>>): readonly string[] {
  return Object.entries(packages)
    .filter(([name, { link }]) => name !== '' && link !== true)
    .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    .map(([name]) => name);
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

test('071: every package of the lock file has a digest of its content, including packages of other platforms', () => {
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(unproven(packages)).toEqual([]);
});

test('071: the lock file names no registry', () => {
  expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('071: packages with a missing, weak or malformed digest are found', () => {
  const digest = `sha512-${'A'.repeat(86)}==`;
  const planted = {
    '': {},
    'node_modules/linked': { link: true },
    'node_modules/whole': { integrity: digest },
    'node_modules/bare': {},
    'node_modules/weak': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    'node_modules/cut': { integrity: digest.slice(0, 60) },
  };
  expect(unproven(planted)).toEqual(['node_modules/bare', 'node_modules/weak', 'node_modules/cut']);
});

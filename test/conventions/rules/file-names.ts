import type { Fault } from '../repository.ts';
import { type ConventionRule, isTypeScript } from './convention-rule.ts';

/** Suffixes that name the kind of a file. In the console, which consists of components, a view is also a kind. */
const suffixes = [
  'command',
  'config',
  'd',
  'driver',
  'machine',
  'openapi',
  'page',
  'reporter',
  'route',
  'rule',
  'schema',
  'store',
  'test',
];
/** Requirements of a test in addition to the sources, named before its suffix. `vitest.config.ts` assigns the runs. */
const needs = ['browser', 'long', 'service'];
const name = new RegExp(
  `^[a-z0-9]+(-[a-z0-9]+)*((\\.(${suffixes.join('|')})|\\.(${needs.join('|')})\\.test)?\\.ts|(\\.view)?\\.tsx)$`,
);

/** Names of files and folders that do not describe their content and therefore attract unrelated code. */
const catchAlls = ['common', 'helper', 'helpers', 'lib', 'misc', 'shared', 'stuff', 'types', 'util', 'utils'];

/** Convention: names of files are in kebab-case with a known suffix. */
export const fileNames: ConventionRule = {
  id: 'file-names',
  claim: 'a file is named in kebab-case and its suffix is a known kind',
  covers: isTypeScript,
  inspect: ({ path }) => {
    const last = path.split('/').at(-1) ?? '';
    return name.test(last) ? [] : fault(path, `is not kebab-case with one of the suffixes ${suffixes.join(', ')}.`);
  },
  canaries: [planted('src/core/virtualClock.ts'), planted('src/server/login.view.ts'), planted('src/core/Clock.ts')],
  innocents: [
    planted('machines/rules/local-passkey.rule.ts'),
    planted('machines/rulesets/built-in.ts'),
    planted('test/console/views.browser.test.ts'),
    planted('console/src/views/users.view.tsx'),
  ],
};

/** Convention: names of files and folders describe their content. */
export const noCatchAlls: ConventionRule = {
  id: 'no-catch-alls',
  claim: 'no file or folder has a catch-all name: each is named after its one job',
  covers: isTypeScript,
  inspect: ({ path }) => {
    const catchAll = path
      .replace(/\.ts$/, '')
      .split('/')
      .find((part) => catchAlls.includes(part));
    return catchAll === undefined
      ? []
      : fault(path, `has the catch-all name "${catchAll}": name it after what it does.`);
  },
  canaries: [planted('src/utils/dates.ts'), planted('src/server/helpers.ts'), planted('machines/types.ts')],
  innocents: [planted('src/core/clock.ts'), planted('src/server/common-headers.ts')],
};

function fault(path: string, message: string): readonly Fault[] {
  return [{ path, line: 0, message }];
}

function planted(path: string): { readonly path: string; readonly text: string } {
  return { path, text: '' };
}

import { Visitor } from 'oxc-parser';
import { type Fault, lineAt } from '../repository.ts';
import { parse } from '../syntax.ts';
import { type ConventionRule, isTypeScript } from './convention-rule.ts';

const path = 'src/core/clock.ts';

/**
 * Convention: files export by name, so a thing has the same name in every file. Files that a tool loads and
 * declarations of a package are exempt.
 */
export const noDefaultExports: ConventionRule = {
  id: 'no-default-exports',
  claim: 'a file exports by name',
  covers: (path) => isTypeScript(path) && !/\.(config|d|reporter)\.ts$|^site\/\.vitepress\//.test(path),
  inspect: (file) => {
    const faults: Fault[] = [];
    const report = (offset: number): void => {
      const message = 'exports a default: give it a name, and export that.';
      faults.push({ path: file.path, line: lineAt(file.text, offset), message });
    };
    new Visitor({
      ExportDefaultDeclaration: (node) => report(node.start),
      ExportSpecifier: ({ exported, start }) => {
        if (exported.type === 'Identifier' && exported.name === 'default') report(start);
      },
    }).visit(parse(file).program);
    return faults;
  },
  canaries: [
    { path, text: 'export default function now(): number { return 0; }' },
    { path, text: 'const now = 0; export { now as default };' },
  ],
  innocents: [{ path, text: 'export const now = 0; export const settings = { default: 1 };' }],
};

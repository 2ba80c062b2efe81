import { type Expression, Visitor } from 'oxc-parser';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import type { ConventionRule } from './convention-rule.ts';

const runners = ['describe', 'it', 'suite', 'test'];
const switches = ['fails', 'only', 'runIf', 'skip', 'skipIf', 'todo'];

/** Convention: every test runs in every test run. */
export const testsRun: ConventionRule = {
  id: 'tests-run',
  claim: 'no test is left out, singled out or announced',
  covers: isTest,
  inspect: (file) => {
    const faults: Fault[] = [];
    new Visitor({
      MemberExpression: (node) => {
        if (node.computed || node.property.type !== 'Identifier' || !switches.includes(node.property.name)) return;
        if (!runners.includes(rootName(node.object))) return;
        const message = `switches a test by .${node.property.name}: let it run, or delete it.`;
        faults.push({ path: file.path, line: lineAt(file.text, node.start), message });
      },
    }).visit(parse(file).program);
    return faults;
  },
  canaries: [
    planted("test.only('R1 holds', () => {});"),
    planted("describe.skip('R1', () => {});"),
    planted("it.todo('R1 holds');"),
    planted("test.concurrent.skip('R1 holds', () => {});"),
    planted("test.skipIf(true)('R1 holds', () => {});"),
  ],
  innocents: [planted('prompt.skip(); run.only = true;'), planted("test.each([1])('R1 holds', () => {});")],
};

/** Convention: every test file contains an assertion. An option of vitest checks every single test. */
export const testsAssert: ConventionRule = {
  id: 'tests-assert',
  claim: 'a test file calls expect',
  covers: isTest,
  inspect: (file) => {
    let calls = 0;
    new Visitor({
      CallExpression: (node) => {
        if (rootName(node.callee) === 'expect') calls += 1;
      },
    }).visit(parse(file).program);
    return calls > 0
      ? []
      : [{ path: file.path, line: 0, message: 'has no expect: a test without one proves nothing.' }];
  },
  canaries: [planted("test('R1 holds', () => { /* expect(1) */ });")],
  innocents: [planted("test('R1 holds', () => { expect(1).toBe(1); });")],
};

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Returns the root name of `a.b.c` or `a.b(c)`, or an empty text if the root is not a name. */
function rootName(node: Expression): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootName(node.object);
  return node.type === 'CallExpression' ? rootName(node.callee) : '';
}

function planted(text: string): TextFile {
  return { path: 'test/machines/rules/sso-session.test.ts', text };
}

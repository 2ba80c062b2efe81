import { type Argument, type Expression, type Node, Visitor } from 'oxc-parser';
import { type Fault, lineAt, type TextFile } from '../repository.ts';
import { parse } from '../syntax.ts';
import type { ConventionRule } from './convention-rule.ts';

/** Methods that return as many items as the list that they are called on. */
const sameLength = ['entries', 'keys', 'map', 'reverse', 'toReversed', 'toSorted', 'values'];
const runners = ['describe', 'it', 'suite', 'test'];
/** Matchers that always fail for an empty list or its length. */
const itemMatchers = ['toBeGreaterThan', 'toContain', 'toContainEqual'];
/** Matchers that fail for an empty list if their argument is not empty or zero. */
const lengthMatchers = ['toBe', 'toBeGreaterThanOrEqual', 'toEqual', 'toHaveLength', 'toStrictEqual'];

/** Convention: loops with expectations have items, because a loop over no items passes without any check. */
export const loopsRun: ConventionRule = {
  id: 'loops-run',
  claim: 'a loop that expects something, and a test with rows, has items to begin with',
  covers: (path) => /^test\/.*\.ts$/.test(path),
  inspect: (file) => new Loops(file).faults(),
  canaries: [
    planted("test('R1', () => { for (const user of users()) expect(user).toBe(1); });"),
    planted("test('R1', () => { for (const user of all.filter(isGuest)) { expect(user).toBe(1); } });"),
    planted("test('R1', () => { const all = read(); for (const one of all) expect(one).toBe(1); });"),
    planted("test('R1', () => { const all = []; for (const one of all) expect(one).toBe(1); });"),
    planted("test('R1', () => { expect(all).toEqual([]); for (const one of all) expect(one).toBe(1); });"),
    planted("test('R1', () => { expect(all.length).toBe(0); for (const one of all) expect(one).toBe(1); });"),
    planted("test('R1', () => { for (const one of all) expect(one).toBe(1); expect(all).toHaveLength(2); });"),
    planted("test('R1', () => { for (const one of all) check(one); }); function check(one) { expect(one).toBe(1); }"),
    planted("test('R1', () => { read().forEach((one) => expect(one).toBe(1)); });"),
    planted("test('R1', () => { for (const one of [...read()]) expect(one).toBe(1); });"),
    planted("test.each(rows())('R1', () => { expect(1).toBe(1); });"),
    planted("describe.for(rows.filter(isOdd))('R1', () => { expect(1).toBe(1); });"),
  ],
  innocents: [
    planted("test('R1', () => { for (const user of nonEmpty(users())) expect(user).toBe(1); });"),
    planted("test('R1', () => { for (const [at, user] of nonEmpty(users()).entries()) expect(user).toBe(at); });"),
    planted("test('R1', () => { for (const one of [1, 2] as const) expect(one).toBe(1); });"),
    planted("const all = [1, 2]; test('R1', () => { for (const one of all.map(twice)) expect(one).toBe(1); });"),
    planted("test('R1', () => { for (const one of [...read(), 1]) expect(one).toBe(1); });"),
    planted("test('R1', () => { expect(all).toHaveLength(2); for (const one of all) expect(one).toBe(1); });"),
    planted(
      "test('R1', () => { expect(all.length).toBeGreaterThan(0); for (const one of all) expect(one).toBe(1); });",
    ),
    planted("test('R1', () => { expect(all.map(id)).toEqual(['a']); for (const one of all) expect(one).toBe(1); });"),
    planted("test('R1', () => { for (const user of users()) user.skip(); expect(1).toBe(1); });"),
    planted("test.each([1, 2])('R1', () => { expect(1).toBe(1); });"),
    planted("test.each(nonEmpty(rows()))('R1', () => { expect(1).toBe(1); });"),
  ],
};

/** Loops of one file, with the evidence in the file that their lists have items. */
class Loops {
  readonly #file: TextFile;
  readonly #constants = new Map<string, Expression>();
  readonly #checking = new Set<string>();
  /** Earlier expectations that a list has items: the source text of the list, and the end of the expectation. */
  readonly #said: { readonly list: string; readonly end: number }[] = [];
  readonly #loops: { readonly list: Expression; readonly body: Node | null; readonly start: number }[] = [];

  constructor(file: TextFile) {
    this.#file = file;
    new Visitor({
      VariableDeclarator: ({ id, init }) => {
        if (id.type !== 'Identifier' || init === null) return;
        if (init.type === 'ArrowFunctionExpression') this.#define(id.name, init);
        else this.#constants.set(id.name, init);
      },
      FunctionDeclaration: (node) => this.#define(node.id?.name ?? '', node),
      ForOfStatement: ({ right, body, start }) => this.#loops.push({ list: right, body, start }),
      CallExpression: ({ callee, arguments: given, start, end }) => {
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        const { name } = callee.property;
        const [first] = given;
        if (first === undefined) return;
        if (name === 'forEach') this.#loops.push({ list: callee.object, body: first, start });
        else if (['each', 'for'].includes(name) && isRunner(callee.object) && first.type !== 'SpreadElement')
          this.#loops.push({ list: first, body: null, start });
        else if (itemMatchers.includes(name) || (lengthMatchers.includes(name) && hasSomething(first)))
          this.#note(callee.object, end);
      },
    }).visit(parse(file).program);
  }

  faults(): readonly Fault[] {
    return this.#loops
      .filter(({ list, body, start }) => (body === null || this.#expects(body)) && !this.#hasItems(list, start))
      .map(({ list, start }) => ({
        path: this.#file.path,
        line: lineAt(this.#file.text, start),
        message: `runs over "${this.#written(list)}", which may be empty: assert its length first, or say nonEmpty(…).`,
      }));
  }

  #written(node: Node): string {
    return this.#file.text.slice(node.start, node.end);
  }

  /** Stores the name of a function that contains an expectation. */
  #define(name: string, node: Node): void {
    if (/\bexpect\b/.test(this.#written(node))) this.#checking.add(name);
  }

  #expects(body: Node): boolean {
    const called = this.#written(body).matchAll(/\b(\w+)[.(]/g);
    return [...called].some(([, name = '']) => name === 'expect' || this.#checking.has(name));
  }

  /** Records the list in `expect(list)` or `expect(list.length)`. */
  #note(expectation: Expression, end: number): void {
    if (expectation.type !== 'CallExpression') return;
    const { callee, arguments: given } = expectation;
    if (callee.type !== 'Identifier' || callee.name !== 'expect' || given[0] === undefined) return;
    this.#said.push({ list: this.#written(listIn(given[0])), end });
  }

  #hasItems(list: Expression, before: number): boolean {
    const written = this.#written(list);
    if (this.#said.some((one) => one.list === written && one.end < before)) return true;
    switch (list.type) {
      case 'ArrayExpression':
        return list.elements.some(
          (one) => one !== null && (one.type !== 'SpreadElement' || this.#hasItems(one.argument, before)),
        );
      case 'ConditionalExpression':
        return this.#hasItems(list.consequent, before) && this.#hasItems(list.alternate, before);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return this.#hasItems(list.expression, before);
      case 'Identifier': {
        const value = this.#constants.get(list.name);
        return value !== undefined && value !== list && this.#hasItems(value, before);
      }
      case 'CallExpression':
        return this.#callHasItems(list.callee, list.arguments, before);
      default:
        return false;
    }
  }

  #callHasItems(callee: Expression, given: readonly Argument[], before: number): boolean {
    if (callee.type === 'Identifier') return callee.name === 'nonEmpty';
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
    if (callee.object.type === 'Identifier' && callee.object.name === 'Object') {
      const [first] = given;
      return first !== undefined && first.type !== 'SpreadElement' && this.#hasMembers(first);
    }
    return sameLength.includes(callee.property.name) && this.#hasItems(callee.object, before);
  }

  #hasMembers(object: Expression): boolean {
    const value = object.type === 'Identifier' ? this.#constants.get(object.name) : object;
    return value?.type === 'ObjectExpression' && value.properties.some(({ type }) => type === 'Property');
  }
}

/** Returns the list in `list.length` or `list.map(…)`. */
function listIn(node: Argument): Argument {
  const member = node.type === 'CallExpression' ? node.callee : node;
  if (member.type !== 'MemberExpression' || member.property.type !== 'Identifier') return node;
  const { name } = member.property;
  const sameItems = node.type === 'CallExpression' ? sameLength.includes(name) : ['length', 'size'].includes(name);
  return sameItems ? listIn(member.object) : node;
}

function isRunner(node: Expression): boolean {
  if (node.type === 'MemberExpression') return isRunner(node.object);
  return node.type === 'Identifier' && runners.includes(node.name);
}

/** Checks whether the argument of a matcher differs from every empty list. */
function hasSomething(given: Argument): boolean {
  if (given.type === 'ArrayExpression') return given.elements.some((one) => one?.type !== 'SpreadElement');
  return given.type !== 'Literal' || (given.value !== 0 && given.value !== null);
}

function planted(text: string): TextFile {
  return { path: 'test/machines/rules/sso-session.test.ts', text };
}

import { describe, expect, test } from 'vitest';
import {
  createEntry,
  type Entry,
  packageEntries,
  undocumentedExports,
  untaggedFunctions,
} from '../../tooling/api-reference/entries.ts';
import { getDeclarationKind } from '../../tooling/api-reference/signature.ts';
import { SourceModule } from '../../tooling/api-reference/source-module.ts';
import { apiReference } from '../../tooling/api-reference.ts';
import { nonEmpty } from '../non-empty.ts';

/** Number of functions whose doc comments lack `@param` or `@returns`. It may only decrease. */
const untaggedFunctionsMax = 41;

const entries = packageEntries();

function planted(text: string, name = 'planted'): Entry {
  return createEntry(name, new SourceModule('src/planted.ts', text));
}

function createPage(...lines: readonly string[]): string {
  return apiReference([planted(lines.join('\n'))]).join('\n\n');
}

describe('025: the API reference', () => {
  test('the reference lists every entry point of the package', () => {
    const names = entries.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['nudgelab', 'nudgelab/playwright', 'nudgelab/vitest']));
    for (const { exports } of nonEmpty(entries)) expect(exports.length).toBeGreaterThan(0);
  });

  test.for([
    ['nudgelab', () => import('../../src/index.ts')],
    ['nudgelab/cucumber', () => import('../../src/testing/cucumber.ts')],
  ] as const)('the reference lists exactly the values that %s exports when it is loaded', async ([name, load]) => {
    const exports = entries.find((entry) => entry.name === name)?.exports ?? [];
    const values = exports.filter(
      ({ declaration, isTypeOnly }) => !(isTypeOnly || ['interface', 'type'].includes(getDeclarationKind(declaration))),
    );
    expect(values.map((one) => one.name)).toEqual(Object.keys(await load()).toSorted());
  });

  test('every export has a doc comment', () => {
    expect(undocumentedExports(entries)).toEqual([]);
  });

  test('the number of functions without @param or @returns does not increase', () => {
    const untagged = untaggedFunctions(entries);
    expect(untagged.length, untagged.join('\n')).toBeLessThanOrEqual(untaggedFunctionsMax);
  });

  test('no two sections have the same heading', () => {
    const headings = apiReference(entries)
      .filter((part) => part.startsWith('### '))
      .map((heading) => heading.toLowerCase());
    expect(headings.length).toBeGreaterThan(100);
    expect(new Set(headings).size).toBe(headings.length);
  });
});

describe('025: the generator of the API reference', () => {
  test('canary: an export without a doc comment is reported', () => {
    const text = '/** Counts. */\nexport const one = 1;\nexport const two = 2;\n// Not one.\nexport type Three = 3;\n';
    expect(undocumentedExports([planted(text)])).toEqual(['planted: Three', 'planted: two']);
  });

  test('canary: a function without tags is reported, and a complete one is not', () => {
    const text = [
      '/** Adds. */\nexport function add(one: number): number { return one; }',
      '/**\n * Adds.\n * @param one - a number\n * @returns the sum\n */',
      'export function sum(one: number): number { return one; }',
      '/** Ends. */\nexport const end = (): void => undefined;',
    ].join('\n');
    expect(untaggedFunctions([planted(text)])).toEqual(['planted: add']);
  });

  test('canary: an export without a declaration causes an error', () => {
    expect(() => planted("export { lost } from './nowhere.ts';")).toThrow(/lost is not declared in the sources/);
    expect(() => planted("export * from './nowhere.ts';")).toThrow(
      /src\/planted\.ts: the API reference supports only named exports/,
    );
    expect(() => planted('export const = 1;')).toThrow(/cannot be parsed/);
  });

  test('a function is listed with its signature, without its body, and with a list of its tags', () => {
    const page = createPage(
      '/**',
      ' * Halves a Set<number>.',
      ' *',
      ' * @param value - the number,',
      ' *   on two lines',
      ' * @returns a half',
      ' * @throws RangeError if {@link value} is odd',
      ' * @example',
      ' * half(4); // 2',
      ' */',
      'export async function half(value: number): Promise<number> { return value / 2; }',
    );
    expect(page).toContain('```ts\nfunction half(value: number): Promise<number>\n```');
    expect(page).toContain(
      '- `value`: the number, on two lines\n- Returns: a half\n- Throws: RangeError if `value` is odd',
    );
    expect(page).toContain('```ts\nhalf(4); // 2\n```');
    expect(page).toContain('Halves a Set&lt;number>.');
    expect(page).not.toContain('/ 2;');
  });

  test('a class is listed with its public members and those of base classes that have no section', () => {
    const page = createPage(
      'class Base { constructor(secret: string) { this.#x = secret; } readonly #x; /** Opens. */ open(): void {} }',
      '/** A door. */',
      'export class Door extends Base {',
      '  readonly #lock = 1;',
      '  private bolt(): void {}',
      '  /** Shuts. */',
      '  async shut(hard: boolean): Promise<void> { this.#lock; }',
      '}',
    );
    expect(page).toContain('class Door extends Base {\n  /** Shuts. */\n  shut(hard: boolean): Promise<void>;');
    expect(page).toContain('// Inherited from Base.\n  /** Opens. */\n  open(): void;');
    expect(page).not.toMatch(/#lock|bolt|secret/);
  });

  test('a class with only its type exported is marked', () => {
    const page = createPage('/** A door. */\nclass Door {}\nexport type { Door };');
    expect(page).toContain('| [`Door`](#class-door) | class (type only) | A door. |');
  });

  test('all signatures of an overloaded function are listed', () => {
    const page = createPage(
      '/** Turns. */',
      'export function turn(one: string): string;',
      'export function turn(one: number): number;',
      'export function turn(one: unknown): unknown { return one; }',
    );
    expect(page).toContain('function turn(one: string): string;\nfunction turn(one: number): number;\n```');
    expect(page).not.toContain('unknown');
  });

  test('an export of two entry points has one section, and the other entry point links to it', () => {
    const module = new SourceModule('src/planted.ts', '/** One. */\nexport type One = 1;\n');
    const parts = apiReference([createEntry('planted', module), createEntry('planted/more', module)]);
    expect(parts.filter((part) => part.startsWith('### '))).toEqual(['### type One']);
    expect(parts.filter((part) => part.includes('[`One`](#type-one)'))).toHaveLength(2);
  });
});

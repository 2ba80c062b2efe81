import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Class,
  type Comment,
  type ExportNamedDeclaration,
  type Function as FunctionNode,
  parseSync,
  type Statement,
  type TSInterfaceDeclaration,
  type TSTypeAliasDeclaration,
  type VariableDeclarator,
} from 'oxc-parser';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** Declaration of a module, in the categories of the reference. */
export type DeclarationNode =
  | FunctionNode
  | Class
  | TSInterfaceDeclaration
  | TSTypeAliasDeclaration
  | VariableDeclarator;

/** Declared name. */
export interface Declaration {
  readonly name: string;
  readonly node: DeclarationNode;
  /** Start of the statement. The doc comment is before it. */
  readonly start: number;
  readonly module: SourceModule;
  /** Earlier signatures of an overloaded function. */
  readonly overloads: readonly DeclarationNode[];
}

/** Reference to a name in another module: its name there and the import specifier of the module. */
interface Reference {
  readonly name: string;
  readonly specifier: string;
}

/** Parsed source file with its declarations, imports and exports. */
export class SourceModule {
  static readonly #parsed = new Map<string, SourceModule>();
  /** Path relative to the repository root. */
  readonly path: string;
  readonly text: string;
  readonly comments: readonly Comment[];
  readonly #declarations = new Map<string, Declaration>();
  readonly #imports = new Map<string, Reference>();
  /** Exported names, each with a local name or a reference to another module. */
  readonly #exports = new Map<string, string | Reference>();
  readonly #typeOnly = new Set<string>();

  /**
   * Parses a source file.
   *
   * @param path - path relative to the repository root
   * @param text - text of the file
   * @throws Error if the text cannot be parsed, or uses a form of export that the reference does not support
   */
  constructor(path: string, text: string) {
    const { program, comments, errors } = parseSync(path, text, { sourceType: 'module', lang: 'ts' });
    if (errors[0] !== undefined) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
    this.path = path;
    this.text = text;
    this.comments = comments;
    for (const statement of program.body as readonly Statement[]) this.#read(statement);
  }

  /**
   * Loads a source file. Each file is parsed only once.
   *
   * @param path - path relative to the repository root
   * @returns the parsed module
   */
  static at(path: string): SourceModule {
    const module = SourceModule.#parsed.get(path) ?? new SourceModule(path, readFileSync(join(top, path), 'utf8'));
    SourceModule.#parsed.set(path, module);
    return module;
  }

  /** Exported names in alphabetical order. */
  get exportedNames(): readonly string[] {
    return [...this.#exports.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  }

  /**
   * Checks whether a name is exported only as a type.
   *
   * @param name - exported name of this module
   * @returns true if `export type` exports it, which prevents a class from being constructed or extended
   */
  exportsType(name: string): boolean {
    return this.#typeOnly.has(name);
  }

  /**
   * Resolves an exported name through re-exports.
   *
   * @param name - exported name of this module
   * @returns the declaration; `null` if the name is not exported or belongs to a package
   */
  exported(name: string): Declaration | null {
    const target = this.#exports.get(name);
    if (target === undefined) return null;
    return typeof target === 'string' ? this.local(target) : this.#followed(target);
  }

  /**
   * Resolves a name in the scope of this module.
   *
   * @param name - declared or imported name
   * @returns the declaration; `null` if the name is unknown or belongs to a package
   */
  local(name: string): Declaration | null {
    const declared = this.#declarations.get(name);
    if (declared !== undefined) return declared;
    const imported = this.#imports.get(name);
    return imported === undefined ? null : this.#followed(imported);
  }

  #followed({ name, specifier }: Reference): Declaration | null {
    const path = posix.join(posix.dirname(this.path), specifier);
    return specifier.startsWith('.') && existsSync(join(top, path)) ? SourceModule.at(path).exported(name) : null;
  }

  #read(statement: Statement): void {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier') continue;
        const reference = { name: getName(specifier.imported), specifier: statement.source.value };
        this.#imports.set(specifier.local.name, reference);
      }
    } else if (statement.type === 'ExportNamedDeclaration') {
      this.#readExport(statement);
    } else if (statement.type === 'ExportAllDeclaration' || statement.type === 'ExportDefaultDeclaration') {
      throw new Error(`${this.path}: the API reference supports only named exports.`);
    } else {
      this.#declare(statement, statement.start);
    }
  }

  #readExport({ declaration, specifiers, source, exportKind, start }: ExportNamedDeclaration): void {
    if (declaration !== null) {
      for (const name of this.#declare(declaration, start)) this.#exports.set(name, name);
    }
    for (const { local, exported, exportKind: ownKind } of specifiers) {
      const name = getName(local);
      if (exportKind === 'type' || ownKind === 'type') this.#typeOnly.add(getName(exported));
      this.#exports.set(getName(exported), source === null ? name : { name, specifier: source.value });
    }
  }

  /** Records the names that a statement declares, and returns them. */
  #declare(statement: Statement, start: number): readonly string[] {
    if (statement.type === 'VariableDeclaration') {
      return statement.declarations.flatMap((node) => namesIn(node).map((name) => this.#keep(name, node, start)));
    }
    if (
      statement.type === 'FunctionDeclaration' ||
      statement.type === 'TSDeclareFunction' ||
      statement.type === 'ClassDeclaration' ||
      statement.type === 'TSInterfaceDeclaration' ||
      statement.type === 'TSTypeAliasDeclaration'
    ) {
      return statement.id === null ? [] : [this.#keep(statement.id.name, statement, start)];
    }
    return [];
  }

  #keep(name: string, node: DeclarationNode, start: number): string {
    const earlier = this.#declarations.get(name);
    const overloads = earlier === undefined ? [] : [...earlier.overloads, earlier.node];
    this.#declarations.set(name, { name, node, start: earlier?.start ?? start, module: this, overloads });
    return name;
  }
}

function namesIn({ id }: VariableDeclarator): readonly string[] {
  if (id.type === 'Identifier') return [id.name];
  if (id.type !== 'ObjectPattern') return [];
  return id.properties.flatMap((property) =>
    property.type === 'Property' && property.value.type === 'Identifier' ? [property.value.name] : [],
  );
}

function getName(name: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return name.name ?? String(name.value);
}

/** Part of the repository with everything that it may import. Other imports are rejected. */
export interface ModuleBoundary {
  /**
   * File, or folder with the files beside it that have its name. A file belongs to the module with the longest path
   * that covers it.
   */
  readonly path: string;
  /** Modules, or single public files of a module, whose values and types may be imported. */
  readonly imports: readonly string[];
  /** Modules and files from which only types may be imported. */
  readonly importsTypesOf?: readonly string[];
  /** Folders with data files that the bundler may include as text: imports that end with `?raw`. */
  readonly texts?: readonly string[];
  readonly packages: readonly string[];
  readonly node: readonly string[];
  /** Files that may call `import()` with a computed name, because they load the user's own modules. */
  readonly loaders?: readonly string[];
  /** Alternative to a rejected import: the last sentence of the error. */
  readonly instead: string;
}

/**
 * `npm run build`: compiles src/ and machines/ to dist/, and copies the files that the program reads at runtime,
 * such as stylesheets. Comments remain in the declarations, where editors show them. They are removed from the
 * JavaScript together with its whitespace, because the package size is limited. Declarations that no entry point
 * references are removed, the others declare repeated types once, and the published schemas are added. The web console is built last.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'vite';
import { keepReachableDeclarations, standInForExpress } from './declarations.ts';
import { shareRepeatedTypes } from './repeated-types.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const dist = join(top, 'dist');

rmSync(dist, { recursive: true, force: true });
const passes = ['--declaration --emitDeclarationOnly', '--declaration false --removeComments'];
const status = passes.reduce<number | null>((failed, options) => (failed === 0 ? compile(options) : failed), 0);
if (status === 0) {
  for (const folder of ['machines', 'src']) copyData(folder);
  writeSchemas();
  keepReachableDeclarations(dist, declaredEntries());
  standInForExpress(dist);
  shareTypes();
}
const narrowed =
  status === 0 ? run('biome format --write --config-path tooling/emitted.biome.json dist/src dist/machines') : status;
if (narrowed === 0) {
  flattenDeclarations();
  removeSpaces();
}
const built =
  narrowed === 0
    ? spawnSync(process.execPath, ['tooling/console.ts'], { cwd: top, stdio: 'inherit' }).status
    : narrowed;
process.exitCode = built ?? 1;

/** Runs the compiler with additional options. Returns its exit code. */
function compile(options: string): number | null {
  return run(`tsc -p tsconfig.build.json ${options}`);
}

/** Runs a tool that npm scripts can find. Returns its exit code. */
function run(command: string): number | null {
  return spawnSync(command, { cwd: top, stdio: 'inherit', shell: true }).status;
}

/** Declares the types of schemas once that the compiler repeats, which are a third of all declarations. */
function shareTypes(): void {
  for (const name of globSync('**/*.d.ts', { cwd: dist })) {
    const path = join(dist, name);
    writeFileSync(path, shareRepeatedTypes(readFileSync(path, 'utf8')));
  }
}

/**
 * Reduces the indentation of declarations to one tab. The types of schemas are nested so deeply that their tabs
 * would be an eighth of all declarations.
 */
function flattenDeclarations(): void {
  for (const name of globSync('**/*.d.ts', { cwd: dist })) {
    const path = join(dist, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\t{2,}/gm, '\t'));
  }
}

/** Removes whitespace from the modules, shortens local names, and deletes empty modules. The structure does not change. */
function removeSpaces(): void {
  for (const name of globSync('{src,machines}/**/*.js', { cwd: dist })) {
    const path = join(dist, name);
    const text = readFileSync(path, 'utf8');
    // The minifier would escape the end of a script element, and pages that read templates literally would show the
    // escape.
    if (text.includes('</script')) continue;
    const { code, errors } = minifySync(path, text, {
      compress: false,
      // Exports, functions and classes keep their names, so that stack traces stay readable.
      mangle: { toplevel: false, keepNames: true },
      codegen: { removeWhitespace: true },
    });
    if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`);
    // A module that contains only types is imported by declarations but never loaded.
    if (code === 'export{};') rmSync(path);
    else writeFileSync(path, code);
  }
}

/** Writes the JSON Schemas and OpenAPI documents of docs/schemas to dist/schemas without optional whitespace. */
function writeSchemas(): void {
  const [from, to] = [join(top, 'docs/schemas'), join(dist, 'schemas')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    writeFileSync(join(to, name), JSON.stringify(JSON.parse(readFileSync(join(from, name), 'utf8'))));
  }
}

/** Lists the declaration files of the package's entry points. */
function declaredEntries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [join(top, entry.types)]));
}

/** Copies all files other than TypeScript to the same path in dist/. */
function copyData(folder: string): void {
  const filter = (path: string): boolean => statSync(path).isDirectory() || !path.endsWith('.ts');
  cpSync(join(top, folder), join(dist, folder), { recursive: true, filter });
}

/**
 * `npm run build`: compiles src/ and machines/ to dist/, and copies the files beside them that the program reads while it runs,
 * such as stylesheets. Comments stay in the declarations, where editors show them; what runs loses them and its spaces, since the
 * package has a limit. Declarations that no entry leads to are removed, and the published schemas are added.
 * Then it builds the web console beside them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'vite';
import { keepReachableDeclarations, standInForExpress } from './declarations.ts';

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

/** Runs the compiler with options besides those of the build. Returns its exit code. */
function compile(options: string): number | null {
  return run(`tsc -p tsconfig.build.json ${options}`);
}

/** Runs a tool that npm's scripts find. Returns its exit code. */
function run(command: string): number | null {
  return spawnSync(command, { cwd: top, stdio: 'inherit', shell: true }).status;
}

/** Types of schemas nest so deeply that their tabs would be an eighth of all declarations: one stands for several. */
function flattenDeclarations(): void {
  for (const name of globSync('**/*.d.ts', { cwd: dist })) {
    const path = join(dist, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\t{2,}/gm, '\t'));
  }
}

/** Removes spaces and line breaks from the modules, and modules that are empty; names and structure stay. */
function removeSpaces(): void {
  for (const name of globSync('{src,machines}/**/*.js', { cwd: dist })) {
    const path = join(dist, name);
    const text = readFileSync(path, 'utf8');
    // The end of a script element would be escaped, which pages that read templates as they are written would show.
    if (text.includes('</script')) continue;
    const { code, errors } = minifySync(path, text, {
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: true },
    });
    if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`);
    // A module of types alone is imported by declarations and never loaded.
    if (code === 'export{};') rmSync(path);
    else writeFileSync(path, code);
  }
}

/** Writes the JSON Schemas and OpenAPI documents of docs/schemas to dist/schemas, without the spaces that only people need. */
function writeSchemas(): void {
  const [from, to] = [join(top, 'docs/schemas'), join(dist, 'schemas')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    writeFileSync(join(to, name), JSON.stringify(JSON.parse(readFileSync(join(from, name), 'utf8'))));
  }
}

/** The declarations that the entries of the package name. */
function declaredEntries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [join(top, entry.types)]));
}

/** Copies all that is not TypeScript to the same place below dist/. */
function copyData(folder: string): void {
  const filter = (path: string): boolean => statSync(path).isDirectory() || !path.endsWith('.ts');
  cpSync(join(top, folder), join(dist, folder), { recursive: true, filter });
}

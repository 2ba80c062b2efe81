/**
 * `npm run build`: checks src/ and machines/, and writes the package to dist/: declarations, published schemas, the program,
 * and the web console. Declarations that no entry point references are removed, and the others declare repeated types once.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepReachableDeclarations, standInForPackages } from './declarations.ts';
import { replaceFolder, writeProgram } from './program.ts';
import { shareRepeatedTypes } from './repeated-types.ts';

const top = fileURLToPath(new URL('..', import.meta.url));

await replaceFolder(join(top, 'dist'), async (folder) => {
  run(`tsc -p tsconfig.build.json --outDir ${basename(folder)}`);
  writeSchemas(folder);
  keepReachableDeclarations(folder, declaredEntries(folder));
  standInForPackages(folder);
  shareTypes(folder);
  run(`biome format --write --config-path tooling/emitted.biome.json ${basename(folder)}/src`);
  flattenDeclarations(folder);
  await writeProgram(folder);
  keepConsole(folder);
});
run('node tooling/console.ts');
run('node tooling/program.ts');

/** Moves the console of the previous build, which is built only from other sources. */
function keepConsole(folder: string): void {
  const console = join(top, 'dist/console');
  if (existsSync(console)) renameSync(console, join(folder, 'console'));
}

/** Runs a tool that npm scripts can find, which reports its own errors. Ends the build if it fails. */
function run(command: string): void {
  const { status } = spawnSync(command, { cwd: top, stdio: 'inherit', shell: true });
  if (status !== 0) throw new Error(`The command failed: ${command}`);
}

/** Declares the types of schemas once that the compiler repeats, which are a third of all declarations. */
function shareTypes(folder: string): void {
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, name);
    writeFileSync(path, shareRepeatedTypes(readFileSync(path, 'utf8')));
  }
}

/**
 * Reduces the indentation of declarations to one tab. The types of schemas are nested so deeply that their tabs
 * would be an eighth of all declarations.
 */
function flattenDeclarations(folder: string): void {
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\t{2,}/gm, '\t'));
  }
}

/** Writes the JSON Schemas and OpenAPI documents of docs/schemas without optional whitespace. */
function writeSchemas(folder: string): void {
  const [from, to] = [join(top, 'docs/schemas'), join(folder, 'schemas')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    writeFileSync(join(to, name), JSON.stringify(JSON.parse(readFileSync(join(from, name), 'utf8'))));
  }
}

/** Lists the declaration files of the package's entry points. */
function declaredEntries(folder: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [join(folder, entry.types.replace('./dist/', ''))],
  );
}

/**
 * `npm run build`: checks src/ and machines/, bundles them to dist/, and copies the files that the program reads at
 * runtime, such as stylesheets. Declarations that no entry point references are removed, the others declare repeated
 * types once, and the published schemas are added. The web console is built last.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.ts';
import { keepReachableDeclarations, standInForPackages } from './declarations.ts';
import { shareRepeatedTypes } from './repeated-types.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const dist = join(top, 'dist');

rmSync(dist, { recursive: true, force: true });
run('tsc -p tsconfig.build.json');
for (const folder of ['machines', 'src']) copyData(folder);
writeSchemas();
keepReachableDeclarations(dist, declaredEntries());
standInForPackages(dist);
shareTypes();
run('biome format --write --config-path tooling/emitted.biome.json dist/src');
flattenDeclarations();
await bundleProgram(dist);
run('node tooling/console.ts');

/** Runs a tool that npm scripts can find. Ends the build if it fails. */
function run(command: string): void {
  const { status } = spawnSync(command, { cwd: top, stdio: 'inherit', shell: true });
  if (status !== 0) process.exit(status ?? 1);
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

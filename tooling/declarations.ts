import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Removes the declarations that no entry point of the package references. They are four fifths of all declarations,
 * and no user can import them. Returns the number of remaining declarations.
 */
export function keepReachableDeclarations(dist: string, entries: readonly string[]): number {
  const reachable = new Set(entries);
  for (const file of reachable) {
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)[\s(]*['"](\.[^'"]+)['"]/g)) {
      reachable.add(resolve(dirname(file), target).replace(/\.[jt]s$/, '.d.ts'));
    }
  }
  const all = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
  for (const path of all) if (!reachable.has(join(dist, path))) rmSync(join(dist, path));
  return reachable.size;
}

/**
 * Substitute for the types of Express, which its package does not include. Node.js provides everything that these
 * types need.
 */
const expressStandIn = `import type { IncomingMessage, ServerResponse } from 'node:http';
export type Request = IncomingMessage;
export type Response = ServerResponse;
export type RequestHandler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;
export type Router = RequestHandler;
`;

/** Replaces the types of Express and jose in declarations, so users need no additional package for them. */
export function standInForPackages(dist: string): void {
  const declared = fileURLToPath(import.meta.resolve('jose')).replace(/webapi\/index\.js$/, 'types/types.d.ts');
  for (const [name, text] of [
    ['express', expressStandIn],
    ['jose', readFileSync(declared, 'utf8')],
  ] as const) {
    standIn(dist, name, text);
  }
}

function standIn(dist: string, name: string, text: string): void {
  const place = join(dist, `${name}.d.ts`);
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.d.ts'))) {
    const before = readFileSync(join(dist, path), 'utf8');
    const way = relative(dirname(join(dist, path)), place)
      .replaceAll('\\', '/')
      .replace(/\.d\.ts$/, '.js');
    const changed = before.replaceAll(`from '${name}'`, `from '${way.startsWith('.') ? way : `./${way}`}'`);
    if (changed !== before) writeFileSync(join(dist, path), changed);
  }
  writeFileSync(place, text);
}

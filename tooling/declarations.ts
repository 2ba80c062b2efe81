import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

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

/** Replaces the types of Express in declarations with a substitute, so users need no additional types package. */
export function standInForExpress(dist: string): void {
  const place = join(dist, 'express.d.ts');
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, path), 'utf8');
    const way = relative(dirname(join(dist, path)), place)
      .replaceAll('\\', '/')
      .replace(/\.d\.ts$/, '.js');
    const changed = text.replaceAll(/from 'express'/g, `from '${way.startsWith('.') ? way : `./${way}`}'`);
    if (changed !== text) writeFileSync(join(dist, path), changed);
  }
  writeFileSync(place, expressStandIn);
}

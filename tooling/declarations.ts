import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Removes the declarations that no entry of the package leads to: four of five, which no one can import. Takes the folder of
 * what was built, and the declarations of the entries. Returns how many stay.
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

/** What stands for the types of Express, which its own package does not bring: no one hands us more than what Node hands on. */
const expressStandIn = `import type { IncomingMessage, ServerResponse } from 'node:http';
export type Request = IncomingMessage;
export type Response = ServerResponse;
export type RequestHandler = (request: Request, response: Response, next: (error?: unknown) => void) => unknown;
export type Router = RequestHandler;
`;

/** Has declarations take the types of Express from a stand-in, so that anyone who imports them needs no types package besides. */
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

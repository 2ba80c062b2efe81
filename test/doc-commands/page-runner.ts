import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../', import.meta.url));
const shims = fileURLToPath(new URL('shims', import.meta.url));

/** Files that are copied for a page. Readers have a checkout before the first command. */
const copied = ['scenarios', 'rulesets', 'fixtures', 'package.json'];
const linked = ['docs', 'src', 'machines', 'test', 'node_modules'];

/** Timeout of a page in seconds. A page that hangs is ended with all its processes. */
const pageTimeout = '280';

/** Result of the commands of one page. */
export interface PageRun {
  readonly code: number | null;
  readonly output: string;
  /** Calls of the program, `npm`, `npx` and `curl`, one per line. */
  readonly calls: readonly string[];
}

/**
 * Runs shell text like a reader who types it into one terminal. `nudgelab`, `npm`, `npx` and `curl` are those of
 * `test/doc-commands/shims`: the program runs from its sources, servers run in the background and end with the text,
 * and commands that install or test this repository are only looked up. A free port replaces the port on the pages.
 *
 * @param text - Shell text of a page.
 */
export async function runAsReader(text: string): Promise<PageRun> {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-docs-'));
  try {
    for (const path of copied) cpSync(join(top, path), join(folder, path), { recursive: true });
    for (const path of linked) symlinkSync(join(top, path), join(folder, path));
    const [port, log] = [await freePort(), join(folder, '.calls')];
    writeFileSync(join(folder, '.page.sh'), text.replaceAll('4700', String(port)));
    const child = spawn('timeout', [pageTimeout, 'bash', '--norc', join(shims, 'page.sh')], {
      cwd: folder,
      env: {
        PATH: `${shims}:${process.env['PATH']}`,
        HOME: folder,
        TMPDIR: folder,
        DOCS_TOP: top,
        DOCS_PORT: String(port),
        DOCS_LOG: log,
        DOCS_NODE: process.execPath,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.on('close', resolve);
    const code = await promise;
    endGroup(child.pid);
    return { code, output, calls: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends what a page has left running. `timeout` leads the group of all processes of a page. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // The usual case: the page has ended everything.
  }
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = createServer().listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  return port;
}

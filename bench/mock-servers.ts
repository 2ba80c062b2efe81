import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { peersFolder as folder, installPeers, peerModules as modules } from './install-peers.ts';

/** Installed versions of the mock servers used for comparison. */
const versions = { '@stoplight/prism-cli': '5.16.0', mountebank: '2.9.1', wiremock: '3.13.2' } as const;

/** Timeout in milliseconds for the first response of a mock server. */
const startsWithinMs = 60_000;

/** Response that every server returns, as JSON. */
export interface MockedAnswer {
  readonly path: string;
  /** Query string of the request, if the response depends on it. */
  readonly query?: string;
  readonly text: string;
}

/** Mock server with the configured responses, in a separate process. */
export interface Peer {
  readonly name: string;
  readonly baseUrl: string;
  readonly pid: number;
  /** Time from the start of the process to the first response, in milliseconds. */
  readonly startedInMs: number;
  stop(): Promise<void>;
}

/** Installs the mock servers that are missing. */
export function installMockServers(): void {
  installPeers(versions);
}

/** Starts every mock server that this machine can run, with the same responses, and logs why a server is omitted. */
export async function startPeers(answers: readonly MockedAnswer[]): Promise<readonly Peer[]> {
  const peers = [
    await startPeer(`Mountebank ${versions.mountebank}`, await freePort(), answers, mountebank),
    await startPeer(`Prism ${versions['@stoplight/prism-cli']}`, await freePort(), answers, prism),
  ];
  const jar = readdirSync(join(modules, 'wiremock', 'build')).find((name) => name.endsWith('.jar'));
  if (jar === undefined || !hasJava()) {
    console.log('WireMock is left out: there is no Java on this machine.');
    return peers;
  }
  const run = (port: number): readonly string[] => wiremock(join(modules, 'wiremock', 'build', jar), port, answers);
  return [...peers, await startPeer(`WireMock ${versions.wiremock}`, await freePort(), answers, run)];
}

function hasJava(): boolean {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the Mountebank configuration. Mountebank serves imposters on separate ports and its own API on another
 * one.
 */
function mountebank(port: number, answers: readonly MockedAnswer[]): readonly string[] {
  const stubs = answers.map(({ path, text }) => ({
    predicates: [{ equals: { method: 'GET', path } }],
    responses: [{ is: { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: text } }],
  }));
  const file = written('imposters.json', { imposters: [{ port, protocol: 'http', stubs, recordRequests: false }] });
  const own = String(port + 1);
  const config = ['--configfile', file, '--port', own, '--nologfile', '--loglevel', 'error'];
  return [
    process.execPath,
    join(modules, 'mountebank', 'bin', 'mb'),
    'start',
    ...config,
    '--pidfile',
    join(folder, 'mb.pid'),
  ];
}

function prism(port: number, answers: readonly MockedAnswer[]): readonly string[] {
  const paths = Object.fromEntries(
    answers.map(({ path, text }) => {
      const content = { 'application/json': { schema: {}, example: JSON.parse(text) as unknown } };
      return [path, { get: { responses: { 200: { description: 'The answer.', content } } } }];
    }),
  );
  const file = written('prism.json', { openapi: '3.0.3', info: { title: 'Answers', version: '1' }, paths });
  const main = join(modules, '@stoplight', 'prism-cli', 'dist', 'index.js');
  return [process.execPath, main, 'mock', file, '--port', String(port), '--verboseLevel', 'silent'];
}

function wiremock(jar: string, port: number, answers: readonly MockedAnswer[]): readonly string[] {
  const home = join(folder, 'wiremock-answers');
  mkdirSync(join(home, 'mappings'), { recursive: true });
  const mappings = answers.map(({ path, text }) => ({
    request: { method: 'GET', urlPath: path },
    response: { status: 200, body: text, headers: { 'Content-Type': 'application/json' } },
  }));
  written(join('wiremock-answers', 'mappings', 'answers.json'), { mappings });
  return ['java', '-jar', jar, '--port', String(port), '--root-dir', home, '--no-request-journal', '--disable-banner'];
}

function written(name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

async function startPeer(
  name: string,
  port: number,
  answers: readonly MockedAnswer[],
  run: (port: number, answers: readonly MockedAnswer[]) => readonly string[],
): Promise<Peer> {
  const [program = '', ...args] = run(port, answers);
  const startMs = performance.now();
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  const baseUrl = `http://127.0.0.1:${port}`;
  for (const { path, query } of answers) await answered(name, child, `${baseUrl}${path}${query ?? ''}`, startMs);
  const startedInMs = performance.now() - startMs;
  return { name, baseUrl, pid: child.pid ?? 0, startedInMs, stop: () => stopped(child) };
}

async function answered(name: string, child: ChildProcess, url: string, startMs: number): Promise<void> {
  while (performance.now() - startMs < startsWithinMs && child.exitCode === null) {
    try {
      const { status } = await fetch(url);
      if (status === 200) return;
    } catch {
      // The server is not listening yet.
    }
    await delay(20);
  }
  child.kill('SIGKILL');
  throw new Error(`${name} does not answer ${url}.`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

/**
 * Health check of the server in this container: exit code 0 if the server responds, otherwise 1. It sends requests
 * to every port on which a process of this user listens, by HTTP and HTTPS, so it works with any port, address and
 * scheme. The arguments are process ids, and without arguments all processes are checked. The file runs from an
 * image and imports nothing from the program.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request as askPlainly } from 'node:http';
import { request as askSecurely } from 'node:https';

interface Listening {
  readonly host: string;
  readonly port: number;
}

const healthPath = '/_control/v1/health';
const timeoutMs = 2_000;

/** Code of a listening socket in the system's socket table. */
const listens = '0A';

/** Lists the ports on which processes listen, from the system's socket tables. */
function listeningPorts(processes: readonly string[]): readonly Listening[] {
  const sockets = new Set(processes.flatMap(listSockets));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readText(`/proc/net/${table}`)
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , socket]) => state === listens && sockets.has(socket ?? ''))
      .map(([, address = '']) => parseListening(address)),
  );
}

/** Lists the sockets of a process. The list is empty for a process of another user. */
function listSockets(id: string): readonly string[] {
  const folder = `/proc/${id}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => /^socket:\[(\d+)\]$/.exec(readTarget(`${folder}/${name}`))?.[1] ?? []);
  } catch {
    return [];
  }
}

/**
 * Parses an address of the socket table, such as `0100007F:125C`. It consists of words of four bytes in
 * little-endian order.
 */
function parseListening(address: string): Listening {
  const [words = '', port = ''] = address.split(':');
  const bytes = (words.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).toReversed());
  const isAny = /^0*$/.test(words);
  const host =
    bytes.length === 4
      ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
      : (bytes.join('').match(/.{4}/g) ?? []).join(':');
  return { host: isAny ? (bytes.length === 4 ? '127.0.0.1' : '::1') : host, port: Number.parseInt(port, 16) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/**
 * Sends a request to one port with one scheme. Rejects if the response is not from a healthy server of this
 * program.
 */
function requestHealth(ask: typeof askPlainly, { host, port }: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    // The certificate comes from a test authority, and the connection never leaves the container.
    const options = { host, port, path: healthPath, timeout: timeoutMs, rejectUnauthorized: false };
    const request = ask({ ...options, headers: { host: `localhost:${port}` } }, (response) => {
      response.resume();
      const isHealthy = response.statusCode === 200 && (response.headers['content-type'] ?? '').includes('json');
      if (isHealthy) resolve();
      else reject(new Error(`The status is ${response.statusCode}.`));
    });
    request.on('timeout', () => request.destroy(new Error('No response before the timeout.')));
    request.on('error', reject);
    request.end();
  });
}

const named = process.argv.slice(2);
const processes = named.length > 0 ? named : readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const asking = listeningPorts(processes).flatMap((place) => [
  requestHealth(askPlainly, place),
  requestHealth(askSecurely, place),
]);
const isHealthy = await Promise.any(asking).then(
  () => true,
  () => false,
);
process.exit(isHealthy ? 0 : 1);

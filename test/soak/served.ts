import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Root folder of the repository. */
const root = join(import.meta.dirname, '..', '..');

/** Options to start a server. */
export interface ServedOptions {
  /** Value of `--db`. If omitted, the server keeps its sandboxes in memory. */
  readonly db?: string | undefined;
  /** Further arguments of `nudgelab serve`. */
  readonly more?: readonly string[];
  /** Maximum size of a file in KiB, to simulate a full disk. */
  readonly fileKibMax?: number | undefined;
}

/** Real `nudgelab serve` in a separate process. */
export class Served {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess, { baseUrl, controlUrl }: { baseUrl: string; controlUrl: string }) {
    this.baseUrl = baseUrl;
    this.controlUrl = controlUrl;
    this.#child = child;
    this.#ended = once(child, 'exit');
  }

  /** Starts a server and resolves once it is listening. Throws if it exits before that. */
  static async start({ db, more = [], fileKibMax }: ServedOptions): Promise<Served> {
    const args = [join(root, 'tooling', 'nudgelab.js'), 'serve', '--port', '0', '--json', ...more];
    if (db !== undefined) args.push('--db', db);
    const child =
      fileKibMax === undefined
        ? spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
        : spawn('bash', ['-c', `ulimit -f ${fileKibMax}; exec "$@"`, 'bash', process.execPath, ...args], {
            cwd: root,
            stdio: ['ignore', 'pipe', 'ignore'],
          });
    const { stdout } = child;
    if (stdout === null) throw new Error('The server has no output.');
    const line = once(createInterface({ input: stdout }), 'line') as Promise<[string]>;
    const said = await Promise.race([line, once(child, 'exit').then(([code]) => Number(code))]);
    if (typeof said === 'number') throw new Error(`nudgelab serve ended with ${said} before it listened.`);
    return new Served(child, JSON.parse(said[0]) as { baseUrl: string; controlUrl: string });
  }

  /** True while the process is running. */
  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Exit code or signal of the process, for messages. */
  get ending(): string {
    return String(this.#child.signalCode ?? this.#child.exitCode);
  }

  /** Returns the resident memory of the process in MiB, as Linux accounts it. */
  residentMib(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** Kills the process without a warning, as kill -9 does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Requests the process to exit and waits for it. Returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return this.#child.exitCode;
  }
}

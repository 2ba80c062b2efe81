import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Artefact } from '../../../src/generate/write/artefact.ts';

/** Exit code and output of a command in a project. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Project in a temporary folder, in which this package is installed from its sources. Specs import it by its name like
 * in a user's project.
 */
export class FreshProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'nudgelab-project-')));

  constructor() {
    const top = resolve('.');
    const modules = join(this.folder, 'node_modules');
    const package_ = join(modules, 'nudgelab');
    mkdirSync(package_, { recursive: true });
    const faces = { '.': './src/index.ts', ...Object.fromEntries(['playwright', 'vitest', 'cucumber'].map(face)) };
    writeFileSync(join(package_, 'package.json'), JSON.stringify({ name: 'nudgelab', type: 'module', exports: faces }));
    for (const room of ['src', 'machines', 'fixtures']) symlinkSync(join(top, room), join(package_, room));
    const installed = realpathSync(join(top, 'node_modules'));
    for (const name of readdirSync(installed)) {
      if (!name.startsWith('.') && name !== 'nudgelab') symlinkSync(join(installed, name), join(modules, name));
    }
    this.write([{ path: 'package.json', text: JSON.stringify({ name: 'fresh', private: true, type: 'module' }) }]);
  }

  /** Writes files below the project folder. */
  write(files: readonly Artefact[]): void {
    for (const { path, text } of files) {
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /**
   * Runs a script of an installed package with the current runtime.
   *
   * @param script - Path below node_modules.
   * @param args - Command-line arguments.
   */
  run(script: string, args: readonly string[]): Promise<Ended> {
    const { promise, resolve: end, reject } = Promise.withResolvers<Ended>();
    const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
    const child = spawn(process.execPath, [join(this.folder, 'node_modules', script), ...args], {
      cwd: this.folder,
      env,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    child.on('error', reject);
    child.on('close', (code) => end({ code, stdout, stderr }));
    return promise;
  }

  /** Parses a JSON file below the project folder. */
  json<T>(path: string): T {
    return JSON.parse(readFileSync(join(this.folder, path), 'utf8')) as T;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

function face(name: string): readonly [string, string] {
  return [`./${name}`, `./src/testing/${name}.ts`];
}

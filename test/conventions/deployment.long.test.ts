import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../src/cli/commands.ts';
import { createParser } from '../../src/cli/program.ts';
import { testContext } from '../cli/command-context.ts';
import { failing, passing, suiteFolder } from '../cli/suite-folder.ts';
import { nonEmpty } from '../non-empty.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(top, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'nudgelab-deployment-'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** Instructions of the Dockerfile, with continued lines joined. */
const instructions: readonly Instruction[] = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }));
const named = (name: string): readonly string[] =>
  instructions.filter((one) => one.name === name).map(({ text }) => text);

/** Parses a command line of the program. Throws if the command is unknown or the parser rejects it. */
async function parsed([name = '', ...argv]: readonly string[]): Promise<void> {
  const load = commands.get(name);
  if (load === undefined) throw new RangeError(`There is no command ${name}.`);
  createParser(await load(), testContext()).parse(argv, { from: 'user' });
}

/** Matches an image with a tag for people and a digest that identifies it. */
const pinnedImage = /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

describe('055: container image', () => {
  const ignored = read('.dockerignore').split('\n');

  test('055: every copied path exists and is not excluded from the build', () => {
    const copied = named('COPY')
      .filter((text) => !text.startsWith('--from'))
      .flatMap((text) => text.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect(existsSync(join(top, path)), path).toBe(true);
      expect(ignored).toContain(`!${path}`);
    }
  });

  test('055: every stage that another stage uses is defined', () => {
    const stages = named('FROM').map((text) => text.split(' AS '));
    const names = stages.map(([, name]) => name);
    for (const [from = ''] of nonEmpty(stages))
      expect(['NODE_IMAGE', ...names]).toContain(from.replaceAll(/[${}]/g, ''));
    for (const text of nonEmpty(named('COPY'))) {
      const from = /^--from=(\S+)/.exec(text)?.[1];
      if (from !== undefined) expect(names).toContain(from);
    }
  });

  test('055: the image runs as an unprivileged user on an exact Node version', () => {
    expect(named('USER')).toEqual(['node']);
    expect(named('ARG')[0]).toMatch(/^NODE_IMAGE=node:24\.\d+\.\d+-/);
    expect(named('ARG')[0]?.replace('NODE_IMAGE=', '')).toMatch(pinnedImage);
    const { devDependencies } = JSON.parse(read('package.json')) as {
      readonly devDependencies: Record<string, string>;
    };
    expect(named('ARG')[0]).toContain(`node:${devDependencies['node']}-`);
  });

  test('055: the command of the image is a command of the program', async () => {
    await parsed(JSON.parse(named('CMD')[0] ?? '[]') as readonly string[]);
    expect(named('ENTRYPOINT')[0]).toContain('dist/src/cli/main.js');
  });

  test.for([[[]], [['--https']], [['--host', '::1']]] as const)(
    '071: the health check finds the server at any port, address and scheme (%j), and fails without a server',
    async ([options]) => {
      const check = JSON.parse(/\[.*\]/.exec(named('HEALTHCHECK')[0] ?? '')?.[0] ?? '[]') as readonly string[];
      expect(check).toEqual(['node', '/opt/nudgelab/image-health.ts']);
      const from = named('COPY').find((text) => text.endsWith(check[1] ?? '-'));
      const script = join(top, from?.split(' ')[1]?.replace('/build/', '') ?? '');
      const served = spawn(process.execPath, ['src/cli/main.ts', 'serve', '--port', '0', '--json', ...options], {
        cwd: top,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const checked = (): number | null => spawnSync(process.execPath, [script, String(served.pid)]).status;
      onTestFinished(() => void served.kill('SIGKILL'));
      const [first] = (await once(served.stdout, 'data')) as [Buffer];
      expect(JSON.parse(first.toString())).toMatchObject({ sandbox: 'default' });
      expect(checked()).toBe(0);
      served.kill('SIGTERM');
      await once(served, 'exit');
      expect(checked()).toBe(1);
    },
  );

  test('055: the full image adds the optional packages except browsers and test runners', () => {
    const code = /node --print "([^"]+)"/.exec(named('RUN').join('\n'))?.[1] ?? '';
    const { stdout } = spawnSync(process.execPath, ['--print', code], { cwd: top, encoding: 'utf8' });
    const names = stdout
      .trim()
      .split(' ')
      .map((word) => word.slice(0, word.lastIndexOf('@')));
    expect(names.toSorted()).toEqual(
      [
        '@cantoo/pdf-lib',
        '@duckdb/node-api',
        '@embedpdf/pdfium',
        '@modelcontextprotocol/sdk',
        '@opentelemetry/api',
        '@opentelemetry/context-async-hooks',
        '@opentelemetry/core',
        '@opentelemetry/exporter-metrics-otlp-proto',
        '@opentelemetry/exporter-trace-otlp-proto',
        '@opentelemetry/resources',
        '@opentelemetry/sdk-metrics',
        '@opentelemetry/sdk-trace',
        'bullmq',
        'ioredis',
        'kysely',
        'pg',
        'sharp',
      ].toSorted(),
    );
    expect(stdout).not.toContain('undefined');
  });
});

describe('055: compose, development container and action', () => {
  test.for(['compose.yaml', '.devcontainer/compose.yaml'])(
    '055: %s references only existing services',
    async (path) => {
      const { services } = parse(read(path)) as {
        readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      };
      for (const { depends_on, network_mode, build, command, image } of nonEmpty(Object.values(services))) {
        expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on ?? {})));
        if (typeof network_mode === 'string') expect(services).toHaveProperty(network_mode.replace('service:', ''));
        if (build !== undefined) {
          expect(named('FROM').some((text) => text.endsWith(` AS ${(build as { target: string }).target}`))).toBe(true);
          await parsed(command as readonly string[]);
        }
        expect(String(image)).toMatch(build === undefined ? pinnedImage : /^nudgelab:full$/);
      }
    },
  );

  test('055: the development container uses a service of its compose file', () => {
    const { service, dockerComposeFile } = JSON.parse(read('.devcontainer/devcontainer.json')) as Record<
      string,
      string
    >;
    expect(parse(read(`.devcontainer/${dockerComposeFile}`))).toHaveProperty(`services.${service}`);
  });

  test('055: the action passes every input to its script and pins other actions to commits', () => {
    const { inputs, runs } = parse(read('action.yml')) as {
      readonly inputs: Readonly<Record<string, { readonly description: string }>>;
      readonly runs: { readonly using: string; readonly steps: readonly Readonly<Record<string, unknown>>[] };
    };
    expect(runs.using).toBe('composite');
    const text = JSON.stringify(runs.steps);
    for (const [name, { description }] of nonEmpty(Object.entries(inputs))) {
      expect(text).toContain(`\${{ inputs.${name} }}`);
      expect(description).toMatch(/\.$/);
    }
    for (const { uses, run, shell } of nonEmpty(runs.steps)) {
      if (run === undefined) expect(uses).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
      else expect([shell, run]).toEqual(['bash', 'bash "$GITHUB_ACTION_PATH/tooling/action.sh"']);
    }
    const variables = runs.steps.flatMap(({ env }) => Object.keys((env as object | undefined) ?? {}));
    for (const name of nonEmpty(variables)) expect(read('tooling/action.sh')).toContain(name);
  });

  test.for([
    ['passes', passing, 0],
    ['fails', failing, 1],
  ] as const)(
    '055: for a suite that %s, the action exits like the suite and writes annotations and the job summary',
    ([, text, code]) => {
      const cwd = suiteFolder({ 'scenarios/a.yaml': text });
      const summary = join(folder, `summary-${code}.md`);
      writeFileSync(summary, '');
      const { status, stdout } = spawnSync('bash', [join(top, 'tooling/action.sh')], {
        cwd,
        encoding: 'utf8',
        env: {
          ...process.env,
          PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
          GITHUB_ACTIONS: 'true',
          GITHUB_STEP_SUMMARY: summary,
          NUDGELAB_PATHS: 'scenarios',
          NUDGELAB_DRIVERS: 'model',
        },
      });
      expect(status, stdout).toBe(code);
      expect(stdout.includes('::error')).toBe(code === 1);
      expect(readFileSync(summary, 'utf8')).toMatch(/\S/);
    },
  );
});

/** Part of the repository with everything that it may import. Other imports are rejected. */
export interface ModuleBoundary {
  /**
   * File, or folder with the files beside it that have its name. A file belongs to the module with the longest path
   * that covers it.
   */
  readonly path: string;
  /** Modules, or single public files of a module, whose values and types may be imported. */
  readonly imports: readonly string[];
  /** Modules and files from which only types may be imported. */
  readonly importsTypesOf?: readonly string[];
  readonly packages: readonly string[];
  readonly node: readonly string[];
  /** Files that may call `import()` with a computed name, because they load the user's own modules. */
  readonly loaders?: readonly string[];
  /** Alternative to a rejected import: the last sentence of the error. */
  readonly instead: string;
}

const model = 'Bring it in as a fact or an event: the model is pure.';
const downward = 'Take it as an argument, or move the code to a module that may import it.';
const overHttp = 'Ask the server by HTTP: this driver knows nothing else of it.';

/** Terms and limits of the model, which schemas import and never repeat. */
const words = [
  'machines/vocabulary.ts',
  'machines/campaign-limits.ts',
  'machines/membership.ts',
  'machines/statechart.ts',
];
const storage = ['machines', 'src/core', 'src/contract', 'src/journal'];
const simulator = [...storage, 'src/documents', 'src/sandbox'];
const pages = ['src/client', 'src/core', 'src/contract', 'src/scenario', 'src/scenario/drivers/pages'];

/**
 * Table of all imports between the modules of the repository. A module may import itself. Every other import is listed
 * here. A new module, package or Node module requires a new entry and a reason in docs/decisions/.
 */
export const moduleBoundaries: readonly ModuleBoundary[] = [
  { path: 'machines', imports: [], packages: ['xstate'], node: [], instead: model },
  { path: 'src/core', imports: [], packages: [], node: ['node:async_hooks', 'node:crypto'], instead: downward },
  {
    // The only file of the core that reads files, because the digests of the model and of jobs depend on sources.
    path: 'src/core/source-text.ts',
    imports: ['src/core'],
    packages: [],
    node: ['node:fs', 'node:path'],
    instead: downward,
  },
  {
    path: 'src/contract',
    imports: ['src/core', 'machines/own/calendar.ts', ...words],
    importsTypesOf: ['machines'],
    packages: ['zod'],
    node: [],
    instead: 'A contract is data: leave the work to the module that parses by it.',
  },
  {
    path: 'src/client',
    imports: [],
    importsTypesOf: ['src/core', 'src/contract'],
    // Only types of the package are imported.
    packages: ['zod'],
    node: [],
    instead: 'The client runs in browsers too: it takes types of the contracts and loads none of them.',
  },
  {
    path: 'src/journal',
    imports: ['machines', 'src/core', 'src/core/source-text.ts', 'src/contract'],
    packages: ['kysely', 'pg', 'xstate'],
    node: ['node:fs', 'node:module', 'node:path', 'node:sqlite', 'node:worker_threads', 'node:zlib'],
    instead: downward,
  },
  {
    path: 'src/documents',
    imports: ['src/core', 'src/contract'],
    packages: ['@cantoo/pdf-lib', '@embedpdf/pdfium', 'sharp'],
    node: [
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:os',
      'node:path',
      'node:stream',
      'node:stream/promises',
      'node:worker_threads',
    ],
    instead: 'This module reads files: leave records, states and HTTP to those above it.',
  },
  {
    path: 'src/sandbox',
    imports: [...storage, 'src/documents'],
    packages: ['@faker-js/faker', '@simplewebauthn/server', 'jose', 'zod'],
    node: ['node:sqlite'],
    instead: downward,
  },
  {
    path: 'src/authenticators',
    imports: ['src/core', 'src/contract'],
    importsTypesOf: ['machines'],
    packages: ['cborg'],
    node: ['node:crypto'],
    instead: downward,
  },
  {
    path: 'src/server',
    imports: [...simulator, 'src/authenticators'],
    packages: [
      '@peculiar/x509',
      '@simplewebauthn/server',
      'better-sse',
      'bowser',
      'express',
      'ghtml',
      'jose',
      'messageformat',
      'negotiator',
      'oidc-provider',
      'prom-client',
      'reflect-metadata',
      'uqr',
      'zod',
    ],
    node: [
      'node:crypto',
      'node:fs',
      'node:http',
      'node:https',
      'node:module',
      'node:net',
      'node:path',
      'node:stream',
      'node:stream/promises',
      'node:url',
      'node:zlib',
    ],
    instead: downward,
  },
  {
    path: 'src/scenario',
    imports: [
      'machines',
      // Rulesets of files are loaded into the registry that sandboxes use.
      'src/journal/ruleset-registry.ts',
      'src/core',
      'src/contract',
      'src/sandbox/sandbox.ts',
      'src/sandbox/observed-journal.ts',
    ],
    packages: ['@faker-js/faker', 'yaml', 'zod'],
    // Gate modules are loaded synchronously, with `nudgelab/gate` resolved to this package.
    node: ['node:fs', 'node:fs/promises', 'node:module', 'node:path', 'node:url', 'node:util'],
    instead: 'Ask the sandbox by its public face, src/sandbox/sandbox.ts; an embedded server is started by src/cli.',
  },
  {
    path: 'src/scenario/drivers/pages',
    imports: ['src/core', 'src/contract', 'src/scenario'],
    importsTypesOf: ['machines', 'src/authenticators'],
    packages: ['parse5'],
    node: [],
    instead: 'Pages are used through a transport of src/scenario/drivers/http or src/scenario/drivers/browser.',
  },
  {
    path: 'src/scenario/drivers/http',
    imports: [...pages, 'src/authenticators'],
    importsTypesOf: ['machines'],
    packages: [],
    node: ['node:http', 'node:https', 'node:module', 'node:net'],
    instead: overHttp,
  },
  {
    path: 'src/scenario/drivers/browser',
    imports: [...pages, 'src/scenario/drivers/http', 'src/authenticators'],
    importsTypesOf: ['machines'],
    packages: ['playwright-core', 'tar-fs'],
    node: [
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:os',
      'node:path',
      'node:stream/promises',
      'node:util',
      'node:zlib',
    ],
    instead: overHttp,
  },
  {
    path: 'src/compiled',
    imports: ['machines', 'src/core', 'src/contract'],
    packages: ['xstate'],
    node: [],
    instead: 'Machines and rules become tables here: what is done with a table stands in the module that does it.',
  },
  {
    path: 'src/generate',
    imports: [
      'machines',
      'src/core',
      'src/contract',
      'src/compiled',
      'src/sandbox/sandbox.ts',
      'src/scenario',
      // Tables of own rulesets, on which mutants are proved equivalent and tours are planned.
      'src/forecast/own',
      // The profiles of the browser driver define which browsers are available on each operating system.
      'src/scenario/drivers/browser/device-profiles.ts',
    ],
    packages: ['fast-check', 'xstate', 'yaml'],
    node: [],
    instead: downward,
  },
  {
    path: 'src/replay',
    imports: ['machines', 'src/core', 'src/contract', 'src/journal', 'src/sandbox/sandbox.ts', 'src/scenario'],
    packages: ['@duckdb/node-api', 'zod'],
    node: [
      'node:buffer',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:os',
      'node:path',
      'node:readline',
      'node:stream/promises',
    ],
    instead: downward,
  },
  {
    path: 'src/testing',
    imports: [
      'src/client',
      'src/core',
      'src/contract',
      'src/sandbox/sandbox.ts',
      'src/sandbox/sandboxes.ts',
      'src/scenario',
      'src/scenario/drivers/http',
      'src/scenario/drivers/browser',
      'src/scenario/drivers/pages',
      'src/authenticators',
      'src/journal/stores/memory.store.ts',
      'src/server/start.ts',
      'src/report',
    ],
    importsTypesOf: ['machines'],
    packages: ['@playwright/test', 'playwright-core', 'vitest'],
    node: ['node:module', 'node:process'],
    instead: 'What users import only joins what there is: put the work into the module that it belongs to.',
  },
  {
    path: 'src/gallery',
    imports: [
      'src/authenticators',
      'src/core',
      'src/contract',
      'src/sandbox/sandbox.ts',
      'src/sandbox/sandboxes.ts',
      'src/scenario/drivers/http',
      'src/scenario/drivers/pages',
      'src/journal/ruleset-registry.ts',
      'src/journal/stores/memory.store.ts',
      'src/server/start.ts',
      'src/server/gallery-service.ts',
      'src/server/identity/assets.ts',
      'src/report',
    ],
    importsTypesOf: ['machines', 'src/server/identity/pages/page-names.ts'],
    packages: ['ghtml'],
    node: [],
    instead: 'The gallery uses the pages as a browser does: ask the server by HTTP.',
  },
  {
    path: 'src/queue',
    imports: ['src/core', 'src/core/source-text.ts'],
    packages: ['bullmq', 'ioredis'],
    node: ['node:path', 'node:zlib'],
    instead: 'The queue carries jobs and knows none of them: hand it the kind from the module that does the work.',
  },
  {
    path: 'src/forecast',
    imports: [
      'machines',
      'src/core',
      'src/contract',
      'src/compiled',
      'src/queue',
      'src/scenario/own/declared-values.ts',
    ],
    packages: ['xstate'],
    node: ['node:os', 'node:worker_threads', 'node:zlib'],
    instead: downward,
  },
  {
    path: 'src/properties',
    imports: [
      'machines',
      'src/core',
      'src/contract',
      'src/compiled',
      'src/sandbox/observed-journal.ts',
      'src/generate',
      'src/scenario',
    ],
    packages: [],
    node: ['node:fs', 'node:path'],
    instead: downward,
  },
  {
    path: 'src/conformance',
    imports: ['machines', 'src/core', 'src/contract', 'src/replay', 'src/scenario'],
    packages: [],
    node: ['node:path'],
    instead: downward,
  },
  {
    path: 'src/learn',
    imports: ['machines', 'src/core', 'src/contract', 'src/compiled', 'src/generate', 'src/scenario', 'src/report'],
    packages: [],
    node: [],
    instead: downward,
  },
  {
    path: 'src/report',
    imports: ['machines/rules/rule-registry.ts', 'machines/verdict-sentences.ts', 'src/core', 'src/contract'],
    importsTypesOf: ['machines'],
    packages: ['@dagrejs/dagre', 'd3-scale', 'd3-shape', 'ghtml'],
    node: [],
    instead: 'A report reads results: put what it needs into the result types of src/contract.',
  },
  {
    path: 'src/cli',
    imports: ['machines', 'src'],
    packages: ['@modelcontextprotocol/sdk', 'chokidar', 'commander', 'pino', 'yaml', 'zod'],
    node: [
      'node:child_process',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:process',
      'node:url',
      'node:util',
      'node:v8',
      'node:worker_threads',
      'node:zlib',
    ],
    loaders: ['src/cli/user-module.ts'],
    instead: 'Put the work into the module that it belongs to, and call that.',
  },
  {
    path: 'console',
    imports: [
      'src/client',
      'machines/verdict-sentences.ts',
      'src/report/screen-sketches.ts',
      'src/core/format-count.ts',
      'src/report/statechart-layout.ts',
    ],
    importsTypesOf: ['src/contract'],
    packages: [
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-yaml',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/state',
      '@codemirror/view',
      '@dagrejs/dagre',
      '@lezer/highlight',
      '@tanstack/react-query',
      '@vitejs/plugin-react',
      '@xyflow/react',
      'cmdk',
      'react',
      'react-dom',
      'uplot',
      'vite',
      'wouter',
    ],
    node: ['node:url'],
    instead: 'Ask the server by HTTP; of the program the console knows types alone.',
  },
  {
    path: 'site',
    imports: ['site/playground'],
    packages: ['vite', 'vitepress', 'vue', 'yaml'],
    node: ['node:fs', 'node:path', 'node:url'],
    instead: 'The site shows what docs/ contains: generate a page of docs/ instead.',
  },
  {
    path: 'site/playground',
    imports: [
      'machines',
      'src/core',
      'src/contract',
      'src/journal',
      'src/sandbox/clock-controller.ts',
      'src/sandbox/explain.ts',
      'src/sandbox/recorder.ts',
      'src/sandbox/sign-in-view.ts',
      'src/sandbox/sign-ins.ts',
    ],
    packages: ['vue', 'yaml'],
    node: [],
    instead: 'The playground runs in browsers: what it imports may load nothing of Node but what it replaces.',
  },
  {
    path: 'src/index.ts',
    imports: ['machines', 'src'],
    packages: [],
    node: [],
    instead: 'The public surface only names.',
  },
];

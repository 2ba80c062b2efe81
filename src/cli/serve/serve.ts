import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { advertisedUrlCharactersMax, drainMsMax } from '../../core/limits.ts';
import type { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import type { JournalStore } from '../../journal/store.ts';
import { MemoryStore } from '../../journal/stores/memory.store.ts';
import { Sandboxes, sandboxIdPattern } from '../../sandbox/sandboxes.ts';
import { type RulesetChoice, refuseUnknownSettings } from '../../scenario/rulesets/ruleset-choice.ts';
import { packageVersion } from '../../scenario/shipped.ts';
import { refuseOpenAddress } from '../../server/access/loopback.ts';
import type { BoundPort } from '../../server/bound-ports.ts';
import type { GalleryService } from '../../server/gallery-service.ts';
import type { LocalCertificate } from '../../server/https-certificate.ts';
import { type RulesetService, readOnlyRulesets } from '../../server/ruleset-service.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../server/start.ts';
import type { SuiteService } from '../../server/suite-service.ts';
import { type Config, loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadControlKey } from '../control-key.ts';
import { openRulesets } from '../open-rulesets.ts';
import { isDatabase, openStore } from '../open-store.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { AnalysisThreads } from './analysis-threads.ts';
import { defaultSandboxPlan } from './default-sandbox.ts';
import { DeferredGallery } from './deferred-gallery.ts';
import { type ServeArguments, serveOptions } from './serve-options.ts';
import { openLog, type ServerLog } from './server-log.ts';
import { createStartupMessage, greetingLines } from './startup-message.ts';
import { createSuiteService } from './suite/suite-service.ts';

/**
 * Runs a server until the program receives a stop signal. Returns the exit code. Throws an error that the caller
 * can correct.
 */
export async function serve(args: ServeArguments, context: CommandContext): Promise<ExitCode> {
  return withServer(args, context, async (server, { sandboxes, certificate }) => {
    // The listener is registered before the URL is printed, because a reader of the URL may stop the program
    // immediately.
    const stopped = waitForStop(context);
    await announce(server, sandboxes, args, certificate, context);
    await stopped;
    return 0;
  });
}

/** Options that only a new default sandbox uses. */
const sandboxOptions = [
  'tenant',
  'users',
  'clients',
  'faults',
  'syntheticUsers',
  'seed',
  'ruleset',
  'set',
  'clock',
  'frozen',
  'dialect',
] as const;

/** Components of a started server. */
export interface Started {
  readonly sandboxes: Sandboxes;
  /** Certificate of the server; `null` without HTTPS. */
  readonly certificate: LocalCertificate | null;
  /** Control key of the control API; `undefined` if none is required. */
  readonly controlKey: string | undefined;
  /** Threads that run forecasts and comparisons. */
  readonly analyses: AnalysisThreads;
  /** Scenarios that the console shows and runs. */
  readonly suite: SuiteService;
}

/**
 * Starts a server, runs a function with it, and closes the server in any case. Returns the exit code of the
 * function. Throws an error that the caller can correct.
 */
export async function withServer(
  args: ServeArguments,
  context: CommandContext,
  use: (server: RunningServer, started: Started) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await loadConfig(args.config, context.cwd);
  const controlKey = loadControlKey(args, context, config);
  refuseOpenAddress(args.host, controlKey);
  // An invalid option is reported before a database is opened.
  if (args.advertise !== null) parseAdvertised(args.advertise, args);
  // Journals in the store name their rulesets, so these are loaded first.
  const rulesets = await openRulesets(args, config, context.cwd);
  refuseUnknownSettings(rulesets);
  const store = args.db === null ? new MemoryStore() : await openStore(args.db, context.cwd);
  const received = await openReceived(store, rulesets.registry, args);
  const sandboxes = await Sandboxes.open(store, { prepare: () => received.refresh() });
  try {
    await ensureDefaultSandbox(sandboxes, { args, config, rulesets }, context);
    const certificate = args.https ? await loadLocalCertificate(args, context) : null;
    const suite = openSuiteService(args, config, context);
    const gallery = new DeferredGallery();
    const started = { sandboxes, certificate, controlKey, analyses: new AnalysisThreads(received.registry), suite };
    const log = await openLog(args, context, controlKey === undefined ? [] : [controlKey]);
    try {
      const parts = { ...started, fixtures: openFixtures(config), gallery, rulesets: received };
      const server = await start(parts, args, log);
      log.happened('listening');
      try {
        return await use(server, started);
      } finally {
        log.happened('draining');
        await server.close(drainMsMax);
        log.happened('ended');
      }
    } finally {
      await suite.close();
      await gallery.close();
      await started.analyses.close();
      await log.close();
    }
  } finally {
    await sandboxes.close();
  }
}

/** Opens the rulesets that the control API received, which a durable store keeps. */
async function openReceived(
  store: JournalStore,
  registry: RulesetRegistry,
  { allowRulesets }: ServeArguments,
): Promise<RulesetService> {
  const { values } = store;
  const isEmpty = values === undefined || (store.sharing === undefined && (await values.names()).length === 0);
  if (!allowRulesets && isEmpty) return readOnlyRulesets(registry);
  const { ReceivedRulesets, memoryStorage } = await import('../../scenario/rulesets/received-rulesets.ts');
  const received = new ReceivedRulesets(registry, values ?? memoryStorage(), allowRulesets);
  await received.refresh();
  return received;
}

/** Returns the display name of the journal store. */
function formatStoreName(db: string | null): string {
  if (db === null) return 'memory';
  return db.includes('://') ? (db.split(':')[0] ?? '') : 'SQLite file';
}

/** Creates the default sandbox. A sandbox that already exists in the store is kept unchanged. */
async function ensureDefaultSandbox(
  sandboxes: Sandboxes,
  { args, config, rulesets }: { args: ServeArguments; config: Config; rulesets: RulesetChoice },
  { stderr, clock, cwd }: CommandContext,
): Promise<void> {
  if (!(await sandboxes.exists(defaultSandboxId))) {
    const plan = await defaultSandboxPlan(args, config, { nowMs: clock.nowMs(), cwd, rulesets });
    try {
      await sandboxes.create(defaultSandboxId, plan);
      return;
    } catch (error) {
      // Another process with the same store has created the sandbox in the meantime.
      if (!(sandboxes.shared && error instanceof NudgeLabError && error.code === 'sandbox-exists')) throw error;
    }
  }
  if (sandboxOptions.some((name) => args[name] !== serveOptions[name].initial)) {
    print(stderr, {}, () => [
      `The store already contains the sandbox ${defaultSandboxId}; its tenant, users, clients, faults, ruleset and clock are kept.`,
    ]);
  }
}

/**
 * Loads or creates the certificate of this machine. It is created only once, so clients that trust its authority
 * continue to trust it.
 */
async function loadLocalCertificate(
  { httpsDir, db, allowedHost, publicUrl }: ServeArguments,
  { cwd }: CommandContext,
): Promise<LocalCertificate> {
  const { localCertificate } = await import('../../server/https-certificate.ts');
  const besideDb = db === null || isDatabase(db) ? join('.nudgelab', 'https') : join(dirname(db), 'nudgelab-https');
  const publicHosts = publicUrl === null ? [] : [new URL(parsePublicUrl(publicUrl)).host];
  return localCertificate(resolve(cwd, httpsDir ?? besideDb), [...allowedHost, ...publicHosts]);
}

/** Opens the scenarios for the console: those of the named folder, or of the first folder in the configuration. */
function openSuiteService(args: ServeArguments, config: Config, context: CommandContext): SuiteService {
  const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const root =
    args.scenarios === null ? (config.scenarios.find(isFolder) ?? null) : resolve(context.cwd, args.scenarios);
  return createSuiteService({ root, editable: args.allowScenarioEdits, config, context });
}

/** Components that a server starts with. */
interface StartParts extends Started {
  readonly fixtures: NonNullable<ServerOptions['fixtures']>;
  readonly gallery: GalleryService;
  readonly rulesets: RulesetService;
}

/** Opens the fixtures of the configuration for a request. The YAML parser is loaded only when a request names one. */
function openFixtures({ fixtures: folders }: Config): StartParts['fixtures'] {
  return async () => new (await import('../../scenario/fixture-library.ts')).FixtureLibrary(folders);
}

function start(
  { sandboxes, certificate, controlKey, analyses, suite, fixtures, gallery, rulesets }: StartParts,
  args: ServeArguments,
  log: ServerLog,
): Promise<RunningServer> {
  const { host, maxInFlight: requestsMax } = args;
  return startServer({
    sandboxes,
    port: args.port,
    host,
    ...(certificate === null ? {} : { tls: certificate }),
    ...(controlKey === undefined ? {} : { controlKey }),
    openRegistration: args.openRegistration,
    deliversLogout: args.deliverLogout,
    publicHosts: args.allowedHost,
    boundPorts: args.bind.map(parseBinding),
    ...(args.publicUrl === null ? {} : { publicUrl: parsePublicUrl(args.publicUrl) }),
    ...(args.advertise === null ? {} : { advertise: parseAdvertised(args.advertise, args) }),
    analyses,
    about: { version: packageVersion(), store: formatStoreName(args.db) },
    suite,
    gallery,
    rulesets,
    fixtures,
    ...(log.answered === undefined ? {} : { onAnswered: log.answered }),
    limits: { requestsMax },
    onFault: (fault) => log.fault(fault),
    onFinding: (finding) => log.finding(finding),
  });
}

const bindingPattern = /^([^=]+)=(\d{1,5})$/;
const portMax = 65_535;

/** Parses a sandbox with its port. Throws `usage-invalid`. */
function parseBinding(given: string): BoundPort {
  const [, sandboxId = '', digits = ''] = bindingPattern.exec(given) ?? [];
  const port = Number(digits);
  if (sandboxIdPattern.test(sandboxId) && port <= portMax) return { sandboxId, port };
  throw new NudgeLabError('usage-invalid', {
    problems: [{ location: '--bind', message: `"${given}" is not a sandbox and a port, such as default=4800` }],
  });
}

/**
 * Parses the URL of a server and removes the trailing slash. Throws `usage-invalid` if it is not a URL or has a
 * path.
 */
function parsePublicUrl(given: string): string {
  return parseServerUrl(given, '--public-url', 'https://lab.example');
}

function parseServerUrl(given: string, location: string, example: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isServer = url !== null && /^https?:$/.test(url.protocol) && url.origin === given.replace(/\/$/, '');
  if (isServer) return url.origin;
  throw new NudgeLabError('usage-invalid', {
    problems: [{ location, message: `"${given}" is not a URL such as ${example}` }],
  });
}

/** Parses the URL of this server for the others. Throws `usage-invalid`, also if no other server can exist. */
function parseAdvertised(given: string, { db, publicUrl }: ServeArguments): string {
  const location = '--advertise';
  const url = parseServerUrl(given, location, 'http://10.0.0.5:4700');
  const message =
    db === null || !isDatabase(db)
      ? 'requires --db with a PostgreSQL database, which several servers share'
      : publicUrl === null
        ? 'requires --public-url, because the servers answer for each other'
        : url.length > advertisedUrlCharactersMax
          ? `has ${url.length} characters; at most ${advertisedUrlCharactersMax} are allowed`
          : null;
  if (message !== null) throw new NudgeLabError('usage-invalid', { problems: [{ location, message }] });
  return url;
}

async function announce(
  server: RunningServer,
  sandboxes: Sandboxes,
  args: ServeArguments,
  certificate: LocalCertificate | null,
  context: CommandContext,
): Promise<void> {
  const { stdout, pid } = context;
  const { baseUrl, controlUrl } = server;
  if (args.json) {
    const authority = certificate === null ? {} : { certificateAuthority: certificate.authorityPath };
    const bound = Object.fromEntries(server.boundUrls.map((one) => [one.sandboxId, one.baseUrl]));
    const ports = server.boundUrls.length === 0 ? {} : { bound };
    printJson(stdout, { baseUrl, controlUrl, sandbox: defaultSandboxId, pid, ...authority, ...ports });
    return;
  }
  const greeted = { ...server, authorityPath: certificate?.authorityPath ?? null };
  await sandboxes.within(defaultSandboxId, (sandbox) => {
    const palette = paletteFor(stdout, context, args.color);
    print(stdout, createStartupMessage(greeted, sandbox), (visible) => greetingLines(visible, palette));
  });
}

function waitForStop({ onStop }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    const end = onStop(() => {
      end();
      resolve();
    });
  });
}

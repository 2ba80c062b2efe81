import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { requestsInFlightMax, usersMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, instant, integer, list, seedMax, text } from '../option.ts';
import { logLevelDefault, logLevels } from './server-log.ts';

/** Port to listen on unless another is named. */
export const portDefault = 4700;

/** The options of `nudgelab serve`. */
export const serveOptions = {
  port: integer('--port <number>', `port to listen on, 0 for any free one (default: ${portDefault})`, {
    min: 0,
    max: 65_535,
  }),
  host: text('--host <address>', 'address to listen on (default: 127.0.0.1)'),
  controlKey: text(
    '--control-key <key>',
    'access key of the control API and the console, needed beyond the loopback address; better in NUDGELAB_CONTROL_KEY',
  ),
  openRegistration: flag(
    '--open-registration',
    'let applications register without the control key (default: the key is required if the server has one)',
  ),
  allowedHost: list('--allowed-host <hosts>', 'additional host:port that clients may use'),
  publicUrl: text('--public-url <url>', 'public address of a load balancer or proxy; the issuer of tokens'),
  https: flag('--https', 'serve https://localhost with a certificate of a local test authority'),
  httpsDir: text('--https-dir <folder>', 'folder of the certificate (default: next to --db, or .nudgelab/https)'),
  db: text(
    '--db <store>',
    'keep the sandboxes in this SQLite file or PostgreSQL database; by default they end with the server',
  ),
  tenant: text('--tenant <fixture>', 'tenant of the default sandbox (default: app-enabled)'),
  users: list('--users <fixtures>', 'users of the default sandbox (default: a selection of the shipped ones)'),
  clients: text(
    '--clients <fixtures>',
    'applications of the default sandbox, or a file with a list of them (default: some for trying)',
  ),
  faults: list('--faults <fixtures>', 'initial faults of the default sandbox'),
  lookup: text('--lookup <fixture>', 'lookup service of the default sandbox (default: the shipped one)'),
  syntheticUsers: integer(
    '--synthetic-users <number>',
    'number of synthetic users to add; the same for the same random seed',
    {
      min: 1,
      max: usersMax,
    },
  ),
  seed: integer('--seed <number>', 'random seed of the default sandbox and its synthetic users (default: 1)', {
    min: 0,
    max: seedMax,
  }),
  ruleset: choice('--ruleset <id>', 'ruleset of the default sandbox', rulesetIds, 'seed'),
  clock: instant('--clock <instant>', 'virtual time to begin at (default: the real time)'),
  scenarios: text(
    '--scenarios <folder>',
    'scenarios that the console shows and runs (default: the first folder of the configuration, else scenarios/)',
  ),
  allowScenarioEdits: flag('--allow-scenario-edits', 'allow the console to save scenario files in that folder'),
  logLevel: choice(
    '--log-level <level>',
    'what the log tells; info has a line for each request',
    logLevels,
    logLevelDefault,
  ),
  log: text('--log <file>', 'write the log to this file as JSON Lines (default: standard error)'),
  maxInFlight: integer(
    '--max-in-flight <number>',
    `requests in progress at once, beyond which they are told to come back (default: ${requestsInFlightMax})`,
    { min: 1, max: 1_000_000 },
  ),
  frozen: flag('--frozen', 'freeze the virtual clock (default: runs at real speed)'),
} as const;

/** What the command is given. */
export type ServeArguments = ArgumentsOf<typeof serveOptions>;

import { rulesetIds } from '../../../machines/rulesets/register.ts';
import { requestsInFlightMax, usersMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, instant, integer, list, seedMax, text } from '../option.ts';
import { logLevelDefault, logLevels } from './server-log.ts';

/** Port to listen on unless another is named. */
export const portDefault = 4700;

/** The options of `nudgelab serve`. */
export const serveOptions = {
  port: integer('--port <number>', `port to listen on, 0 for any free one; default: ${portDefault}`, {
    min: 0,
    max: 65_535,
  }),
  host: text('--host <address>', 'address to listen on; default: 127.0.0.1'),
  controlKey: text(
    '--control-key <key>',
    'access key of the control API and the console, needed beyond the loopback address; better in NUDGELAB_CONTROL_KEY',
  ),
  openRegistration: flag(
    '--open-registration',
    'let applications register without the control key (default: the key is required if the server has one)',
  ),
  publicHost: list('--public-host <hosts>', 'further host:port by which clients may call it'),
  publicUrl: text('--public-url <url>', 'address of what distributes requests to it; tokens name it as their issuer'),
  https: flag('--https', 'answer by https://localhost, with a certificate of a local test authority'),
  httpsDir: text('--https-dir <folder>', 'keep the certificate there; default: beside --db, else .nudgelab/https'),
  db: text(
    '--db <store>',
    'keep the sandboxes in this SQLite file or PostgreSQL database; by default they end with the server',
  ),
  tenant: text('--tenant <fixture>', 'tenant of the default sandbox; default: app-enabled'),
  users: list('--users <fixtures>', 'users of the default sandbox; default: some of those that ship'),
  clients: text(
    '--clients <fixtures>',
    'applications of the default sandbox, or a file with a list of them; default: some for trying',
  ),
  faults: list('--faults <fixtures>', 'faults that the default sandbox begins with'),
  lookup: text('--lookup <fixture>', 'lookup service of the default sandbox; default: the one that ships'),
  population: integer('--population <number>', 'add so many made-up users, always the same ones for a seed', {
    min: 1,
    max: usersMax,
  }),
  seed: integer('--seed <number>', 'seed of the default sandbox and of its made-up users; default: 1', {
    min: 0,
    max: seedMax,
  }),
  ruleset: choice('--ruleset <id>', 'ruleset of the default sandbox', rulesetIds, 'seed'),
  clock: instant('--clock <instant>', 'virtual time to begin at; default: the real time'),
  scenarios: text(
    '--scenarios <folder>',
    'scenarios that the console shows and runs; default: the first folder of the configuration, else scenarios/',
  ),
  writeScenarios: flag('--write-scenarios', 'let the console write scenario files into that folder'),
  logLevel: choice(
    '--log-level <level>',
    'what the log tells; info has a line for each request',
    logLevels,
    logLevelDefault,
  ),
  log: text('--log <file>', 'write the log there, line by line as JSON; default: the standard error output'),
  maxRequests: integer(
    '--max-requests <number>',
    `requests under way at once, beyond which they are told to come back; default: ${requestsInFlightMax}`,
    { min: 1, max: 1_000_000 },
  ),
  frozen: flag('--frozen', 'let the virtual clock stand; by default it runs at real speed'),
} as const;

/** What the command is given. */
export type ServeArguments = ArgumentsOf<typeof serveOptions>;

import { builtInDialects } from '../../contract/directory-api/built-in-dialects.ts';
import { requestsInFlightMax, usersMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { portDefault, rulesetOption, setOption, tenantDefault } from '../common-options.ts';
import { storeKinds } from '../open-store.ts';
import { choice, flag, instant, integer, list, seedOption, text } from '../option.ts';
import { logLevels } from './server-log.ts';

/** Options of `nudgelab serve`. */
export const serveOptions = {
  port: integer('--port <number>', 'port to listen on, 0 for any free one', {
    min: 0,
    max: 65_535,
    default: portDefault,
  }),
  host: text('--host <address>', 'address to listen on', { default: '127.0.0.1' }),
  controlKey: text(
    '--control-key <key>',
    'control key, required if other machines can reach the server; prefer NUDGELAB_CONTROL_KEY, which process lists do not show',
  ),
  openRegistration: flag(
    '--open-registration',
    'allow applications to register without the control key',
    'required if the server has a key',
  ),
  deliverLogout: flag('--deliver-logout', 'send logout tokens to applications on this machine'),
  allowedHost: list('--allowed-host <hosts>', 'additional host:port that clients may use'),
  bind: list('--bind <sandbox=port>', 'sandbox with a port of its own, at whose root it lies; 0 for any free one'),
  dialect: text(
    '--dialect <name>',
    `${builtInDialects.join(', ')} or a file: names that the APIs of the default sandbox use`,
    {
      whenOmitted: 'seed',
    },
  ),
  publicUrl: text('--public-url <url>', 'public URL of a load balancer or proxy; also the issuer of tokens'),
  advertise: text(
    '--advertise <url>',
    'URL of this server for the other servers of the same PostgreSQL database, which hand it the requests of its sandboxes',
  ),
  https: flag('--https', 'serve https://localhost with a certificate of a local test authority'),
  httpsDir: text('--https-dir <folder>', 'folder of the certificate', {
    whenOmitted: 'next to --db, or .nudgelab/https',
  }),
  db: text('--db <store>', `${storeKinds} that stores the sandboxes`, {
    whenOmitted: 'in memory, lost when the server stops',
  }),
  tenant: text('--tenant <fixture>', 'tenant of the default sandbox', { default: tenantDefault }),
  users: list('--users <fixtures>', 'users of the default sandbox', {
    whenOmitted: 'a selection of the built-in users',
  }),
  clients: text('--clients <fixtures>', 'applications of the default sandbox, or a file with a list of them', {
    whenOmitted: 'shipped applications',
  }),
  faults: list('--faults <fixtures>', 'initial faults of the default sandbox'),
  lookup: text('--lookup <fixture>', 'lookup service of the default sandbox', { whenOmitted: 'the built-in service' }),
  syntheticUsers: integer(
    '--synthetic-users <number>',
    'number of synthetic users to add; the same random seed adds the same users',
    { min: 1, max: usersMax },
  ),
  seed: seedOption('random seed of the default sandbox and its synthetic users', { default: 1 }),
  ruleset: rulesetOption('id or file of the ruleset of the default sandbox'),
  set: setOption,
  allowRulesets: flag('--allow-rulesets', 'allow clients to add rulesets as data through the control API'),
  clock: instant('--clock <instant>', 'initial virtual time', 'real time'),
  scenarios: text('--scenarios <folder>', 'folder of scenarios that the console shows and runs', {
    whenOmitted: 'first folder of the configuration, or scenarios/',
  }),
  allowScenarioEdits: flag('--allow-scenario-edits', 'allow the console to save scenario files in that folder'),
  logLevel: choice('--log-level <level>', 'log level; info adds a line per request', logLevels, { default: 'warn' }),
  log: text('--log <file>', 'log file (JSON Lines)', { whenOmitted: 'standard error' }),
  maxInFlight: integer('--max-in-flight <number>', 'maximum number of in-flight requests; further requests get 503', {
    min: 1,
    max: 1_000_000,
    default: requestsInFlightMax,
  }),
  frozen: flag('--frozen', 'freeze the virtual clock', 'runs at real speed'),
} as const;

/** Arguments of `nudgelab serve`. */
export type ServeArguments = ArgumentsOf<typeof serveOptions>;

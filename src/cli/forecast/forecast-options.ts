import { forecastDaysMax, forecastSeedsMax, forecastUsersMax } from '../../core/limits.ts';
import { ownEngines } from '../../forecast/own/own-engines.ts';
import type { ArgumentsOf } from '../command.ts';
import { queueOption, rulesetOption, setOption } from '../common-options.ts';
import { choice, flag, integer, list, seedOption, text, timeLimitOption } from '../option.ts';

/** Maximum number of threads for a forecast. */
const threadsMax = 256;

/** Default of options whose value is in the input file. */
const inFile = 'value in the input file';

/** Options of `nudgelab forecast`. */
export const forecastOptions = {
  users: integer('--users <number>', 'number of users', { min: 1, max: forecastUsersMax, whenOmitted: inFile }),
  days: integer('--days <number>', 'number of days', { min: 1, max: forecastDaysMax, whenOmitted: inFile }),
  seed: seedOption('random seed', { whenOmitted: inFile }),
  seeds: integer('--seeds <number>', 'number of runs with different random seeds, for percentile bands', {
    min: 1,
    max: forecastSeedsMax,
    default: 1,
  }),
  ruleset: rulesetOption('id or file of the ruleset', inFile),
  set: setOption,
  engine: choice('--engine <engine>', 'of a ruleset file: compiled tables, or replay of every user', ownEngines, {
    whenOmitted: 'table',
  }),
  workers: integer('--workers <number>', 'number of threads', {
    min: 1,
    max: threadsMax,
    whenOmitted: 'one per core',
  }),
  queue: queueOption,
  timeLimit: timeLimitOption('the report states how many users it covers'),
  sweep: list(
    '--sweep <key=values>',
    'compare policies: every combination of snoozeDays=0,1,7, limited=true,false and method=vendorAuthenticator,fido2; for a ruleset file settings.NAME=1d,7d',
  ),
  sensitivity: flag('--sensitivity', 'show the sensitivity of the results to each input'),
  verify: integer(
    '--verify <users>',
    'also evaluate this many users with the state machines, and compare event by event',
    {
      min: 1,
      max: 1_000_000,
    },
  ),
  user: integer('--user <number>', 'show the timeline of one simulated user', { min: 0, max: forecastUsersMax }),
  fit: text('--fit <folder>', 'fit an input file to an import in this folder; print it and its goodness of fit'),
  out: text('--out <file>', 'output file of --fit'),
  csv: text('--csv <file>', 'write the days as CSV'),
  html: text('--html <file>', 'write a page with charts and their tables'),
  svg: text('--svg <folder>', 'write each chart as an SVG file to this folder'),
} as const;

/** Arguments of `nudgelab forecast`. */
export type ForecastArguments = ArgumentsOf<typeof forecastOptions>;

import { forecastDaysMax, forecastSeedsMax, forecastUsersMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { flag, integer, list, seedMax, text } from '../option.ts';

/** Threads that a forecast may take. */
const threadsMax = 256;

/** The options of `nudgelab forecast`. */
export const forecastOptions = {
  users: integer('--users <number>', 'number of users (default: as described)', {
    min: 1,
    max: forecastUsersMax,
  }),
  days: integer('--days <number>', 'number of days (default: as described)', {
    min: 1,
    max: forecastDaysMax,
  }),
  seed: integer('--seed <number>', 'random seed (default: as described)', { min: 0, max: seedMax }),
  seeds: integer('--seeds <number>', 'number of runs, for bands (default: 1)', {
    min: 1,
    max: forecastSeedsMax,
  }),
  ruleset: text('--ruleset <id>', 'ruleset (default: as described)'),
  workers: integer('--workers <number>', 'number of threads (default: one per core)', { min: 1, max: threadsMax }),
  queue: text('--queue <address>', 'use nudgelab worker processes through a queue in Redis: redis://host:port'),
  timeLimit: integer(
    '--time-limit <seconds>',
    'begin nothing more after so long; the report says how many users it is about',
    {
      min: 1,
      max: 864_000,
    },
  ),
  sweep: list(
    '--sweep <key=values>',
    'compare policies: every combination of snoozeDays=0,1,7, limited=true,false and method=vendorAuthenticator,fido2',
  ),
  sensitivity: flag('--sensitivity', 'show the sensitivity of the results to each input'),
  verify: integer(
    '--verify <users>',
    'fold so many of the users through the machines too, and compare event by event',
    {
      min: 1,
      max: 1_000_000,
    },
  ),
  user: integer('--user <number>', 'show the timeline of one simulated user', { min: 0, max: forecastUsersMax }),
  fit: text('--fit <folder>', 'print a description fitted to an import in this folder, and how well it fits'),
  out: text('--out <file>', 'output file of --fit'),
  csv: text('--csv <file>', 'write the days as CSV'),
  html: text('--html <file>', 'write a page with charts and their tables'),
  svg: text('--svg <folder>', 'write each chart as an SVG file to this folder'),
} as const;

/** What the command is given. */
export type ForecastArguments = ArgumentsOf<typeof forecastOptions>;

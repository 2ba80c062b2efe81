import { forecastDaysMax, forecastSeedsMax, forecastUsersMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { flag, integer, list, seedMax, text } from '../option.ts';

/** Threads that a forecast may take. */
const threadsMax = 256;

/** The options of `nudgelab forecast`. */
export const forecastOptions = {
  users: integer('--users <number>', 'simulate so many users, in place of those of the description', {
    min: 1,
    max: forecastUsersMax,
  }),
  days: integer('--days <number>', 'so many days, in place of those of the description', {
    min: 1,
    max: forecastDaysMax,
  }),
  seed: integer('--seed <number>', 'the seed, in place of that of the description', { min: 0, max: seedMax }),
  seeds: integer('--seeds <number>', 'simulate so often, by this seed and those after it, for bands; default: 1', {
    min: 1,
    max: forecastSeedsMax,
  }),
  ruleset: text('--ruleset <id>', 'judge by this ruleset, in place of that of the description'),
  workers: integer('--workers <number>', 'threads; default: one for each core', { min: 1, max: threadsMax }),
  queue: text('--queue <address>', 'have nudgelab worker processes do it, by a queue in Redis: redis://host:port'),
  budget: integer(
    '--budget <seconds>',
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
  sensitivity: flag('--sensitivity', 'show how much each input of the description matters, by moving it up and down'),
  verify: integer(
    '--verify <users>',
    'fold so many of the users through the machines too, and compare event by event',
    {
      min: 1,
      max: 1_000_000,
    },
  ),
  user: integer('--user <number>', 'show the time line of one simulated user', { min: 0, max: forecastUsersMax }),
  fit: text('--fit <folder>', 'print a description fitted to what nudgelab import wrote there, and how well it fits'),
  out: text('--out <file>', 'with --fit, write the description there'),
  csv: text('--csv <file>', 'write the days as CSV'),
  html: text('--html <file>', 'write a page with charts and their tables'),
  svg: text('--svg <folder>', 'write each chart as an SVG file there'),
} as const;

/** What the command is given. */
export type ForecastArguments = ArgumentsOf<typeof forecastOptions>;

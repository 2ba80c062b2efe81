import type { ArgumentsOf } from '../command.ts';
import { choice, duration, flag, integer, list, seedMax, text } from '../option.ts';

/** What a suite can cover. */
const coverWords = [
  'states',
  'transitions',
  'pairs',
  'guards',
  'rules',
  'reasons',
  'assumptions',
  'decisions',
] as const;

/** What a suite can be written as. */
export const formatWords = ['scenarios', 'vitest', 'playwright', 'gherkin', 'csv', 'json'] as const;
export type FormatWord = (typeof formatWords)[number];

/** The options of `nudgelab generate`. */
export const generateOptions = {
  cover: choice('--cover <goal>', 'what to cover', coverWords, 'transitions'),
  combine: integer(
    '--combine <strength>',
    'cover all combinations of so many values of sign-ins, or of a module’s factors',
    {
      min: 1,
      max: 4,
    },
  ),
  mode: choice('--mode <mode>', 'how long to look for fewer combinations', ['fast', 'optimal'], 'fast'),
  unmasked: flag('--unmasked', 'combine so that one reason at most stops each sign-in'),
  walks: integer('--walks <steps>', 'walk at random, so many steps in all', { min: 1, max: 1_000_000 }),
  seed: integer('--seed <number>', 'seed of walks and combinations; default: 1', { min: 0, max: seedMax }),
  suffixes: choice('--suffixes <where>', 'what shows a wrong state', ['none', 'ends', 'each'], 'none'),
  maxLength: integer('--max-length <steps>', 'the most steps of a test; default: 40, without a limit for machines', {
    min: 1,
    max: 1_000_000,
  }),
  days: list('--days <numbers>', 'durations of a snooze that the administrator changes between; default: 1,2'),
  format: list('--format <formats>', `${formatWords.join(', ')}; default: scenarios, and vitest for a module`),
  out: text('--out <folder>', 'where the files are written; default: nudgelab-generated'),
  report: text(
    '--report <folder>',
    'write coverage.html there: statecharts coloured by what is covered, arrays as grids',
  ),
  budget: duration('--budget <time>', 'end after so much time with what there is, such as 10s'),
  force: flag('--force', 'write over files that were changed by hand, and over those of others'),
} as const;

/** What the command is given. */
export type GenerateArguments = ArgumentsOf<typeof generateOptions>;

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
  coverage: choice('--coverage <goal>', 'coverage goal', coverWords, 'transitions'),
  strength: integer(
    '--strength <strength>',
    'cover all combinations of so many values of sign-ins, or of a module’s factors',
    {
      min: 1,
      max: 4,
    },
  ),
  mode: choice('--mode <mode>', 'effort to find fewer combinations', ['fast', 'optimal'], 'fast'),
  maskingFree: flag('--masking-free', 'combine values so that at most one reason stops each sign-in'),
  randomSteps: integer('--random-steps <steps>', 'generate random walks with this many steps in total', {
    min: 1,
    max: 1_000_000,
  }),
  seed: integer('--seed <number>', 'random seed (default: 1)', { min: 0, max: seedMax }),
  distinguish: choice('--distinguish <where>', 'how a wrong state is detected', ['none', 'ends', 'each'], 'none'),
  maxLength: integer(
    '--max-length <steps>',
    'maximum number of steps of a test (default: 40, unlimited for machines)',
    {
      min: 1,
      max: 1_000_000,
    },
  ),
  snoozeDays: list(
    '--snooze-days <numbers>',
    'snooze durations that the administrator switches between (default: 1,2)',
  ),
  format: list('--format <formats>', `${formatWords.join(', ')} (default: scenarios, and vitest for a module)`),
  out: text('--out <folder>', 'output folder (default: nudgelab-generated)'),
  report: text(
    '--report <folder>',
    'write coverage.html there: statecharts colored by what is covered, arrays as grids',
  ),
  timeLimit: duration('--time-limit <time>', 'time limit, such as 10s; keeps a partial result'),
  force: flag('--force', 'overwrite modified files and files that were not generated'),
} as const;

/** What the command is given. */
export type GenerateArguments = ArgumentsOf<typeof generateOptions>;

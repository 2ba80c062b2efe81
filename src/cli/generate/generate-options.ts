import type { ArgumentsOf } from '../command.ts';
import { choice, flag, integer, list, seedOption, text, timeLimitOption } from '../option.ts';

/** Coverage criteria of a suite. */
export const coverageWords = [
  'states',
  'transitions',
  'pairs',
  'guards',
  'rules',
  'reasons',
  'assumptions',
  'decisions',
] as const;

/** Output formats of a suite. */
export const formatWords = ['scenarios', 'vitest', 'playwright', 'gherkin', 'csv', 'json'] as const;
export type FormatWord = (typeof formatWords)[number];

/** Options of `nudgelab generate`. */
export const generateOptions = {
  coverage: choice('--coverage <criterion>', 'coverage criterion', coverageWords, { whenOmitted: 'transitions' }),
  strength: integer(
    '--strength <strength>',
    'cover all combinations of this many sign-in parameters, or of the parameters of a module',
    {
      min: 1,
      max: 4,
    },
  ),
  mode: choice('--mode <mode>', 'effort to find fewer rows', ['fast', 'optimal'], { default: 'fast' }),
  maskingFree: flag('--masking-free', 'combine values so that at most one reason stops each sign-in'),
  randomSteps: integer('--random-steps <steps>', 'generate random walks with this many steps in total', {
    min: 1,
    max: 1_000_000,
  }),
  seed: seedOption('random seed', { default: 1 }),
  distinguish: choice(
    '--distinguish <where>',
    'when tests check the state with a distinguishing sequence',
    ['none', 'ends', 'each'],
    { whenOmitted: 'none' },
  ),
  maxLength: integer('--max-length <steps>', 'maximum number of steps of a test', {
    min: 1,
    max: 1_000_000,
    whenOmitted: '40; unlimited for machines',
  }),
  snoozeDays: list('--snooze-days <numbers>', 'snooze durations in days that the administrator switches between', {
    whenOmitted: '1,2',
  }),
  format: list('--format <formats>', `output formats: ${formatWords.join(', ')}`, {
    suggestions: formatWords,
    whenOmitted: 'scenarios, and vitest for a module',
  }),
  out: text('--out <folder>', 'output folder', { default: 'nudgelab-generated' }),
  report: text(
    '--report <folder>',
    'write coverage.html to this folder: statecharts colored by coverage, covering arrays as grids',
  ),
  ruleset: text(
    '--ruleset <file>',
    'generate tours of a ruleset file of your own campaign; its sign-ins with --strength',
  ),
  engine: choice(
    '--engine <engine>',
    'table covers all states of a ruleset file; search needs no tables',
    ['table', 'search'],
    {
      whenOmitted: 'table',
    },
  ),
  depth: integer('--depth <steps>', 'maximum number of steps of --engine search', {
    min: 1,
    max: 12,
    whenOmitted: '4',
  }),
  timeLimit: timeLimitOption('keeps a partial result'),
  force: flag('--force', 'overwrite modified files and files that were not generated'),
} as const;

/** Arguments of `nudgelab generate`. */
export type GenerateArguments = ArgumentsOf<typeof generateOptions>;

import { pageLanguages } from '../../contract/page-controls.ts';
import type { ArgumentsOf } from '../command.ts';
import { builtInDrivers, workersMax } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { choice, flag, integer, list, negatedFlag, seedMax, shard, text } from '../option.ts';

/** The options of `nudgelab run`. */
export const runOptions = {
  driver: {
    ...list(
      '--driver <names>',
      'drivers to run on: model, http, browser, or one of the configuration (default: model)',
    ),
    words: builtInDrivers,
  },
  filter: text('--filter <text>', 'only scenarios with this text in their id or name'),
  tag: list('--tag <tags>', 'only scenarios with one of these tags'),
  covers: list('--covers <ids>', 'only scenarios that cover one of these rules or assumptions'),
  shard: shard('--shard <part/whole>', 'only this part of the scenarios, such as 1/4'),
  lastFailed: flag('--last-failed', 'only scenarios that failed in the last run; all if none failed'),
  bail: flag('--bail', 'stop at the first failure'),
  repeatEach: integer('--repeat-each <times>', 'number of runs of each scenario (default: 1)', { min: 1, max: 10_000 }),
  seed: integer('--seed <number>', 'random seed (default: those of the scenarios)', { min: 0, max: seedMax }),
  timeout: integer('--timeout <ms>', 'timeout of each scenario (default: its own)', { min: 1, max: 600_000 }),
  workers: integer('--workers <number>', 'parallel scenarios on the http and browser drivers', {
    min: 1,
    max: workersMax,
  }),
  queue: text('--queue <address>', 'use nudgelab worker processes through a queue in Redis: redis://host:port'),
  url: text('--url <address>', 'use a running server; the driver is then http unless --driver says otherwise'),
  controlKey: controlKeyOption,
  language: choice(
    '--language <tag>',
    'language that the http and browser drivers request for the sign-in pages',
    pageLanguages,
    'the language of the tenant; in a browser, English',
  ),
  failOnSkip: flag('--fail-on-skip', 'fail when a scenario is skipped'),
  coverage: negatedFlag('--no-coverage', 'measure no rule coverage and check no claim to cover a rule'),
  report: text(
    '--report <folder>',
    'write the reports there: report.html, report.json, junit.xml, ctrf.json, summary.md and coverage',
  ),
  baseline: text('--baseline <file>', 'report changes since the run of this report.json'),
  watch: flag('--watch', 'run again when a scenario or fixture changes; q quits'),
  quiet: flag('--quiet', 'print only failures and the summary'),
} as const;

/** What the command is given. */
export type RunArguments = ArgumentsOf<typeof runOptions>;

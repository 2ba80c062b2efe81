import { pageLanguages } from '../../contract/page-controls.ts';
import type { ArgumentsOf } from '../command.ts';
import {
  driversOption,
  queueOption,
  rulesetOption,
  runningServerOption,
  setOption,
  watchedPropertiesOption,
} from '../common-options.ts';
import { workersDefault, workersMax } from '../config-values.ts';
import { controlKeyOption } from '../control-key.ts';
import { choice, flag, integer, list, negatedFlag, seedOption, shard, text, timeoutOption } from '../option.ts';

/** Options of `nudgelab run`. */
export const runOptions = {
  driver: driversOption('drivers to run on', { whenOmitted: 'model, or http with --url' }),
  filter: text('--filter <text>', 'only scenarios with this text in their id or name'),
  tag: list('--tag <tags>', 'only scenarios with one of these tags'),
  covers: list('--covers <ids>', 'only scenarios that cover one of these rules or assumptions'),
  shard: shard('--shard <part/whole>', 'only this part of the scenarios, such as 1/4'),
  lastFailed: flag('--last-failed', 'only scenarios that failed in the last run; all if none failed'),
  list: text('--list <file>', 'only the scenarios in this file, one id a line, in its order'),
  bail: flag('--bail', 'stop at the first failure'),
  repeatEach: integer('--repeat-each <times>', 'number of runs of each scenario', { min: 1, max: 10_000, default: 1 }),
  ruleset: rulesetOption('id or file of the ruleset for scenarios that name none'),
  set: setOption,
  seed: seedOption('random seed', { whenOmitted: 'seed of each scenario' }),
  timeout: timeoutOption('timeout of each scenario', { maxMs: 600_000, whenOmitted: 'timeoutMs of the scenario' }),
  workers: integer('--workers <number>', 'number of scenarios in parallel on the http and browser drivers', {
    min: 1,
    max: workersMax,
    whenOmitted: `workers of the configuration, or ${workersDefault}`,
  }),
  properties: watchedPropertiesOption,
  queue: queueOption,
  url: runningServerOption,
  controlKey: controlKeyOption,
  language: choice(
    '--language <tag>',
    'language that the http and browser drivers request for the sign-in pages',
    pageLanguages,
    { whenOmitted: 'language of the tenant; English in browsers' },
  ),
  failOnSkip: flag('--fail-on-skip', 'fail when a scenario is skipped'),
  coverage: negatedFlag('--no-coverage', 'skip rule coverage and the check of `covers`'),
  report: text(
    '--report <folder>',
    'folder for report.html, report.json, junit.xml, ctrf.json, summary.md and coverage',
  ),
  baseline: text('--baseline <file>', 'report.json of an earlier run; changes since then are reported'),
  watch: flag('--watch', 'run again when a scenario or fixture changes; q quits'),
  ui: flag('--ui', 'show the scenarios in the console and run them at every change; q quits'),
  port: integer('--port <number>', 'port of --ui', { min: 0, max: 65_535, default: 0, whenOmitted: 'any free port' }),
  quiet: flag('--quiet', 'print only failures and the summary'),
} as const;

/** Arguments of `nudgelab run`. */
export type RunArguments = ArgumentsOf<typeof runOptions>;

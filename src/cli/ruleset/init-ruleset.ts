import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownRulesetShape, type RulesetKey } from '../../contract/ruleset.schema.ts';
import { parseDuration } from '../../contract/ruleset-values.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { shellLine } from '../../core/shell-line.ts';
import { shippedRulesetsFolder } from '../../scenario/shipped.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { formatRelativePath, writeNewFiles } from '../init/new-files.ts';
import type { SuiteFile } from '../init/suite-files.ts';
import { print, printJson } from '../print.ts';
import { publishedSchemas, schemaText } from '../schema/schemas.ts';
import { type RulesetArguments, rulesetOptions } from './ruleset-options.ts';
import { describeKey, rulesetFiles } from './ruleset-template.ts';

const rulesetEnd = '.ruleset.yaml';

/**
 * Creates a first ruleset with two scenarios and a forecast, from a few choices or from an example. Returns the exit
 * code.
 *
 * @throws NudgeLabError `usage-invalid` for a wrong choice; `file-exists`, and no file is written
 */
export function initRuleset(folderName: string, args: RulesetArguments, context: CommandContext): ExitCode {
  const { cwd, stdout, program } = context;
  const folder = resolve(cwd, folderName);
  if (args.from !== null) rejectChoices(args);
  const named = args.from === null ? rulesetFiles(readChoices(args)) : exampleFiles(args.from);
  const schema = publishedSchemas.get('ruleset');
  const files = [...named, { path: 'ruleset.schema.json', text: schema === undefined ? '{}\n' : schemaText(schema) }];
  writeNewFiles(folder, files, { force: args.force, cwd });
  const paths = files.map(({ path }) => formatRelativePath(join(folder, path), cwd));
  if (args.json) printJson(stdout, { folder, files: paths });
  else print(stdout, paths, (visible) => nextSteps(visible, program));
  return 0;
}

function readChoices({ id, kind, every, limit }: RulesetArguments): Parameters<typeof rulesetFiles>[0] {
  const checked = ownRulesetShape.ruleset.safeParse(id);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new NudgeLabError('usage-invalid', { message: `--id ${id} ${issue?.message ?? 'is no id'}.` });
  }
  const read = parseDuration(every);
  const message =
    'message' in read
      ? read.message
      : read.value.months > 0 || read.value.ms === 0
        ? `"${every}" is no elapsed time; write one such as 36h or 7d`
        : null;
  if (message !== null || 'message' in read) {
    throw new NudgeLabError('usage-invalid', { message: `--every: ${message}.` });
  }
  return { id, kind, every: { written: every, ms: read.value.ms }, limit };
}

/** Choices of a first ruleset, which an example does not take. */
const choiceNames = ['id', 'kind', 'every', 'limit'] as const;

function rejectChoices(args: RulesetArguments): void {
  const [chosen] = choiceNames.filter((name) => args[name] !== rulesetOptions[name].initial);
  if (chosen === undefined) return;
  throw new NudgeLabError('usage-invalid', { message: `--from copies an example as it is; leave out --${chosen}.` });
}

/** Returns the files of an example: its ruleset, modules, scenarios and forecast. */
function exampleFiles(example: string): readonly SuiteFile[] {
  const read = (path: string): SuiteFile => ({ path, text: readFileSync(join(shippedRulesetsFolder, path), 'utf8') });
  const names = globSync(`*${rulesetEnd}`, { cwd: shippedRulesetsFolder }).map((name) =>
    name.slice(0, -rulesetEnd.length),
  );
  if (!names.includes(example)) {
    const message = endSentence(`The example ${describeUnknownName(example, names.toSorted())}`);
    throw new NudgeLabError('usage-invalid', { message });
  }
  const ruleset = read(`${example}${rulesetEnd}`);
  const modules = [...ruleset.text.matchAll(/module: \.\/([\w.-]+)/g)].map(([, path = '']) => read(path));
  const others = globSync('*.yaml', { cwd: shippedRulesetsFolder })
    .filter((path) => path !== ruleset.path)
    .toSorted()
    .map(read)
    .filter(({ text }) => text.includes(`ruleset: ./${ruleset.path}`));
  return [{ ...ruleset, text: withComments(ruleset.text) }, ...modules, ...others];
}

/** Adds the meaning of each key at the top level as a comment. */
function withComments(text: string): string {
  const lines = text.split('\n').flatMap((line) => {
    const [, key = ''] = /^([a-z]+):/.exec(line) ?? [];
    return Object.hasOwn(ownRulesetShape, key) ? [`# ${describeKey(key as RulesetKey)}`, line] : [line];
  });
  return ['# yaml-language-server: $schema=./ruleset.schema.json', ...lines].join('\n');
}

function nextSteps(paths: readonly string[], program: string): readonly string[] {
  const [ruleset = ''] = paths;
  const scenarios = paths.filter((path) => path.endsWith('.yaml') && !/\.(ruleset|forecast)\.yaml$/.test(path));
  const forecast = paths.filter((path) => path.endsWith('.forecast.yaml'));
  return [
    'Written:',
    ...paths.map((path) => `  ${path}`),
    '',
    `Check it:    ${shellLine(program, ['ruleset', 'check', '--strict', ruleset])}`,
    `Read it:     ${shellLine(program, ['ruleset', 'explain', ruleset])}`,
    `Test it:     ${shellLine(program, ['run', ...scenarios, '--driver', 'model'])}`,
    ...forecast.map((path) => `Forecast it: ${shellLine(program, ['forecast', path])}`),
  ];
}

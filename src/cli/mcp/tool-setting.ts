import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import type { RulesetChoice } from '../../scenario/rulesets/ruleset-choice.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { type Config, loadConfig, nothingConfigured } from '../config.ts';
import type { CommandContext } from '../context.ts';
import { openRulesets } from '../open-rulesets.ts';
import { SuiteFolder } from '../serve/suite/suite-folder.ts';
import type { McpArguments } from './mcp-options.ts';

/** Folders and names that the tools work with. It is plain data, because it is sent to the thread of each call. */
export interface ToolSetting {
  readonly cwd: string;
  /** Absolute path of the scenario folder; `null` if there is none. */
  readonly root: string | null;
  /** Folders of fixtures, the built-in ones first. */
  readonly fixtures: readonly string[];
  /** Ruleset files, and the ruleset for everything that names none. */
  readonly rulesets?: Pick<Config, 'rulesetFiles' | 'ruleset'>;
  readonly redaction: { readonly keys: string[]; readonly values: string[] };
  /** Command that starts this program again. */
  readonly program: string;
  /** Number that no other running program uses. */
  readonly writer: number;
  readonly allowScenarioEdits: boolean;
}

type SuiteParts = Pick<ToolSetting, 'fixtures' | 'rulesets'>;

/** Determines the setting from the options and the configuration. Throws the errors of the configuration. */
export async function toolSetting(args: McpArguments, context: CommandContext): Promise<ToolSetting> {
  const { cwd, program, pid } = context;
  const config = await loadConfig(args.config, cwd);
  const root = args.scenarios === null ? (config.scenarios.find(isFolder) ?? null) : resolve(cwd, args.scenarios);
  if (root !== null && !isFolder(root)) {
    throw new NudgeLabError('file-unreadable', { message: `The folder ${args.scenarios} does not exist.` });
  }
  const { keys, values } = config.redaction;
  const { ruleset } = args;
  const chosen = ruleset === null ? {} : { ruleset: isRulesetFile(ruleset) ? resolve(cwd, ruleset) : ruleset };
  // An invalid ruleset is reported before the first call.
  await openRulesets(args, config, cwd);
  return {
    cwd,
    root,
    fixtures: config.fixtures,
    rulesets: {
      ...(config.rulesetFiles === undefined ? {} : { rulesetFiles: config.rulesetFiles }),
      ...(config.ruleset === undefined ? {} : { ruleset: config.ruleset }),
      ...chosen,
    },
    redaction: { keys: [...keys], values: [...values] },
    program,
    writer: pid,
    allowScenarioEdits: args.allowScenarioEdits,
  };
}

/** Opens the rulesets of the configuration and of the command line. Throws the errors of their files. */
export function openToolRulesets({ rulesets = {}, fixtures, cwd }: ToolSetting): Promise<RulesetChoice> {
  return openRulesets({ ruleset: null }, getConfig(cwd, { fixtures, rulesets }), cwd);
}

/** Opens the scenario folder. Throws `file-unreadable` if there is none. */
export function openFolder({ root, fixtures, rulesets = {}, cwd }: ToolSetting): SuiteFolder {
  if (root !== null) return new SuiteFolder(root, getConfig(root, { fixtures, rulesets }), cwd);
  throw new NudgeLabError('file-unreadable', {
    message:
      'There is no scenario folder. Create one with `nudgelab init`, or start `nudgelab mcp --scenarios FOLDER`.',
  });
}

function getConfig(root: string, { fixtures, rulesets = {} }: SuiteParts): Config {
  return { ...nothingConfigured, ...rulesets, file: null, scenarios: [root], fixtures };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

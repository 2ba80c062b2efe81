import type { ArgumentsOf } from '../command.ts';
import { rulesetOption } from '../common-options.ts';
import { flag, text } from '../option.ts';

/** Options of `nudgelab mcp`. */
export const mcpOptions = {
  scenarios: text('--scenarios <folder>', 'folder of scenarios that the agent runs', {
    whenOmitted: 'first folder of the configuration, or scenarios/',
  }),
  ruleset: rulesetOption('id or file of the ruleset for scenarios and sign-ins that name none'),
  allowScenarioEdits: flag('--allow-scenario-edits', 'allow the agent to save scenario files in that folder'),
} as const;

/** Arguments of `nudgelab mcp`. */
export type McpArguments = ArgumentsOf<typeof mcpOptions>;

import type { ArgumentsOf } from '../command.ts';
import { flag, text } from '../option.ts';

/** Options of `nudgelab mcp`. */
export const mcpOptions = {
  scenarios: text('--scenarios <folder>', 'folder of scenarios that the agent runs', {
    whenOmitted: 'first folder of the configuration, or scenarios/',
  }),
  allowScenarioEdits: flag('--allow-scenario-edits', 'allow the agent to save scenario files in that folder'),
} as const;

/** Arguments of `nudgelab mcp`. */
export type McpArguments = ArgumentsOf<typeof mcpOptions>;

import { defineCommand } from './command.ts';
import { mcpOptions } from './mcp/mcp-options.ts';

/** `nudgelab mcp`: offers the model as tools to an agent. */
export const mcpCommand = defineCommand({
  name: 'mcp',
  description:
    'Serves tools to one agent on standard input and output until the input ends: explain verdicts, validate and run ' +
    'scenarios on the model, list rules and fixtures, print schemas, generate a suite and score it with mutants. ' +
    'The tools only read, unless --allow-scenario-edits adds one that saves scenarios in one folder. Needs the optional ' +
    'package @modelcontextprotocol/sdk. Exit codes: 0 the input ended, 2 invalid input.',
  operands: null,
  options: mcpOptions,
  examples: [
    { line: 'mcp', meaning: 'serve the tools; an agent starts this command' },
    {
      line: 'mcp --scenarios my-suite/scenarios --allow-scenario-edits',
      meaning: 'let the agent save scenarios there',
    },
  ],
  run: async (args, context) => (await import('./mcp/serve-mcp.ts')).serveMcp(args, context),
});

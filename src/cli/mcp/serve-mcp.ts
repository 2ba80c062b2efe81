import type { CommandContext, ExitCode } from '../context.ts';
import { print } from '../print.ts';
import { LineTransport } from './line-transport.ts';
import type { McpArguments } from './mcp-options.ts';
import { loadMcpSdk } from './mcp-sdk.ts';
import { createToolServer } from './tool-server.ts';
import { toolSetting } from './tool-setting.ts';

/**
 * Serves the tools on standard input and output until the input ends or the process receives a stop signal. Throws
 * `package-missing`, `payload-too-large`, and the errors of the configuration.
 */
export async function serveMcp(args: McpArguments, context: CommandContext): Promise<ExitCode> {
  const { types } = await loadMcpSdk();
  const server = await createToolServer(await toolSetting(args, context));
  const transport = new LineTransport(context, (value) => types.JSONRPCMessageSchema.parse(value));
  server.onerror = (error) => print(context.stderr, error.message, (message) => [`message rejected: ${message}`]);
  const stopListening = context.onStop(() => void server.close());
  try {
    await server.connect(transport);
    await transport.ended;
    return 0;
  } finally {
    stopListening();
    await server.close();
  }
}

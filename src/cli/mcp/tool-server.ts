import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { parseOr } from '../../contract/parse.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { endSentence, suggestName } from '../../core/nearest-name.ts';
import { packageVersion } from '../../scenario/shipped.ts';
import { CallThreads } from './call-threads.ts';
import { instructions } from './instructions.ts';
import { loadMcpSdk } from './mcp-sdk.ts';
import type { Tool } from './tool.ts';
import type { ToolSetting } from './tool-setting.ts';
import { tools } from './tools.ts';

/**
 * Creates the server that offers the tools. The caller connects it to a transport. Throws `package-missing` if the
 * SDK of the protocol is not installed.
 */
export async function createToolServer(setting: ToolSetting): Promise<Server> {
  const { Server: SdkServer, types } = await loadMcpSdk();
  const server = new SdkServer(
    { name: 'nudgelab', title: 'NudgeLab', version: packageVersion() },
    { capabilities: { tools: {} }, instructions },
  );
  const threads = new CallThreads();
  const offered = [...tools.values()].filter(({ writes }) => setting.allowScenarioEdits || !writes);
  const listed = offered.map(describeTool);
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      const names = offered.map(({ name }) => name);
      const text = `"${params.name}" is not one of the tools ${names.join(', ')}${suggestName(params.name, names)}`;
      throw new types.McpError(types.ErrorCode.InvalidParams, endSentence(text));
    }
    try {
      return succeeded(await call(tool, params.arguments ?? {}, setting, { threads, signal }));
    } catch (error) {
      return failed(error);
    }
  });
  return server;
}

interface Calling {
  readonly threads: CallThreads;
  readonly signal: AbortSignal;
}

/** Validates the input of a call and runs it. Throws `payload-too-large`, `bad-request` and the errors of the tool. */
async function call(tool: Tool, given: unknown, setting: ToolSetting, { threads, signal }: Calling): Promise<object> {
  if (Buffer.byteLength(JSON.stringify(given)) > apiBodyBytesMax) {
    throw new NudgeLabError('payload-too-large', { message: `The input exceeds ${apiBodyBytesMax} bytes.` });
  }
  const input = parseOr('bad-request', tool.input, given, 'input');
  const limitMs = tool.limitMs?.(input) ?? null;
  const output =
    limitMs === null
      ? await tool.run(input, setting)
      : await threads.run({ tool: tool.name, input, setting }, limitMs, signal);
  return output as object;
}

/** Describes a tool for the agent. */
function describeTool({ name, title, description, input, output, writes }: Tool): ListToolsResult['tools'][number] {
  return {
    name,
    title,
    description,
    inputSchema: getSchema(input, 'input'),
    outputSchema: getSchema(output, 'output'),
    annotations: { title, readOnlyHint: !writes, destructiveHint: writes, idempotentHint: true, openWorldHint: false },
  };
}

function getSchema(schema: z.ZodType, io: 'input' | 'output') {
  // Clients validate with draft 7 unless a schema names another draft.
  const document = z.toJSONSchema(schema, { io, target: 'draft-7', unrepresentable: 'any' });
  return { ...document, type: 'object' } as ListToolsResult['tools'][number]['inputSchema'];
}

function succeeded(output: object): CallToolResult {
  const text = JSON.stringify(output);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
}

/** Converts an error to a result that the agent reads: code, message, suggested action and problems. */
function failed(error: unknown): CallToolResult {
  const known =
    error instanceof NudgeLabError
      ? error
      : new NudgeLabError('internal-error', { message: error instanceof Error ? error.message : String(error) });
  const { code, message, action, problems } = known;
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error: { code, message, action, problems } }) }],
  };
}

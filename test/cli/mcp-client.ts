import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, onTestFinished } from 'vitest';
import { createToolServer } from '../../src/cli/mcp/tool-server.ts';
import { type ToolSetting, toolSetting } from '../../src/cli/mcp/tool-setting.ts';
import { testContext } from './command-context.ts';

/** Error as an agent reads it. */
interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly action: string;
  readonly problems: readonly { readonly location: string; readonly message: string }[];
}

/** Client of the SDK, which validates every result with the schema of its tool. */
export interface ToolClient {
  readonly client: Client;
  /** Calls a tool that must succeed. Returns its output. */
  readonly ask: (name: string, input: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>;
  /** Calls a tool that must fail. Returns its error. */
  readonly refused: (name: string, input: Readonly<Record<string, unknown>>) => Promise<ToolError>;
}

/** Connects a client over a transport until the test has finished. */
export async function connect(transport: Transport): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  // The client reads the schemas of the outputs here.
  await client.listTools();
  const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const result = await client.callTool({ name, arguments: { ...input } }, undefined, { timeout: 120_000 });
    const [content] = result.content as readonly { readonly type: string; readonly text: string }[];
    return { isError: result.isError === true, value: JSON.parse(content?.text ?? 'null'), result };
  };
  return {
    client,
    ask: async (name, input) => {
      const { isError, value, result } = await call(name, input);
      expect({ isError, value }).toEqual({ isError: false, value: result.structuredContent });
      return value as Readonly<Record<string, unknown>>;
    },
    refused: async (name, input) => {
      const { isError, value } = await call(name, input);
      expect(isError).toBe(true);
      return (value as { readonly error: ToolError }).error;
    },
  };
}

/** Connects a client to a server in this process, for a folder with a suite. */
export async function connectHere(cwd: string, settings: Partial<ToolSetting> = {}): Promise<ToolClient> {
  const args = {
    scenarios: null,
    ruleset: null,
    allowScenarioEdits: false,
    json: false,
    config: null,
    color: true,
    verbose: false,
    operands: [],
  };
  const setting = { ...(await toolSetting(args, testContext({ cwd }))), ...settings };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await createToolServer(setting);
  await server.connect(theirs);
  onTestFinished(() => server.close());
  return connect(ours);
}

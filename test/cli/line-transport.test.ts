import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { LineTransport } from '../../src/cli/mcp/line-transport.ts';
import { toolMessageBytesMax } from '../../src/core/limits.ts';
import { testContext } from './command-context.ts';

/** Starts a transport on some chunks of input, with the messages and errors that it reports. */
async function started(stdin: readonly string[]) {
  const context = testContext({ stdin });
  const transport = new LineTransport(context, (value) => JSONRPCMessageSchema.parse(value));
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  transport.onmessage = (message) => void messages.push(message);
  transport.onerror = (error) => void errors.push(error);
  await transport.start();
  return { transport, messages, errors, context };
}

const request = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`;
const cancellation = (params?: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', ...(params === undefined ? {} : { params }) })}\n`;

it('messages are read across chunks, and blank lines are ignored', async () => {
  const [first, second] = [request(1), request(2)];
  const { transport, messages } = await started([first.slice(0, 9), `${first.slice(9)}\n \n${second}`, cancellation()]);
  await expect.poll(() => messages.length).toBe(3);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
  await transport.ended;
  expect(messages).toMatchObject([{ id: 1 }, { id: 2 }, { method: 'notifications/cancelled' }]);
});

it('the transport ends when every request has a response or was canceled', async () => {
  // Only a cancellation settles a request, not another notification with the same field.
  const other = cancellation({ requestId: 1 }).replace('cancelled', 'other');
  const { transport, messages, context } = await started([
    request(1),
    request(2),
    other,
    cancellation({ requestId: 2 }),
  ]);
  await expect.poll(() => messages.length).toBe(4);
  let hasEnded = false;
  const ended = transport.ended.then(() => {
    hasEnded = true;
  });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
  expect(hasEnded).toBe(false);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await ended;
  expect(context.stdout.text.trim().split('\n')).toHaveLength(2);
});

it('an invalid message is reported as an error, and the following message is delivered', async () => {
  const { transport, messages, errors } = await started(['{"jsonrpc":\n', '{"jsonrpc":"2.0"}\n', cancellation()]);
  await transport.ended;
  expect([errors.length, messages.length]).toEqual([2, 1]);
});

it('payload-too-large: a message without an end is rejected at its limit', async () => {
  const { transport } = await started(['x'.repeat(toolMessageBytesMax), 'x']);
  await expect(transport.ended).rejects.toMatchObject({ code: 'payload-too-large' });
  const line = `${' '.repeat(toolMessageBytesMax - 1)}\n`;
  const { transport: within } = await started([line, line]);
  await expect(within.ended).resolves.toBeUndefined();
});

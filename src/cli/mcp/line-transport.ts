import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { NudgeLabError } from '../../core/errors.ts';
import { toolMessageBytesMax } from '../../core/limits.ts';
import type { CommandContext } from '../context.ts';
import { printJson } from '../print.ts';

const lineFeed = 10;

/** Transport of the protocol over standard input and output, with one JSON message per line and a size limit. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #context: Pick<CommandContext, 'stdin' | 'stdout'>;
  readonly #parse: (value: unknown) => JSONRPCMessage;
  readonly #ended = Promise.withResolvers<void>();
  /** Ids of the requests without a response. */
  readonly #open = new Set<unknown>();
  #inputEnded = false;
  #closed = false;

  /** `parse` validates a message of the protocol. */
  constructor(context: Pick<CommandContext, 'stdin' | 'stdout'>, parse: (value: unknown) => JSONRPCMessage) {
    this.#context = context;
    this.#parse = parse;
  }

  /** Resolves when the input has ended and every request has a response. Rejects with `payload-too-large` for a message above the limit. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    this.#read().then(() => {
      this.#inputEnded = true;
      this.#endIfDone();
    }, this.#ended.reject);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!printJson(this.#context.stdout, message)) await this.#context.stdout.drained();
    if (!('method' in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended.resolve();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    let parts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.#context.stdin()) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        this.#receive(Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8'));
        [parts, size, from] = [[], 0, end + 1];
      }
      parts.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > toolMessageBytesMax) {
        throw new NudgeLabError('payload-too-large', { message: `A message exceeds ${toolMessageBytesMax} bytes.` });
      }
      if (this.#closed) return;
    }
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    try {
      const message = this.#parse(JSON.parse(line));
      if ('method' in message && 'id' in message) this.#open.add(message.id);
      // A canceled request gets no response.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.['requestId']);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#inputEnded && this.#open.size === 0) this.#ended.resolve();
  }
}

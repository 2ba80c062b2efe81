import type { Redis } from 'ioredis';
import { NudgeLabError } from '../core/errors.ts';
import { withoutEnd } from '../core/text-end.ts';

const connectTimeoutMs = 5_000;
const reconnectEveryMsMax = 1_000;

/** The engine of the queue with its client. */
export interface QueueModules {
  readonly bullmq: typeof import('bullmq');
  readonly Redis: typeof import('ioredis').Redis;
}

/** Loads the optional peers. Throws `queue-missing` when they are not installed. */
export async function queueModules(): Promise<QueueModules> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (cause) {
    throw new NudgeLabError('queue-missing', { cause });
  }
}

/**
 * Connects to Redis, at once or not at all; once connected it comes back by itself as often as Redis does.
 * Takes the address. Throws `usage-invalid` for one that is none, and `queue-unreachable`.
 */
export async function connectToQueue({ Redis: Client }: QueueModules, address: string): Promise<Redis> {
  if (!/^rediss?:\/\/./.test(address) || !URL.canParse(address)) {
    throw new NudgeLabError('usage-invalid', {
      problems: [
        {
          location: '--queue',
          message: `${JSON.stringify(withoutPassword(address))} is not an address such as redis://localhost:6379`,
        },
      ],
    });
  }
  let connected = false;
  const client = new Client(address, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (connected ? Math.min(times * 100, reconnectEveryMsMax) : null),
  });
  let reason = '';
  client.on('error', (error: Error) => {
    reason = error.message;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (cause) {
    client.disconnect();
    const message = withoutEnd(reason || (cause instanceof Error ? cause.message : String(cause)), '.');
    throw new NudgeLabError('queue-unreachable', {
      message: `Redis does not answer at ${withoutPassword(address)}: ${message}.`,
      cause,
    });
  }
  connected = true;
  // The engine's own connections are copies of this one, and give up with it.
  client.once('end', () => {
    connected = false;
  });
  return client;
}

/** An address as it may be shown. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//…@');
}

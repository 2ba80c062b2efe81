import type { Redis } from 'ioredis';
import { NudgeLabError } from '../core/errors.ts';
import { withoutEnd } from '../core/text-end.ts';

const connectTimeoutMs = 5_000;
const reconnectEveryMsMax = 1_000;

/** Queue library and Redis client. */
export interface QueueModules {
  readonly bullmq: typeof import('bullmq');
  readonly Redis: typeof import('ioredis').Redis;
}

/**
 * Loads the optional peer dependencies.
 * @throws `queue-missing` if the packages are not installed
 */
export async function queueModules(): Promise<QueueModules> {
  try {
    const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, Redis };
  } catch (cause) {
    throw new NudgeLabError('queue-missing', { cause });
  }
}

/**
 * Connects to Redis without retrying the first attempt; later it reconnects whenever the connection is lost.
 * @throws `usage-invalid` for an invalid address, and `queue-unreachable`
 */
export async function connectToQueue({ Redis: Client }: QueueModules, address: string): Promise<Redis> {
  if (!/^rediss?:\/\/./.test(address) || !URL.canParse(address)) {
    throw new NudgeLabError('usage-invalid', {
      problems: [
        {
          location: '--queue',
          message: `${JSON.stringify(withoutPassword(address))} is not a URL such as redis://localhost:6379`,
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
      message: `Redis does not respond at ${withoutPassword(address)}: ${message}.`,
      cause,
    });
  }
  connected = true;
  // The queue library uses copies of this connection, which end with it.
  client.once('end', () => {
    connected = false;
  });
  return client;
}

/** Returns an address without its password, for display. */
export function withoutPassword(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//…@');
}

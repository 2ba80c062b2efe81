import type { ServerResponse } from 'node:http';
import { isHandedOver } from './hand-over/hand-over-mark.ts';

/** Header of a response in place of which the server that the client reached closes the connection. */
export const cutHeader = 'nudgelab-cut';

/** Closes the connection of the client before any part of the response is sent. */
export function cutBeforeAnswer(response: ServerResponse): void {
  if (isHandedOver(response.req)) response.writeHead(503, { [cutHeader]: 'before' }).end();
  else response.destroy();
}

/**
 * Closes the connection after half of the first response chunk is sent, independent of the handler. A response without
 * a body is not sent at all.
 */
export function cutMidBody(response: ServerResponse): void {
  const send = response.write.bind(response) as (piece: Buffer, done: () => void) => boolean;
  let cut = false;
  const sendHalf = (piece: unknown): void => {
    if (cut) return;
    cut = true;
    const bytes = toBytes(piece);
    if (bytes.length === 0) response.destroy();
    else send(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  };
  response.write = (piece: unknown): boolean => {
    sendHalf(piece);
    return true;
  };
  response.end = (piece?: unknown): typeof response => {
    sendHalf(piece);
    return response;
  };
}

function toBytes(piece: unknown): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  return piece instanceof Uint8Array ? Buffer.from(piece) : Buffer.alloc(0);
}

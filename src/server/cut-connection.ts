import type { ServerResponse } from 'node:http';

/** Cuts the connection of a request that nothing was answered to. */
export function cutBeforeAnswer(response: ServerResponse): void {
  response.destroy();
}

/**
 * Cuts the connection when half of the first piece of the answer has left; anyone who answers need not know. An answer without a
 * body is cut instead of being sent.
 */
export function cutMidBody(response: ServerResponse): void {
  const send = response.write.bind(response) as (piece: Buffer, done: () => void) => boolean;
  let cut = false;
  const sendHalf = (piece: unknown): void => {
    if (cut) return;
    cut = true;
    const bytes = bytesOf(piece);
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

function bytesOf(piece: unknown): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  return piece instanceof Uint8Array ? Buffer.from(piece) : Buffer.alloc(0);
}

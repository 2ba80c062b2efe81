import { isRefusal } from './control-client.ts';

/** Delay before a lost stream is opened again, in milliseconds. */
const reconnectMs = 2_000;

/** Receivers of a stream, and the signal that ends it. */
export interface StreamFollower<Item> {
  readonly signal: AbortSignal;
  readonly onOpen?: () => void;
  readonly onItem: (item: Item) => void;
  /** Receives the cause of a lost connection; `null` if the server ended the stream. */
  readonly onLost: (cause: unknown) => void;
}

/**
 * Receives the items of a stream until the signal aborts, and opens a lost stream again.
 *
 * @param open - opens the stream after the last received item
 * @throws RefusedError if the server rejects the stream
 */
export async function followStream<Item>(
  open: () => Promise<AsyncIterable<Item>>,
  { signal, onOpen, onItem, onLost }: StreamFollower<Item>,
): Promise<void> {
  while (!signal.aborted) {
    let cause: unknown = null;
    try {
      const items = await open();
      onOpen?.();
      for await (const item of items) onItem(item);
    } catch (error) {
      if (isRefusal(error)) throw error;
      cause = error;
    }
    if (signal.aborted) return;
    onLost(cause);
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

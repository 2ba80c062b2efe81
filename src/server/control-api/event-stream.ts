import type { Session } from 'better-sse';
import type { Response } from 'express';
import { afterDelay } from '../../core/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { entryView } from './entry-view.ts';

/** Entries read at once while a stream catches up. */
const pageEntries = 500;

/** What a stream of events stands on. */
export interface StreamParts {
  readonly sandbox: Sandbox;
  /** Connected, and writing to `response`. */
  readonly session: Session;
  readonly response: Response;
  /** Place in the journal after which it begins. */
  readonly after: number;
  /** Whether an event is named by the type of its input. */
  readonly named: boolean;
  /** Real time between two signs of life, in ms. */
  readonly heartbeatMs: number;
  /** Whether the sandbox is still the one that is served under its id. */
  readonly isServed: () => boolean;
}

/**
 * Sends the journal of a sandbox as events, in order and without a gap, until the connection closes: it always reads on from
 * the last place that it sent, and a new entry only wakes it. A client that reads slowly is waited for, so nothing piles up.
 * Takes the parts; a failure to read the journal ends the stream, and the client resumes it by `Last-Event-ID`.
 */
export function streamEvents(parts: StreamParts): void {
  const { sandbox, response, session } = parts;
  let sent = parts.after;
  let reading = false;
  let woken = false;

  async function readOn(): Promise<void> {
    do {
      woken = false;
      sent = await sendFrom(parts, sent);
    } while (woken && isOpen());
  }

  function wake(): void {
    woken = true;
    if (reading || !isOpen()) return;
    reading = true;
    readOn()
      .catch(() => response.end())
      .finally(() => {
        reading = false;
      });
  }

  function isOpen(): boolean {
    return session.isConnected && !response.destroyed;
  }

  const stopListening = sandbox.recorder.attend({ written: wake, ended: () => response.end() });
  const stopBeating = beat(parts);
  response.once('close', () => {
    stopListening();
    stopBeating();
  });
  wake();
}

/** Sends all that follows a place in the journal; returns the place it came to. */
async function sendFrom({ sandbox, session, response, named }: StreamParts, after: number): Promise<number> {
  let sent = after;
  for (;;) {
    const pending = sandbox.settled();
    if (pending !== null) await pending;
    const entries = await sandbox.journal({ after: sent, limit: pageEntries });
    for (const entry of entries) {
      if (!session.isConnected) return sent;
      session.push(entryView(entry), named ? entry.event.type : 'message', String(entry.seq));
      sent = entry.seq;
      if (response.writableNeedDrain) await drained(response);
    }
    if (entries.length < pageEntries) return sent;
  }
}

/** Resolves when the client has read what was written, or is gone. */
function drained(response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    response.off('drain', done).off('close', done);
    resolve();
  };
  response.once('drain', done).once('close', done);
  return promise;
}

/** Writes a comment now and then, so that both ends notice a broken connection; returns the function that ends it. */
function beat({ session, response, heartbeatMs, isServed }: StreamParts): () => void {
  let cancel = afterDelay(heartbeatMs, onBeat);
  function onBeat(): void {
    if (!session.isConnected) return;
    if (isServed()) {
      session.batch((buffer) => void buffer.comment('').dispatch()).catch(() => response.end());
      cancel = afterDelay(heartbeatMs, onBeat);
    } else {
      response.end();
    }
  }
  return () => cancel();
}

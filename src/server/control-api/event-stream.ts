import type { Session } from 'better-sse';
import type { Response } from 'express';
import { afterDelay } from '../../core/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { entryView } from './entry-view.ts';

/** Number of journal entries to read at once while a stream catches up. */
const pageEntries = 500;

/** Input of an event stream. */
export interface StreamParts {
  readonly sandbox: Sandbox;
  /** Connected session that writes to `response`. */
  readonly session: Session;
  readonly response: Response;
  /** Sequence number after which the stream starts. */
  readonly after: number;
  /** `true` names each event by its type. */
  readonly named: boolean;
  /** Interval between heartbeats in milliseconds of real time. */
  readonly heartbeatMs: number;
  /** Returns `true` while the server still serves this sandbox under its id. */
  readonly isServed: () => boolean;
}

/**
 * Sends the journal of a sandbox as events, in order and without gaps, until the connection closes. The stream always
 * continues from the last sent sequence number, and new entries only wake it. It waits for slow clients, so events do
 * not accumulate. If the journal cannot be read, the stream ends, and the client resumes it with `Last-Event-ID`.
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

/** Sends all entries after a sequence number and returns the last sent sequence number. */
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

/** Resolves when the client has received the buffered data or has disconnected. */
function drained(response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    response.off('drain', done).off('close', done);
    resolve();
  };
  response.once('drain', done).once('close', done);
  return promise;
}

/** Sends periodic comments, so both ends detect a broken connection. Returns a function that stops them. */
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

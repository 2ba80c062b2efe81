import { describe, expect, onTestFinished, test } from 'vitest';
import { serveControl } from './control-client.ts';

interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Client of an event stream that reads events one at a time as they arrive. */
class EventReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';

  private constructor(response: Response) {
    this.response = response;
    if (response.body === null) throw new Error('The stream has no body.');
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    const reader = new EventReader(await fetch(url, { headers }));
    onTestFinished(() => reader.close());
    return reader;
  }

  /** Returns the next block of lines of any type, or `null` if the stream has ended. */
  async block(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { value, done } = await this.#reader.read();
      if (done) return null;
      this.#text += value;
    }
  }

  /** Returns the next event. Comments and the retry interval are skipped. */
  async next(): Promise<StreamedEvent> {
    for (;;) {
      const block = await this.block();
      if (block === null) throw new Error('The stream has ended.');
      const fields = new Map(block.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1)]));
      const data = fields.get('data');
      if (data !== undefined) return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data };
    }
  }

  async ids(count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await this.next()).id);
    return ids;
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

describe('control API: event stream', () => {
  test('bad-request: every journal entry is sent as an event with its type and sequence number', async () => {
    const { ask, controlUrl } = await serveControl();
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events`);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream');
    await reader.block();
    await ask('POST ./clock/advance', { days: 1 });
    const { id, event, data } = await reader.next();
    expect([id, event]).toEqual(['2', 'clock.set']);
    expect(JSON.parse(data)).toEqual((await ask('GET ./journal?after=1')).body.entries[0]);
  });

  test('bad-request: a stream contains no credentials', async () => {
    const { controlUrl } = await serveControl();
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events?after=0`);
    const { event, data } = await reader.next();
    expect(event).toBe('sandbox.created');
    expect(data).not.toContain('correct horse');
  });

  test('bad-request: a stream starts after the requested sequence number and continues without gaps', async () => {
    const { ask, controlUrl } = await serveControl();
    for (let day = 0; day < 3; day += 1) await ask('POST ./clock/advance', { days: 1 });
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events?after=2`);
    expect(await reader.ids(2)).toEqual(['3', '4']);
    await Promise.all([1, 2, 3].map((days) => ask('POST ./clock/advance', { days })));
    expect(await reader.ids(3)).toEqual(['5', '6', '7']);
  });

  test('bad-request: Last-Event-ID resumes a stream and takes precedence over after', async () => {
    const { ask, controlUrl } = await serveControl();
    for (let day = 0; day < 3; day += 1) await ask('POST ./clock/advance', { days: 1 });
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events?after=0`, { 'last-event-id': '3' });
    expect(await reader.ids(1)).toEqual(['4']);
  });

  test('bad-request: a sequence number beyond the end belongs to another journal, so the stream starts at the first entry', async () => {
    const { controlUrl } = await serveControl();
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events`, { 'last-event-id': '900' });
    expect(await reader.ids(1)).toEqual(['1']);
  });

  test('bad-request: a long journal is sent completely', async () => {
    const { sandboxes, controlUrl } = await serveControl();
    const { clock } = sandboxes.get('default');
    for (let ms = 0; ms < 2_000; ms += 1) await clock.advance({ ms });
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events?after=0`);
    expect(await reader.ids(2_001)).toEqual(Array.from({ length: 2_001 }, (_, index) => String(index + 1)));
  });

  test('bad-request: an entry that is written while the journal is read is not missed', async () => {
    const { sandboxes, controlUrl } = await serveControl();
    const sandbox = sandboxes.get('default');
    const journal = sandbox.journal.bind(sandbox);
    sandbox.journal = async (query) => {
      const entries = await journal(query);
      sandbox.journal = journal;
      await sandbox.clock.advance({ days: 1 });
      return entries;
    };
    const reader = await EventReader.open(`${controlUrl}/sandboxes/default/events?after=0`);
    expect(await reader.ids(2)).toEqual(['1', '2']);
  });

  test('bad-request: an invalid Last-Event-ID or after is rejected', async () => {
    const { ask } = await serveControl();
    expect((await ask('GET ./events', undefined, { 'last-event-id': 'x' })).body.error).toMatchObject({
      code: 'bad-request',
      problems: [{ location: 'header.Last-Event-ID' }],
    });
    expect((await ask('GET ./events?after=x')).body.error.problems[0].location).toBe('query.after');
  });

  test('too-many-streams: the number of concurrent streams is limited, and closing one allows another', async () => {
    const { ask, sandboxes, controlUrl } = await serveControl({ events: { streamsMax: 1 } });
    const url = `${controlUrl}/sandboxes/default/events`;
    const reader = await EventReader.open(url);
    await reader.block();
    const refused = await ask('GET ./events');
    expect(refused.body.error.code).toBe('too-many-streams');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(sandboxes.get('default').recorder.listeners).toBe(1);
    await reader.close();
    await expect.poll(() => sandboxes.get('default').recorder.listeners).toBe(0);
    expect((await EventReader.open(url)).response.status).toBe(200);
  });

  test('sandbox-not-found: a stream sends keep-alive comments and ends with its sandbox', async () => {
    const { ask, controlUrl } = await serveControl({ events: { heartbeatMs: 1 } });
    await ask('POST /sandboxes', { id: 'short' });
    const reader = await EventReader.open(`${controlUrl}/sandboxes/short/events`);
    const blocks = [await reader.block(), await reader.block(), await reader.block()];
    expect(blocks.slice(1)).toEqual([':', ':']);
    await ask('DELETE /sandboxes/short');
    let last: string | null = ':';
    while (last === ':') last = await reader.block();
    expect(last).toBeNull();
  });

  test('sandbox-not-found: HEAD of a stream returns immediately', async () => {
    const { controlUrl } = await serveControl();
    const { status, headers } = await fetch(`${controlUrl}/sandboxes/default/events`, { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });
});

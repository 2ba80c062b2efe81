import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import { entryResponse } from '../../src/contract/control-responses.schema.ts';
import { journeyLineSchema } from '../../src/contract/journey.schema.ts';
import { nonEmpty } from '../non-empty.ts';
import { DocumentServer } from '../server/document-server.ts';

const file = 'fixtures/documents/pdfkit-catalogue.pdf';
let server: DocumentServer;
let api: ControlClient;

beforeAll(async () => {
  server = await DocumentServer.start();
  api = controlClient({ url: server.baseUrl });
});

afterAll(() => server.close());

describe('control API client: streams and uploads', () => {
  it('server-sent events arrive as typed journal entries, until the loop ends', async () => {
    await api.createSandbox({ body: { id: 'events', users: { ada: {} } } });
    const entries = await api.streamEvents({ sandbox: 'events', query: { after: 0 } });
    const types: string[] = [];
    for await (const entry of entries) {
      expectTypeOf(entry.seq).toEqualTypeOf<number>();
      types.push(entryResponse.parse(entry).event.type);
      if (types.length === 1) await api.putSnooze({ sandbox: 'events', user: 'ada', body: { count: 1 } });
      if (types.length === 2) break;
    }
    expect(types).toEqual(['sandbox.created', 'snooze.set']);
  });

  it('an abort signal ends a stream of events', async () => {
    await api.createSandbox({ body: { id: 'aborted' } });
    const stop = new AbortController();
    const entries = await api.streamEvents({ sandbox: 'aborted', query: { after: 0 }, signal: stop.signal });
    expect((await entries.next()).value).toMatchObject({ seq: 1 });
    const next = entries.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it('sandbox-not-found: a rejected stream throws the error of the API when it is opened', async () => {
    await expect(api.streamEvents({ sandbox: 'missing' })).rejects.toMatchObject({
      status: 404,
      code: 'sandbox-not-found',
    });
  });

  it('NDJSON arrives as typed lines, and as text for a file', async () => {
    await api.createSandbox({ body: { id: 'lines', users: { ada: {} } } });
    const kinds: string[] = [];
    for await (const line of await api.exportJourney({ sandbox: 'lines' })) {
      kinds.push(journeyLineSchema.parse(line).kind);
      if (line.kind === 'user') expectTypeOf(line.user.snooze.count).toEqualTypeOf<number>();
    }
    expect(kinds).toEqual(['journey', 'tenant', 'user', 'end']);
    let text = '';
    for await (const part of await api.readText('exportJourney', { sandbox: 'lines' })) text += part;
    expect(text.trimEnd().split('\n')).toHaveLength(kinds.length);
  });

  it('D5: an upload of a Blob reports each page and returns the document', async () => {
    const progress: number[] = [];
    const document = await api.uploadDocument({
      sandbox: server.sandbox.id,
      query: { name: 'catalogue.pdf' },
      file: await openAsBlob(file),
      onProgress: ({ page, pages }) => progress.push(page / pages),
    });
    expectTypeOf(document.pages).toEqualTypeOf<number>();
    expect(document).toMatchObject({ title: 'Catalogue of instruments', pages: 3 });
    expect(progress.at(-1)).toBe(1);
    for (const share of nonEmpty(progress)) expect(share).toBeGreaterThan(0);
  });

  it('document-too-large: an upload of a stream throws the whole error of the API', async () => {
    const bytes = await readFile(file);
    const upload = api.uploadDocument({
      sandbox: server.sandbox.id,
      query: { pagesMax: 2 },
      file: ReadableStream.from([bytes.subarray(0, 100), bytes.subarray(100)]),
    });
    await expect(upload).rejects.toMatchObject({
      code: 'document-too-large',
      refusal: { problems: [], requestId: expect.stringMatching(/^control-\d+$/) },
    });
  });

  it('a stream that is ended before its first value cancels the response', async () => {
    const canceled: string[] = [];
    const open = async (url: string) =>
      new Response(new ReadableStream({ cancel: () => void canceled.push(new URL(url).pathname) }));
    const own = controlClient({ url: 'http://own.test', open });
    await (await own.streamEvents({ sandbox: 'a' })).return();
    await (await own.exportJourney({ sandbox: 'b' })).return();
    await (await own.readText('exportJourney', { sandbox: 'c' })).return();
    expect(canceled.map((path) => path.split('/').at(-2))).toEqual(['a', 'b', 'c']);
  });

  it('a stream that is not JSON throws the error of a response that is not JSON', async () => {
    const open = async () => new Response('<html>\n');
    const own = controlClient({ url: 'http://own.test', open });
    const expected = { name: 'ControlError', status: 200, code: null, cause: expect.any(SyntaxError) };
    await expect((await own.exportJourney({ sandbox: 'a' })).next()).rejects.toMatchObject(expected);
    await expect(own.uploadDocument({ sandbox: 'a', file: new Blob(['x']) })).rejects.toMatchObject(expected);
    const numbers = controlClient({ url: 'http://own.test', open: async () => new Response('7\n') });
    await expect(numbers.uploadDocument({ sandbox: 'a', file: new Blob(['x']) })).rejects.toMatchObject({ code: null });
  });

  it('the bytes of a file arrive as a Blob', async () => {
    const open = () => Promise.resolve(new Response('png'));
    const evidence = await controlClient({ url: 'http://own.test', open }).getRunEvidence({
      run: 'r1',
      query: { file: 'a.png' },
    });
    expectTypeOf(evidence).toEqualTypeOf<Blob>();
    expect(await evidence.text()).toBe('png');
  });
});

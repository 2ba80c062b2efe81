import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listEndToEnd } from '../../src/server/hand-over/end-to-end-headers.ts';
import { createMark, isHandedOver, markHeader, takeMark } from '../../src/server/hand-over/hand-over-mark.ts';

const secret = 'shared';
const marked = { target: 'http://b.test', method: 'PATCH', url: '/v1.0/x?y', host: 'lab.test' };

/** Creates a request with a mark. */
function requestWith(mark: string | undefined): IncomingMessage {
  const { method, url, host } = marked;
  const headers = mark === undefined ? { host } : { host, [markHeader]: mark };
  return { method, url, headers } as unknown as IncomingMessage;
}

describe('mark of a request that was handed over', () => {
  test('056: a mark of the request for this server is recognized and removed', () => {
    const request = requestWith(createMark(secret, marked));
    takeMark(secret, marked.target, request);
    expect([isHandedOver(request), request.headers]).toEqual([true, { host: marked.host }]);
  });

  test.each([
    ['no mark', undefined],
    ['an empty mark', ''],
    ['an invented mark', 'x'],
    ['a mark with another secret', createMark('other', marked)],
    ['a mark for another server', createMark(secret, { ...marked, target: 'http://c.test' })],
    ['a mark for another method', createMark(secret, { ...marked, method: 'GET' })],
    ['a mark for another address', createMark(secret, { ...marked, url: '/v1.0/z' })],
    ['a mark for another host', createMark(secret, { ...marked, host: 'evil.test' })],
    ['two marks', `${createMark(secret, marked)}, ${createMark(secret, marked)}`],
  ])('056: %s has no effect and is removed', (_what, mark) => {
    const request = requestWith(mark);
    takeMark(secret, marked.target, request);
    expect([isHandedOver(request), request.headers]).toEqual([false, { host: marked.host }]);
  });

  test('056: two marks of one request differ', () => {
    expect(createMark(secret, marked)).not.toBe(createMark(secret, marked));
  });
});

describe('headers of a request that is handed over', () => {
  test('056: those of the connection and forged marks are left out, and all others stay as they are', () => {
    const kept = ['Host', 'lab.test', 'Cookie', 'a=1', 'X-Twice', '1', 'x-twice', '2', 'Forwarded', 'for=192.0.2.1'];
    const left = ['Connection', 'keep-alive, X-Hop', 'x-hop', '1', 'TE', 'trailers', 'NudgeLab-Handed-Over', 'forged'];
    expect(listEndToEnd([...kept, ...left])).toEqual(kept);
    expect(listEndToEnd([...left, ...kept], ['cookie'])).toEqual(kept.filter((text) => !/^(?:Cookie|a=1)$/.test(text)));
    expect(listEndToEnd([])).toEqual([]);
  });
});

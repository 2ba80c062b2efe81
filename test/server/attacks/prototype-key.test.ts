import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../../test-server.ts';

describe('a key that parsers of name lists would silently drop', () => {
  it.each([
    ['PUT', 'assumptions', '{"__proto__":true}'],
    ['PUT', 'tenant', '{"groups":{"__proto__":["ada"]}}'],
    ['PATCH', 'users/ada', '{"__proto__":{"displayName":"Eve"}}'],
    ['POST', 'documents', '{"title":"t","pages":[{"content":"c"}],"data":{"a":[{"__proto__":1}]}}'],
  ] as const)('bad-request: %s %s rejects it by its name', async (method, path, body) => {
    const server = await startTestServer({ default: { users: [{ id: 'ada' }] } });
    onTestFinished(() => server.close());
    const response = await fetch(`${server.controlUrl}/sandboxes/default/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([400, 'bad-request']);
    expect(error.message).toContain('__proto__');
  });
});

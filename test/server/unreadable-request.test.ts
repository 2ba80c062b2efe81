import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorResponse } from '../../src/contract/control-responses.schema.ts';
import { setTestServer } from '../test-server.ts';

const server = setTestServer({ default: {} });

/** Sends bytes and returns everything that was received until the server closed the connection. */
async function raw(bytes: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return { status: Number(text.slice(9, 12)), body: body === '' ? null : JSON.parse(body) };
}

const policyError = {
  error: {
    code: 'badRequest',
    message: expect.any(String),
    innerError: {
      date: expect.any(String),
      'request-id': expect.any(String),
      'client-request-id': expect.any(String),
    },
  },
};

describe('unparseable requests', () => {
  it.each([
    ['/_control/v1/sandboxes', { error: expect.objectContaining({ code: 'bad-request', problems: [] }) }],
    ['/_metrics', { error: expect.objectContaining({ code: 'bad-request' }) }],
    ['/v1.0/policies/authenticationMethodsPolicy', policyError],
    ['/s/other/v1.0/policies/authenticationMethodsPolicy', policyError],
    ['/beta/users', policyError],
    ['/api/v1/document/', { detail: expect.any(String) }],
    ['/s/other/api/v1/page/', { detail: expect.any(String) }],
  ] as const)('bad-request: %s is reported in the format of its API', async (path, shape) => {
    expect(await raw(`GET ${path} HTTP/1.1\r\nbroken\r\n\r\n`)).toEqual({ status: 400, body: shape });
    const long = await raw(`GET ${path}?q=${'a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
    expect(long).toEqual({ status: 400, body: shape });
  });

  it('bad-request: an error of the control API matches its contract', async () => {
    const { body } = await raw('GET /_control/v1/health HTTP/1.1\r\nbroken\r\n\r\n');
    expect(errorResponse.safeParse(body).success).toBe(true);
  });

  it('an unknown Expect header is ignored', async () => {
    const head = `GET /_control/v1/health HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n`;
    const { status } = await raw(`${head}Expect: the-moon\r\n\r\n`);
    expect(status).toBe(200);
  });
});

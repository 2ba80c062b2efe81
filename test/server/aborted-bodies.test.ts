import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Fault } from '../../src/server/faults.ts';
import { startTestServer } from '../test-server.ts';

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

it.for([
  ['POST', '/sign-in', form],
  ['POST', '/oauth2/token', form],
  ['POST', '/oauth2/introspect', form],
  ['POST', '/oauth2/revoke', form],
  ['POST', '/oauth2/par', form],
  ['POST', '/_control/v1/sandboxes', json],
] as const)('a client that goes away within a body of %s %s is not a failure', async ([method, path, type]) => {
  const faults: Fault[] = [];
  const server = await startTestServer({ default: {} }, { onFault: (fault) => faults.push(fault) });
  const { port } = new URL(server.baseUrl);
  for (const length of ['Content-Length: 50', 'Content-Length: 5000', 'Transfer-Encoding: chunked']) {
    const client = connect(Number(port), '127.0.0.1');
    client.write(
      `${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: ${type}\r\n${length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(String((await once(client, 'data'))[0])).toContain('100 Continue');
    client.write('5\r\nabcde\r\n');
    client.destroy();
  }
  await server.close();
  expect(faults).toEqual([]);
});

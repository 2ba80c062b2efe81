import { describe, expect, test } from 'vitest';
import { controlDocument, controlOperations } from '../../src/contract/control-openapi.ts';
import { errorTable, NudgeLabError } from '../../src/core/errors.ts';
import { apiBodyBytesMax } from '../../src/core/limits.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { controlGroups } from '../../src/server/control-api/control-api.route.ts';
import { routeMethods } from '../../src/server/control-api/route-methods.ts';
import { expressPath } from '../../src/server/control-api/serve.ts';
import { RequestLog } from '../../src/server/request-log.ts';
import { nonEmpty } from '../non-empty.ts';
import { serveControl } from './control-client.ts';

/** Lists the paths of the document, with each parameter filled with an existing value of the default sandbox. */
const paths = [...new Set(controlOperations.map(({ path }) => path))].map((path) =>
  path.replace('{sandbox}', 'default').replace('{user}', 'ada').replace('{method}', 'sms').replace('{signIn}', 's2'),
);

/** Returns the required query of an operation. */
function neededQuery(path: string, method: string): string {
  const item = (controlDocument.paths as Readonly<Record<string, unknown>>)[path] as Readonly<
    Record<string, Described>
  >;
  const operation = item[method];
  const needed = (operation?.parameters ?? []).filter((one) => one.in === 'query' && one.required);
  return needed.length === 0 ? '' : `?${needed.map(({ name }) => `${name}=x`).join('&')}`;
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
}

describe('control API: responses', () => {
  test('not-found: every served route is described, and every described route is served', async () => {
    const sandboxes = await Sandboxes.open(new MemoryStore());
    const served = routeMethods(controlGroups(sandboxes, { requestLog: new RequestLog() })).flatMap(
      ({ path, methods }) => methods.map((method) => `${method} ${path}`),
    );
    const described = controlOperations.map((one) => `${one.method.toUpperCase()} ${expressPath(one)}`);
    expect(served.length).toBeGreaterThan(30);
    expect(served.toSorted()).toEqual(described.toSorted());
  });

  test('internal-error: the health check returns the number of sandboxes', async () => {
    const { ask } = await serveControl();
    expect(await ask('GET /health')).toMatchObject({ status: 200, body: { status: 'ok', sandboxes: 1 } });
  });

  test('not-found: the document is served unmodified', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET /openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toContain('/sandboxes/{sandbox}/explain');
  });

  test('internal-error: responses may not be cached', async () => {
    const { ask } = await serveControl();
    for (const line of ['GET /health', 'GET ./tenant', 'GET /nowhere']) {
      expect((await ask(line)).headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('control API: common error format', () => {
  test('not-found: the error has code, title, message, action, problems and the request id of the header', async () => {
    const { ask } = await serveControl();
    const { status, headers, body } = await ask('GET /nowhere');
    const { title, action } = errorTable['not-found'];
    expect(status).toBe(404);
    expect(body.error).toEqual({
      code: 'not-found',
      title,
      message: expect.any(String),
      action,
      problems: [],
      requestId: headers.get('x-request-id'),
    });
  });

  test.for(['./faults/0', './lookup/ada', './documents/1/elsewhere', '/sandboxes/default/users/ada/elsewhere'])(
    'not-found: %s is not a known path',
    async (path) => {
      const { ask } = await serveControl();
      expect(await ask(`GET ${path}`)).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } });
    },
  );

  test.for(nonEmpty(paths))('method-not-allowed: %s lists its methods', async (path) => {
    const { ask } = await serveControl();
    const refused = await ask(`PROPFIND ${path}`);
    const methods = controlOperations
      .filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
      .map(({ method }) => method.toUpperCase());
    expect(refused).toMatchObject({ status: 405, body: { error: { code: 'method-not-allowed' } } });
    const allowed = refused.headers.get('allow')?.split(', ') ?? [];
    expect(allowed.filter((method) => method !== 'HEAD').toSorted()).toEqual(methods.toSorted());
  });

  test.for(nonEmpty(controlOperations.filter(({ path }) => path.startsWith('/sandboxes/'))))(
    'sandbox-not-found: $id rejects an unknown sandbox',
    async ({ method, path, body }) => {
      const { ask } = await serveControl();
      const line = `${method.toUpperCase()} ${filled(path).replace('default', 'no-such')}${neededQuery(path, method)}`;
      expect(await ask(line, body === null ? undefined : validBody(path))).toMatchObject({
        status: 404,
        body: { error: { code: 'sandbox-not-found' } },
      });
    },
  );

  test('bad-request: a body that is not JSON is rejected', async () => {
    const { ask } = await serveControl();
    const refused = await ask('PATCH ./tenant', '{"id": ');
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } });
  });

  test('bad-request: a JSON body that is not an object is rejected', async () => {
    const { ask } = await serveControl();
    for (const body of ['null', '7', '"text"', '[]']) {
      expect((await ask('PATCH ./tenant', body)).body.error).toMatchObject({
        code: 'bad-request',
        problems: [{ location: 'body' }],
      });
    }
  });

  test('bad-request: PUT and PATCH require a body, POST does not', async () => {
    const { ask } = await serveControl();
    expect((await ask('PUT ./tenant')).status).toBe(400);
    expect((await ask('PATCH ./users/ada')).status).toBe(400);
    expect((await ask('POST ./reset')).status).toBe(200);
  });

  test('bad-request: a body that is nested too deeply is rejected before it is processed', async () => {
    const { ask } = await serveControl();
    const depth = 100_000;
    const body = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(await ask('PATCH ./tenant', body)).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } });
  });

  test('bad-request: a path that cannot be decoded is rejected', async () => {
    const { ask } = await serveControl();
    expect(await ask('GET ./users/%E0%A4%A')).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } });
  });

  test('bad-request: the error of an unknown query parameter names it', async () => {
    const { ask } = await serveControl();
    const { body } = await ask('GET ./journal?typ=clock.set');
    expect(body.error.problems).toEqual([
      { location: 'query', message: 'unknown key "typ"; allowed: after, type, limit; did you mean "type"?' },
    ]);
  });

  test('payload-too-large: a body beyond the limit is rejected', async () => {
    const { ask } = await serveControl();
    const body = JSON.stringify({ id: 'x'.repeat(apiBodyBytesMax) });
    expect(await ask('PATCH ./tenant', body)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload-too-large' } },
    });
  });

  test('unsupported-media-type: a form is rejected', async () => {
    const { ask } = await serveControl();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await ask('PUT ./clock', 'now=1', form)).toMatchObject({
      status: 415,
      body: { error: { code: 'unsupported-media-type' } },
    });
  });

  test('unsupported-media-type: a merge patch with its own media type is accepted', async () => {
    const { ask } = await serveControl();
    const patch = { 'content-type': 'application/merge-patch+json' };
    expect((await ask('PATCH ./tenant', { subscription: 'trial' }, patch)).body.subscription).toBe('trial');
  });

  test('origin-not-allowed: a page of another origin, or of the same address under another name, cannot change anything', async () => {
    const { ask, sandboxes } = await serveControl();
    const entries = sandboxes.get('default').entryCount;
    for (const headers of [{ origin: 'https://elsewhere.test' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(await ask('POST ./reset', undefined, headers)).toMatchObject({
        status: 403,
        body: { error: { code: 'origin-not-allowed' } },
      });
    }
    expect(sandboxes.get('default').entryCount).toBe(entries);
  });

  test.for(['GET', 'HEAD'])('origin-not-allowed: a page of another origin can read by %s', async (method) => {
    const { controlUrl } = await serveControl();
    const headers = { origin: 'https://elsewhere.test' };
    expect((await fetch(`${controlUrl}/sandboxes/default/tenant`, { method, headers })).status).toBe(200);
  });

  test('internal-error: an unexpected error is reported to the listener and reveals no details', async () => {
    const faults: unknown[] = [];
    const { ask, sandboxes } = await serveControl({ onFault: ({ error }) => faults.push(error) });
    const fault = new TypeError('a secret of the simulator');
    sandboxes.list = () => {
      throw fault;
    };
    const { status, body } = await ask('GET /health');
    expect([status, body.error.code]).toEqual([500, 'internal-error']);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(faults).toEqual([fault]);
  });

  test('journal-full: a change beyond the journal limit returns 503 and has no effect', async () => {
    const { ask } = await serveControl({ store: new MemoryStore({ entriesMax: 1 }) });
    expect(await ask('PATCH ./tenant', { subscription: 'free' })).toMatchObject({
      status: 503,
      body: { error: { code: 'journal-full' } },
    });
    expect((await ask('GET ./tenant')).body.subscription).toBe('paid');
  });

  test('store-failed: a store that cannot write returns 503 with the request id', async () => {
    const store = new MemoryStore();
    const { ask } = await serveControl({ store });
    store.admit = () => {
      throw new NudgeLabError('store-failed');
    };
    const { status, headers, body } = await ask('POST ./clock/advance', { days: 1 });
    expect([status, body.error.code]).toEqual([503, 'store-failed']);
    expect(body.error.requestId).toBe(headers.get('x-request-id'));
  });

  test('store-failed: a response is sent after its data is stored, and fails if storing fails', async () => {
    const store = new MemoryStore();
    const { ask } = await serveControl({ store });
    const written = Promise.withResolvers<void>();
    store.flushed = (): null => written.promise as unknown as null;
    const order: string[] = [];
    const read = ask('GET ./tenant').then(({ status }) => order.push(`tenant ${status}`));
    const change = ask('PATCH ./tenant', {}).then(({ status }) => order.push(`change ${status}`));
    for (const _ of [1, 2, 3]) await ask('GET /health');
    order.push('written');
    written.reject(new NudgeLabError('store-failed'));
    await Promise.all([read, change]);
    expect(order[0]).toBe('written');
    expect(order.toSorted()).toEqual(['change 503', 'tenant 503', 'written']);
  });
});

function filled(path: string): string {
  return path
    .replace('{sandbox}', 'default')
    .replace('{user}', 'ada')
    .replace('{method}', 'sms')
    .replace('{signIn}', 's2');
}

/** Returns a body that is valid for a path. */
function validBody(path: string): unknown {
  if (path.endsWith('/restore')) return { name: 'any' };
  if (path.endsWith('/revoke')) return { token: 'any' };
  if (path.endsWith('/explain')) return { user: 'ada' };
  if (path.endsWith('/faults')) return { faults: [] };
  if (path.endsWith('/preview')) return { patch: {} };
  if (path.endsWith('/push')) return { approve: true };
  if (path.endsWith('/lookup/tokens')) return { account: 'free' };
  if (path.endsWith('/lookup/tokens/{token}')) return { name: 'any' };
  if (path.includes('/lookup/tools/')) return { enabled: true };
  if (path.endsWith('/analyses')) return { kind: 'comparison', variants: [{ name: 'any' }] };
  if (path.endsWith('/documents')) return { pages: [{}] };
  if (path.endsWith('/synthetic-documents')) return { count: 1 };
  if (path.endsWith('/transitions')) return { move: 'publish' };
  return {};
}

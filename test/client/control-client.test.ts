import { describe, expect, expectTypeOf, it } from 'vitest';
import { ControlError, controlClient, type SentRequest } from '../../src/client/control-client.ts';
import { controlRoutes } from '../../src/client/control-routes.ts';
import { controlOperations } from '../../src/contract/control-openapi.ts';
import { setTestServer } from '../test-server.ts';

const controlKey = 'key-of-this-test-and-of-no-other';
const server = setTestServer({}, { controlKey });

const api = () => controlClient({ url: `${server.baseUrl}/`, controlKey });

describe('control API client', () => {
  it('has a method for each operation, with its HTTP method and path', () => {
    expect(controlRoutes).toEqual(Object.fromEntries(controlOperations.map(({ id, route }) => [id, route])));
    expect(Object.keys(api()).toSorted()).toEqual(
      [...Object.keys(controlRoutes), 'exchange', 'getUrl', 'readText'].toSorted(),
    );
  });

  it('sends parameters, query and body, and returns the typed response', async () => {
    const users = ['a/b', 'ada', 'bob'].map((id) => ({ id, userPrincipalName: `${id}@example.test` }));
    const created = await api().createSandbox({ body: { id: 'x', users } });
    expect(created.id).toBe('x');
    await api().putSnooze({ sandbox: 'x', user: 'ada', body: { count: 2 } });
    const ada = await api().getUser({ sandbox: 'x', user: 'ada' });
    expectTypeOf(ada.nudgeStatus.snoozes).toEqualTypeOf<number>();
    expect(ada.nudgeStatus.snoozes).toBe(2);
    expect((await api().getUser({ sandbox: 'x', user: 'a/b' })).id).toBe('a/b');
    const page = await api().listUsers({ sandbox: 'x', query: { limit: 2, search: undefined } });
    expect([page.users.length, page.total, page.next]).toEqual([2, 3, 'ada']);
    expect(await api().deleteUser({ sandbox: 'x', user: 'bob' })).toBeUndefined();
    expect((await api().getHealth()).status).toBe('ok');
  });

  it('returns a response that is neither an error nor JSON as an error with its text', async () => {
    const send = () => Promise.resolve({ status: 200, headers: {}, text: '<p>Portal</p>' });
    const server = controlClient({ url: 'http://proxy.test', send }).getServer();
    await expect(server).rejects.toThrow('GET /server returned 200: <p>Portal</p>');
  });

  it('a rejected request throws an error with the code, the locations and the request', async () => {
    const refused = await api()
      .getUser({ sandbox: 'default', user: 'nobody' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ControlError);
    expect(refused).toMatchObject({ status: 404, code: 'sandbox-not-found' });
    expect(String(refused)).toMatch(/^ControlError: GET \/sandboxes\/default\/users\/nobody returned 404: /);
    const invalid = api().createSandbox({ body: { id: 'No' } });
    await expect(invalid).rejects.toMatchObject({
      code: 'bad-request',
      refusal: { problems: [{ location: 'body.id' }] },
    });
    const keyless = controlClient({ url: server.baseUrl }).listSandboxes();
    await expect(keyless).rejects.toMatchObject({ status: 401, code: 'control-key-invalid' });
  });

  it('a response that does not come from a control API is reported with its status and text', async () => {
    const send = () => Promise.resolve({ status: 502, headers: {}, text: 'bad gateway' });
    const error = await controlClient({ url: 'http://proxy.test', send })
      .getServer()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: null, refusal: null, message: 'GET /server returned 502: bad gateway' });
  });

  it('a custom sender receives each request', async () => {
    const sent: SentRequest[] = [];
    const send = (request: SentRequest) => {
      sent.push(request);
      return Promise.resolve({ status: 204, headers: {}, text: '' });
    };
    const own = controlClient({ url: 'http://own.test', controlKey: 'k', send });
    await own.deleteSandbox({ sandbox: 'a b', headers: { 'x-test': '1' } });
    expect(sent).toMatchObject([
      {
        method: 'DELETE',
        url: 'http://own.test/_control/v1/sandboxes/a%20b',
        headers: { authorization: 'Bearer k', 'x-test': '1' },
      },
    ]);
  });

  it('returns the URLs of files', () => {
    const url = api().getUrl('getRunEvidence', { run: 'r1', query: { file: 'a b.png' } });
    expect(url).toBe(`${server.baseUrl}/_control/v1/runs/r1/evidence?file=a+b.png`);
  });

  it('arguments that an operation does not accept fail to compile', () => {
    const unsent = () => [
      // @ts-expect-error: the user is wanted.
      api().getUser({ sandbox: 'x' }),
      // @ts-expect-error: a count is a number.
      api().putSnooze({ sandbox: 'x', user: 'ada', body: { count: 'two' } }),
      // @ts-expect-error: the operation takes no body.
      api().getUser({ sandbox: 'x', user: 'ada', body: {} }),
      // @ts-expect-error: the operation takes no query.
      api().getUser({ sandbox: 'x', user: 'ada', query: { limit: 2 } }),
      // @ts-expect-error: the file is wanted.
      api().uploadDocument({ sandbox: 'x' }),
      // @ts-expect-error: no such query.
      api().listUsers({ sandbox: 'x', query: { most: 2 } }),
    ];
    expect(unsent).toBeTypeOf('function');
  });
});

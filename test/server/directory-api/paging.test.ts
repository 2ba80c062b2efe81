import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DirectoryServer, eventual } from './directory-server.ts';

let server: DirectoryServer;

const names = Array.from({ length: 250 }, (_, index) => `user-${String(index).padStart(3, '0')}`);

beforeEach(async () => {
  server = await DirectoryServer.start({ users: names.map((id) => ({ id })) });
});

afterEach(() => server.stop());

/** Follows the links of a list to its end, and runs a task after the first page. */
async function follow(path: string, afterFirst: () => Promise<unknown> = async () => null) {
  const pages: (readonly unknown[])[] = [];
  for (let next: unknown = path; typeof next === 'string'; ) {
    const { status, body } = await server.ask(next);
    expect(status).toBe(200);
    pages.push(body.value?.map(({ id }) => id) ?? []);
    if (pages.length === 1) await afterFirst();
    next = body['@odata.nextLink'];
  }
  return pages;
}

describe('paging', () => {
  test('DIR22: pages have the default size, or the requested one, and the last one has no link', async () => {
    const pages = await follow('/v1.0/users');
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(pages.flat()).toEqual(names);
    expect((await follow('/v1.0/users?$top=999')).map(({ length }) => length)).toEqual([250]);
    expect((await follow('/v1.0/users?$top=125&$select=id')).map(({ length }) => length)).toEqual([125, 125]);
    expect((await server.ask('/v1.0/users?$skip=1')).status).toBe(400);
    expect((await server.ask('/v1.0/users?$top=1000')).status).toBe(400);
  });

  test('DIR30: a preferred page size is applied and named', async () => {
    const { body, headers } = await server.ask('/v1.0/users', { headers: { Prefer: 'odata.maxpagesize=7' } });
    expect([body.value?.length, headers.get('preference-applied')]).toEqual([7, 'odata.maxpagesize=7']);
    const both = await server.ask('/v1.0/users?$top=3', { headers: { Prefer: 'odata.maxpagesize=7' } });
    expect([both.body.value?.length, both.headers.get('preference-applied')]).toEqual([3, null]);
  });

  test('DIR23: a link repeats the other options, and the count is that of all pages', async () => {
    const path = "/beta/users?$count=true&$top=2&$filter=startswith(displayName,'user-00')";
    const first = await server.ask(path, { headers: eventual });
    const link = String(first.body['@odata.nextLink']);
    expect(link).toMatch(/^http:\/\/localhost:\d+\/beta\/users\?\$count=true&\$top=2&\$filter=startswith/);
    const second = await server.ask(link, { headers: eventual });
    expect([second.body['@odata.count'], second.body.value?.length]).toEqual([10, 2]);
  });

  test('DIR23: all pages show one state, whatever is written meanwhile', async () => {
    const pages = await follow('/v1.0/users', async () => {
      await server.sandbox.directory.removeUser('user-000');
      await server.sandbox.directory.putUser('new', { displayName: 'a first user' });
      await server.sandbox.directory.patchUser('user-120', { displayName: 'zz last' });
    });
    expect(pages.flat()).toEqual(names);
    expect((await follow('/v1.0/users')).flat()).toHaveLength(250);
    expect((await server.list('/v1.0/users?$top=1'))[0]).toBe('new');
  });

  test('DIR23: a damaged token, one of another list, and one of a restored-over state are rejected', async () => {
    const { body } = await server.ask('/v1.0/users');
    const link = String(body['@odata.nextLink']);
    const token = new URL(link).searchParams.get('$skiptoken') ?? '';
    for (const path of [
      '/v1.0/users?$skiptoken=x',
      `/v1.0/users?$skiptoken=${token.slice(0, -1)}`,
      `/v1.0/groups?$skiptoken=${token}`,
      `/v1.0/users?$skiptoken=${token}&$orderby=userPrincipalName`,
    ]) {
      expect((await server.ask(path)).status).toBe(400);
    }
    await server.sandbox.directory.patchUser('user-001', { displayName: 'changed' });
    const { recorder } = server.sandbox;
    const later = String((await server.ask('/v1.0/users')).body['@odata.nextLink']);
    const { rebuildState } = await import('../../../src/journal/apply-event.ts');
    const first = rebuildState(await server.sandbox.journal({ after: 0, limit: 1 }));
    if (first === null) throw new Error('The journal is empty.');
    await recorder.restore(first, first.lastAtMs);
    const expired = await server.ask(later);
    expect([expired.status, expired.body.error?.message]).toEqual([400, expect.stringContaining('expired')]);
    expect((await server.ask(link)).status).toBe(200);
  });

  test('GET: reading appends nothing to the journal', async () => {
    await follow('/v1.0/users');
    expect(server.sandbox.entryCount).toBe(1);
  });
});

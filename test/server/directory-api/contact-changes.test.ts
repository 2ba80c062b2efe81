import { afterEach, describe, expect, test } from 'vitest';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

const base = '/v1.0/users/ada/authentication';
const mobile = '3179e48a-750b-4051-897c-87b9720928f7';
const alternate = 'b6332ec1-7057-4abe-9331-3d72feddfe41';
const office = 'e37fc753-ff3b-4958-9484-eaa9425c82bc';
const email = '3ddfcfc8-9383-446f-83cc-3ab9be4be18f';
const number = '+1 2065550100';

afterEach(() => server.stop());

async function start(user: object): Promise<void> {
  server = await DirectoryServer.start({
    clock: { nowMs: Date.UTC(2026, 0, 5, 9), running: false },
    users: [{ id: 'ada', displayName: 'Ada', ...user }],
  });
}

async function listAudits(): Promise<readonly unknown[]> {
  const { body } = await server.ask('/v1.0/auditLogs/directoryAudits');
  return (body.value ?? []).map((row) => [row['activityDisplayName'], row['operationType'], row['resultReason']]);
}

describe('changes of telephones and email addresses', () => {
  const phones = { mobile: '+1 2', alternateMobile: '+1 3', office: '+1 4' };
  const user = { methods: ['sms', 'voice'], directory: { phones, email: 'ada@home.test', jobTitle: 'x' } };

  test.for<[string, string, object, object]>([
    ['the mobile phone', `phoneMethods/${mobile}`, { phoneNumber: number }, { phones: { ...phones, mobile: number } }],
    [
      'the alternate phone',
      `phoneMethods/${alternate}`,
      { phoneNumber: number, phoneType: 'alternateMobile' },
      { phones: { ...phones, alternateMobile: number } },
    ],
    [
      'the office phone',
      `phoneMethods/${office.toUpperCase()}`,
      { '@odata.type': '#graph.phoneAuthenticationMethod', phoneNumber: number, phoneType: 'office' },
      { phones: { ...phones, office: number } },
    ],
    ['the email address', `emailMethods/${email}`, { emailAddress: 'b@home.test' }, { email: 'b@home.test' }],
  ])('PATCH of %s changes it, once', async ([, path, body, changed]) => {
    await start(user);
    const reply = await server.ask(`${base}/${path}`, { method: 'PATCH', body });
    expect([reply.status, reply.text]).toEqual([204, '']);
    const entries = await server.sandbox.journal({ after: 1, limit: 10 });
    expect(entries.map(({ event }) => event)).toEqual([
      {
        type: 'user.directoryChanged',
        userId: 'ada',
        caller: { kind: 'app', id: 'test' },
        directory: { ...user.directory, ...changed },
      },
    ]);
    const what = path.startsWith('email') ? 'Email' : 'Phone';
    expect(await listAudits()).toEqual([['Admin updated security info', 'Update', `Admin updated ${what}`]]);
    expect((await server.ask(`${base}/${path}`, { method: 'PATCH', body })).status).toBe(204);
    expect(server.sandbox.entryCount).toBe(2);
  });

  test('PATCH returns the changed phone if the client prefers it', async () => {
    await start({ methods: ['sms'] });
    const { status, headers, body } = await server.ask(`${base}/phoneMethods/${mobile}`, {
      method: 'PATCH',
      body: { phoneNumber: number },
      headers: { prefer: 'return=representation' },
    });
    expect([status, headers.get('preference-applied'), body['phoneNumber']]).toEqual([
      200,
      'return=representation',
      number,
    ]);
  });

  test.for<[string, number, string, unknown]>([
    ['another type', 400, `phoneMethods/${mobile}`, { phoneNumber: number, phoneType: 'office' }],
    ['no number', 400, `phoneMethods/${mobile}`, {}],
    ['a bad number', 400, `phoneMethods/${mobile}`, { phoneNumber: '12' }],
    ['a property of another type', 400, `phoneMethods/${mobile}`, { phoneNumber: number, smsSignInState: 'ready' }],
    ['an address without a domain', 400, `emailMethods/${email}`, { emailAddress: 'ada' }],
    ['a list', 400, `emailMethods/${email}`, []],
    ['an id that does not exist', 404, 'phoneMethods/none', { phoneNumber: number }],
  ])('a PATCH with %s is %i and changes nothing', async ([, status, path, body]) => {
    await start(user);
    const reply = await server.ask(`${base}/${path}`, { method: 'PATCH', body });
    expect([reply.status, server.sandbox.entryCount]).toEqual([status, 1]);
  });

  test('a PATCH of a method that the user does not have is 404', async () => {
    await start({ methods: ['sms'] });
    for (const [path, body] of [
      [`phoneMethods/${office}`, { phoneNumber: number }],
      [`emailMethods/${email}`, { emailAddress: 'b@home.test' }],
    ] as const) {
      expect((await server.ask(`${base}/${path}`, { method: 'PATCH', body })).status).toBe(404);
    }
  });
});

describe('DIR80: telephones in the audit log', () => {
  test.for<[string, object, string, string, object | undefined, readonly unknown[]]>([
    [
      'an alternate phone next to one that takes calls',
      { methods: ['sms', 'voice'] },
      'POST',
      'phoneMethods',
      { phoneNumber: number, phoneType: 'alternateMobile' },
      [['Admin registered security info', 'Add', 'Admin registered Phone']],
    ],
    [
      'a mobile phone next to an office phone',
      { methods: ['voice'] },
      'POST',
      'phoneMethods',
      { phoneNumber: number, phoneType: 'mobile' },
      [['Admin registered security info', 'Add', 'Admin registered SMS']],
    ],
    [
      'a removed alternate phone',
      { methods: ['sms', 'voice'], directory: { phones: { alternateMobile: number } } },
      'DELETE',
      `phoneMethods/${alternate}`,
      undefined,
      [['Admin deleted security info', 'Delete', 'Admin deleted Phone']],
    ],
  ])('%s has one row', async ([, user, method, path, body, wanted]) => {
    await start(user);
    const { status } = await server.ask(`${base}/${path}`, { method, ...(body === undefined ? {} : { body }) });
    expect([201, 204]).toContain(status);
    expect(await listAudits()).toEqual(wanted);
  });
});

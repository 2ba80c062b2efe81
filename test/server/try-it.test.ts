import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  errorCodeIn,
  formType,
  type IdentityServer,
  otherSandboxId,
  pageIn,
  startIdentityServer,
} from './identity-server.ts';

const settings = {
  context: {
    namedLocations: ['office', '<b>moon</b>'],
    conditionalAccess: [{ id: 'office-only', grant: 'block', networks: { exclude: ['office'] } }],
  },
};

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({ settings });
});

afterAll(() => server.close());

/** Starts Ada’s sign-in at a URL, as a browser without a user agent would, and continues to its verdict. */
async function verdictAt(query: string, headers: Record<string, string> = {}, prefix = '') {
  const begun = await server.ask(`${prefix}/sign-in${query}`, {
    method: 'POST',
    headers: { ...formType, ...headers },
    body: 'username=ada@example.test',
  });
  const { signInId } = pageIn(begun);
  const { signIns } = prefix === '' ? server.sandbox : server.sandboxes.get(otherSandboxId);
  if (signIns.view(signInId ?? '').screen === 'password') {
    await signIns.acceptPassword(signInId ?? '');
    const { screen } = signIns.view(signInId ?? '');
    if (screen === 'mfa' || screen === 'externalMfa') await signIns.completeMfa(signInId ?? '');
  }
  return { attempt: (await signIns.detail(signInId ?? '')).attempt, reason: signIns.verdict(signInId ?? '')?.reason };
}

describe('form page for sign-in URLs', () => {
  it.each([
    ['', '/sign-in'],
    [`/s/${otherSandboxId}`, `/s/${otherSandboxId}/sign-in`],
  ])('submits its form by GET to the sign-ins of the sandbox at "%s"', async (prefix, beginning) => {
    const { status, text } = await server.ask(`${prefix}/try`);
    expect(status).toBe(200);
    expect(text).toContain('data-page="try-it"');
    expect(text).toContain(`<form method="get" action="${beginning}">`);
    expect(text).not.toContain('<script');
  });

  it('has a labeled field for every setting of the URL, with the networks and users of the tenant', async () => {
    const { text } = await server.ask('/try');
    const names = [...text.matchAll(/<(?:input|select) id="(\w+)" name="(\w+)"/g)].map(([, id, name]) => {
      expect(id).toBe(name);
      expect(text).toContain(`<label for="${id}">`);
      return name;
    });
    expect(names).toEqual([
      'user',
      'os',
      'browser',
      'surface',
      'deviceId',
      'network',
      'mfaMethod',
      'mfaProvider',
      'mfaCompleted',
      'sso',
      'registeredThisSession',
      'registrationBlocked',
      'conditionMet',
      'termsOfUse',
      'customControls',
    ]);
    expect(text).toContain('<option value="ada@example.test">');
    expect(text).not.toContain('<b>moon</b>');
  });

  it('is linked from the first page of the server and accepts only GET', async () => {
    expect((await server.ask('/')).text).toContain('href="/try"');
    expect((await server.ask(`/s/${otherSandboxId}`)).text).toContain(`href="/s/${otherSandboxId}/try"`);
    const refused = await server.ask('/try', { method: 'POST', headers: formType, body: '' });
    expect([refused.status, refused.headers['allow'], errorCodeIn(refused)]).toEqual([
      405,
      'GET, HEAD',
      'method-not-allowed',
    ]);
    expect(errorCodeIn(await server.ask('/s/nobody/try'))).toBe('sandbox-not-found');
  });
});

describe('generated sign-in URL', () => {
  it.each([
    ['', 'registration-condition-unmet'],
    ['?network=office', null],
    ['?network=office&registrationBlocked=true', 'registration-blocked'],
    ['?conditionMet=true', null],
    ['?network=office&os=android', 'mobile-not-supported'],
    ['?network=office&surface=oobe', 'unsupported-surface'],
    ['?network=office&mfaProvider=external', 'external-mfa'],
    ['?network=office&mfaCompleted=false', 'mfa-not-completed'],
    ['?network=office&sso=true', 'sso-session'],
    ['?network=office&termsOfUse=true', 'terms-of-use'],
    ['?network=office&customControls=true', 'custom-controls'],
    ['?network=office&registeredThisSession=true', 'registered-this-session'],
  ])('R4, R13: the verdict uses "%s"', async (query, reason) => {
    expect((await verdictAt(query)).reason).toBe(reason);
  });

  it('A36: omitted values are taken from the browser', async () => {
    const headers = {
      'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    };
    expect((await verdictAt('?network=office', headers)).attempt).toMatchObject({ os: 'macos', browser: 'firefox' });
    const { attempt } = await verdictAt('?network=office&os=linux', headers, `/s/${otherSandboxId}`);
    expect(attempt).toMatchObject({ os: 'linux', browser: 'firefox' });
  });

  it('requests client hints from the browser and fills in the given user', async () => {
    const { headers, text } = await server.ask('/sign-in?user=ada@example.test&os=ios');
    expect(headers['accept-ch']).toContain('Sec-CH-UA-Platform');
    expect(text).toContain('value="ada@example.test"');
    expect(pageIn({ status: 200, headers, text }).forms[0]?.address).toBe('/sign-in?user=ada@example.test&os=ios');
  });

  it.each([
    ['?os=beos', /query\.os.*android/],
    ['?sso=perhaps', /query\.sso/],
    ['?oss=ios', /unknown key/],
    ['?os=<script>alert(1)</script>', /query\.os/],
    ['?network=moon', /moon.*office/],
  ])(
    'bad-request: "%s" shows a page that names the parameter, before a username is entered',
    async (query, message) => {
      const before = server.sandbox.entryCount;
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? { body: 'username=ada@example.test' } : {};
        const answer = await server.ask(`/sign-in${query}`, { method, headers: formType, ...body });
        expect([answer.status, errorCodeIn(answer)]).toEqual([400, 'bad-request']);
        expect(answer.text).toMatch(message);
        expect(answer.text).not.toContain('<script>alert');
      }
      expect(server.sandbox.entryCount).toBe(before);
    },
  );

  it('bad-request: a network that the tenant does not define starts no sign-in', async () => {
    const before = server.sandbox.entryCount;
    const answer = await server.ask('/sign-in?network=mars', {
      method: 'POST',
      headers: formType,
      body: 'username=ada@example.test',
    });
    expect([answer.status, errorCodeIn(answer)]).toEqual([400, 'bad-request']);
    expect(answer.text).toContain('office');
    expect(server.sandbox.entryCount).toBe(before);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpDriver } from '../../../src/scenario/drivers/http.driver.ts';
import { FixtureLibrary } from '../../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../../src/scenario/load.ts';
import { runSuite } from '../../../src/scenario/run-suite.ts';
import { scenarioFiles } from '../../../src/scenario/scenario-files.ts';

const top = join(import.meta.dirname, '../../..');

interface Watched {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Connections, name lookups and programs that the server has reported. */
  readonly reports: () => readonly string[];
}

async function watchedServer(): Promise<Watched> {
  const argv = [
    '--import',
    join(import.meta.dirname, 'outgoing-watch.ts'),
    join(top, 'src/cli/main.ts'),
    'serve',
    '--port',
    '0',
    '--json',
  ];
  const child = spawn(process.execPath, argv, { cwd: top, env: {} });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += String(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').once('data', (text) => resolve(String(text)));
  child.once('exit', () => reject(new Error(`The server ended: ${errors}`)));
  const { baseUrl } = JSON.parse(await promise) as { baseUrl: string };
  return { child, baseUrl, reports: () => errors.split('\n').filter((line) => line.startsWith('OUTGOING')) };
}

let watched: Watched;

beforeAll(async () => {
  watched = await watchedServer();
}, 60_000);

afterAll(() => void watched.child.kill());

/** URL outside the server that nothing may request. */
const outside = 'http://169.254.169.254/latest/meta-data';

describe('no request leaves the server', { timeout: 240_000 }, () => {
  it('canary: the watch reports a connection that is opened', async () => {
    const hook = join(import.meta.dirname, 'outgoing-watch.ts');
    const program = "await fetch('http://localhost:47999').catch(() => undefined); process.exit(0)";
    const child = spawn(process.execPath, ['--import', hook, '--input-type=module', '--eval', program], { env: {} });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += String(text);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once('close', () => resolve());
    await promise;
    expect(errors).toContain('OUTGOING connection');
  });

  it('none during whole journeys: sign-ins, registrations, policy, lookups and documents', async () => {
    const driver = await HttpDriver.reach(watched.baseUrl);
    const files = scenarioFiles(['scenarios'], top);
    const { scenarios } = loadScenarios(files, new FixtureLibrary([join(top, 'fixtures')]), top);
    const { summary } = await runSuite(scenarios, [driver], { workers: 8, bail: false, repeat: 1, coverage: false });
    expect([summary.passed > 100, summary.failed]).toEqual([true, 0]);
    await driver.close();
    expect(watched.reports()).toEqual([]);
  });

  it('none for a client with URLs in every possible field, nor for its requests', async () => {
    const addresses = {
      redirect_uris: ['https://client.example/callback'],
      jwks_uri: outside,
      sector_identifier_uri: outside,
      logo_uri: outside,
      policy_uri: outside,
      tos_uri: outside,
      client_uri: outside,
      backchannel_logout_uri: outside,
      initiate_login_uri: outside,
      request_uris: [outside],
    };
    const json = { 'content-type': 'application/json' };
    for (const more of [
      {},
      { token_endpoint_auth_method: 'private_key_jwt' },
      { subject_type: 'pairwise' },
      { request_object_signing_alg: 'ES256' },
      { id_token_encrypted_response_alg: 'ECDH-ES', id_token_encrypted_response_enc: 'A256GCM' },
      { software_statement: 'a.b.c' },
    ]) {
      const registered = await fetch(`${watched.baseUrl}/oauth2/register`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ ...addresses, ...more }),
      });
      const { client_id: id = 'none' } = (await registered.json()) as { client_id?: string };
      const assertion = `${Buffer.from(JSON.stringify({ alg: 'ES256', jku: outside, x5u: outside })).toString('base64url')}.e30.AAAA`;
      await fetch(`${watched.baseUrl}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: id,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        }),
      });
      for (const query of [{ request_uri: outside }, { request: assertion }, { id_token_hint: assertion }]) {
        const parameters = new URLSearchParams({ client_id: id, response_type: 'code', scope: 'openid', ...query });
        await fetch(`${watched.baseUrl}/oauth2/authorize?${parameters}`, { redirect: 'manual' });
        await fetch(`${watched.baseUrl}/oauth2/end_session?${parameters}`, { redirect: 'manual' });
      }
    }
    const authorization = `Bearer ${Buffer.from(JSON.stringify({ alg: 'ES256', jku: outside, x5u: outside })).toString('base64url')}.e30.AAAA`;
    for (const path of ['/v1.0/policies/authenticationMethodsPolicy', '/oauth2/userinfo', '/api/v1/document/1/']) {
      await fetch(`${watched.baseUrl}${path}`, { headers: { authorization } });
    }
    const foreignClient = new URLSearchParams({ client_id: outside, response_type: 'code', redirect_uri: outside });
    await fetch(`${watched.baseUrl}/oauth2/authorize?${foreignClient}`, { redirect: 'manual' });
    expect(watched.reports()).toEqual([]);
  });

  it('none for a PDF, a brand, a name or a lookup that contains a URL', async () => {
    const control = `${watched.baseUrl}/_control/v1/sandboxes/default`;
    const pdf = readFileSync(join(top, 'fixtures/documents/pdfkit-catalogue.pdf'));
    const action = `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${outside})>>/AA<</WC<</S/SubmitForm/F(${outside})>>>>>>`;
    const remote = Buffer.from(
      `%PDF-1.7\n1 0 obj${action}endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n4 0 obj<</Length 0/F<</FS/URL/F(${outside})>>>>stream\n\nendstream endobj\ntrailer<</Root 1 0 R>>\n`,
    );
    for (const bytes of [pdf, remote]) {
      const sent = await fetch(`${control}/document-uploads`, {
        method: 'POST',
        headers: { 'content-type': 'application/pdf' },
        body: new Uint8Array(bytes),
      });
      await sent.text();
    }
    const json = { 'content-type': 'application/json' };
    const branding = { name: outside, logo: outside };
    await fetch(`${control}/tenant/settings`, { method: 'PATCH', headers: json, body: JSON.stringify({ branding }) });
    await fetch(
      `${watched.baseUrl}/api/v2/?${new URLSearchParams({ type: 'username', query: outside, tool: 'all' })}`,
      { headers: { authorization: 'Bearer test-token' } },
    );
    await fetch(`${watched.baseUrl}/sign-in?${new URLSearchParams({ user: outside, network: outside })}`);
    expect(watched.reports()).toEqual([]);
  });
});

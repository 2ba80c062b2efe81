import { describe, expect, it } from 'vitest';
import { CookieJar } from '../../src/scenario/drivers/http/cookie-jar.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../src/scenario/drivers/http/http-client.ts';
import { NavigationClient } from '../../src/scenario/drivers/http/navigation-client.ts';
import { ScenarioEvidence } from '../../src/scenario/evidence.ts';
import { addJournal } from '../../src/scenario/journal-evidence.ts';
import { YamlSource } from '../../src/scenario/yaml-source.ts';
import { createSandbox, signIn } from '../journal/signing-in.ts';

type Answers = Readonly<Record<string, Partial<HttpAnswer>>>;

/** Creates a connection that returns responses by URL and records the requests. */
function lineTo(answers: Answers) {
  const sent: HttpRequest[] = [];
  const client = {
    send: async (request: HttpRequest): Promise<HttpAnswer> => {
      sent.push(request);
      return { status: 200, headers: {}, text: '', ...answers[request.url] };
    },
  } as unknown as HttpClient;
  return { line: new NavigationClient(client, new CookieJar()), sent };
}

const base = 'http://localhost:4700';
const to = (location: string, status = 302) => ({ status, headers: { location } });

describe('navigation of the http driver', () => {
  it.for([300, 301, 302, 303, 307, 308, 399])(
    'a redirect with status %i is followed with GET and without its body',
    async (status) => {
      const { line, sent } = lineTo({ [`${base}/a`]: to('/b?c=d', status) });
      const request = { method: 'POST', url: `${base}/a`, body: 'x=1', headers: { 'x-a': 'b' } } as const;
      expect(await line.send(request, null)).toEqual({
        response: { status: 200, headers: {}, text: '' },
        url: `${base}/b?c=d`,
      });
      expect(sent.map(({ method, url, body, headers }) => [method, url, body, headers])).toEqual([
        ['POST', `${base}/a`, 'x=1', { 'x-a': 'b' }],
        ['GET', `${base}/b?c=d`, undefined, {}],
      ]);
    },
  );

  it.for([200, 201, 299, 400, 404, 500])(
    'a response with status %i is not a redirect, even with a location',
    async (status) => {
      const { line, sent } = lineTo({ [`${base}/a`]: to('/b', status) });
      expect((await line.send({ method: 'GET', url: `${base}/a` }, null)).url).toBe(`${base}/a`);
      expect(sent).toHaveLength(1);
      expect(
        (await lineTo({ [`${base}/a`]: { status: 302 } }).line.send({ method: 'GET', url: `${base}/a` }, null)).url,
      ).toBe(`${base}/a`);
    },
  );

  it('cookies set by responses, including redirects, are sent with later requests', async () => {
    const { line, sent } = lineTo({
      [`${base}/a`]: { status: 302, headers: { location: '/b', 'set-cookie': ['one=1', 'two=2; Path=/elsewhere'] } },
      [`${base}/b`]: { headers: { 'set-cookie': 'three=3' } },
    });
    await line.send({ method: 'GET', url: `${base}/a` }, null);
    await line.send({ method: 'GET', url: `${base}/c`, headers: { accept: '*/*' } }, null);
    expect(sent.map(({ headers }) => headers)).toEqual([
      {},
      { cookie: 'one=1' },
      { accept: '*/*', cookie: 'one=1; three=3' },
    ]);
  });

  it('navigation ends at a URL of the application and does not request it', async () => {
    const { line, sent } = lineTo({ [`${base}/a`]: to('https://app.test/callback?code=1') });
    const landed = await line.send({ method: 'GET', url: `${base}/a` }, 'https://app.test/callback');
    expect(landed).toMatchObject({
      url: 'https://app.test/callback?code=1',
      arrived: true,
      response: { status: 302 },
    });
    expect(sent).toHaveLength(1);
    const other = await lineTo({ [`${base}/a`]: to('/b') }).line.send(
      { method: 'GET', url: `${base}/a` },
      'https://app.test/',
    );
    expect(other).not.toHaveProperty('arrived');
  });

  it('driver-failed: navigation stops after twelve redirects', async () => {
    const circle = lineTo({ [`${base}/a`]: to('/b'), [`${base}/b`]: to('/a') });
    await expect(circle.line.send({ method: 'GET', url: `${base}/a` }, null)).rejects.toMatchObject({
      code: 'driver-failed',
    });
    expect(circle.sent).toHaveLength(12);
    const chain = Object.fromEntries(Array.from({ length: 11 }, (_, step) => [`${base}/${step}`, to(`/${step + 1}`)]));
    expect((await lineTo(chain).line.send({ method: 'GET', url: `${base}/0` }, null)).url).toBe(`${base}/11`);
  });
});

describe('evidence of a scenario', () => {
  it('without a journal no lifecycle transition is observed, and with a journal every transition is', async () => {
    const sandbox = await createSandbox();
    await signIn(sandbox);
    const [blind, watched] = [new ScenarioEvidence(), new ScenarioEvidence()];
    addJournal(blind, null);
    addJournal(watched, await sandbox.journal({ after: 0, limit: 100 }));
    expect([blind.toData().blind, blind.toData().transitions]).toEqual([true, []]);
    const { transitions, blind: isBlind } = watched.toData();
    expect([isBlind, transitions.length]).toEqual([false, 1]);
    expect(ScenarioEvidence.ofData(watched.toData()).toData()).toEqual(watched.toData());
  });
});

describe('locations of YAML keys', () => {
  it('a missing key has the location of its parent', () => {
    const source = new YamlSource('a.yaml', '7: 1\nb: 1\nc:\n  - d: 1\n');
    expect([source.keyPlace(['c']), source.keyPlace(['c', 0, 'd'])]).toEqual(['a.yaml:3:1', 'a.yaml:4:5']);
    expect([source.keyPlace(['none']), source.keyPlace(['c', 0])]).toEqual(['a.yaml:1:1', 'a.yaml:4:5']);
  });
});

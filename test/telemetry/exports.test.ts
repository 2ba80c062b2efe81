import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { getTelemetry } from '../../src/core/telemetry.ts';
import { CookieJar } from '../../src/scenario/drivers/http/cookie-jar.ts';
import { HttpClient } from '../../src/scenario/drivers/http/http-client.ts';
import { NavigationClient } from '../../src/scenario/drivers/http/navigation-client.ts';
import { parseOutput, runHere, testContext } from '../cli/command-context.ts';
import { suiteFolder } from '../cli/suite-folder.ts';
import { type Collector, startCollector } from './collector.ts';
import type { ReceivedSpan } from './otlp-messages.ts';

/** Sets the variables for the command and for the packages of the SDK, which read the environment of the process. */
function exportTo({ url }: Collector, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50', ...more };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return env;
}

/** Runs `serve`, uses it, and stops it, so everything was exported. Returns the exit code and the log. */
async function served(
  env: Record<string, string>,
  use: (baseUrl: string) => Promise<unknown>,
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly log: readonly Record<string, unknown>[]; readonly stderr: string }> {
  const context = testContext({ cwd: suiteFolder({}), env });
  const argv = ['serve', '--port', '0', '--json', '--users', 'sms-user', '--log-level', 'info', ...options];
  const ended = runProgram(argv, context);
  try {
    await Promise.race([context.stdout.until((text) => text.includes('\n')), ended]);
    await use((JSON.parse(context.stdout.text) as { baseUrl: string }).baseUrl);
  } finally {
    context.stop();
    await ended;
  }
  const lines = context.stderr.text.split('\n').filter((line) => line.startsWith('{'));
  const log = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code: await ended, log, stderr: context.stderr.text };
}

const policyPath = '/v1.0/policies/authenticationMethodsPolicy';
const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

function spanNamed(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`${name} is none of ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

describe('exports of OpenTelemetry', () => {
  it('a request is a span named by its route that continues traceparent, on the clock of the machine', async () => {
    const collector = await startCollector();
    const env = exportTo(collector, {
      OTEL_SERVICE_NAME: 'lab',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=ci',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a',
    });
    const beganMs = performance.timeOrigin + performance.now();
    const { code, log } = await served(
      env,
      (baseUrl) => fetch(`${baseUrl}${policyPath}`, { headers: { traceparent } }),
      '--clock',
      '2031-01-01T00:00:00Z',
      '--frozen',
    );
    const endedMs = performance.timeOrigin + performance.now();
    expect(code).toBe(0);
    const span = spanNamed(collector.spans, `GET ${policyPath}`);
    expect(span).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId, kind: 2, status: 0 });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 401,
      'http.route': policyPath,
      'network.protocol.version': '1.1',
      'nudgelab.sandbox': 'default',
      'url.path': policyPath,
      'url.scheme': 'http',
    });
    expect(span.resource).toMatchObject({ 'service.name': 'lab', 'deployment.environment.name': 'ci' });
    expect(span.startMs).toBeGreaterThanOrEqual(beganMs - 1);
    expect(span.endMs).toBeGreaterThan(span.startMs);
    expect(span.endMs).toBeLessThanOrEqual(endedMs + 1);
    expect(collector.requests[0]?.headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'x-tenant': 'a' });
    expect(log.find(({ route }) => route === policyPath)).toMatchObject({
      trace_id: parent.traceId,
      span_id: span.spanId,
    });
  });

  it.for([
    ['00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
    ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01'],
    ['text'],
  ])('the invalid traceparent %s starts a new trace', async ([given]) => {
    const collector = await startCollector();
    const headers = { traceparent: given ?? '' };
    await served(exportTo(collector), (baseUrl) => fetch(`${baseUrl}${policyPath}`, { headers }));
    const span = spanNamed(collector.spans, `GET ${policyPath}`);
    expect(span.parentSpanId).toBe('');
    expect(span.traceId).not.toBe(parent.traceId);
  });

  it('a trace that its caller does not sample is not exported', async () => {
    const collector = await startCollector();
    const headers = { traceparent: traceparent.replace(/01$/, '00') };
    const { log } = await served(exportTo(collector), async (baseUrl) => {
      await fetch(`${baseUrl}${policyPath}`, { headers });
      await fetch(`${baseUrl}/sign-in`);
    });
    expect(collector.spans.map(({ name }) => name)).toEqual(['GET /sign-in']);
    expect(log.find(({ route }) => route === policyPath)).toMatchObject({ trace_id: parent.traceId });
  });

  it('metrics have the figures of the server at the end', async () => {
    const collector = await startCollector();
    await served(exportTo(collector), async (baseUrl) => {
      for (let count = 0; count < 3; count += 1) await fetch(`${baseUrl}/sign-in`);
    });
    const point = collector.points.find(({ attributes }) => attributes['http.route'] === '/sign-in');
    expect(point).toMatchObject({ name: 'http.server.request.duration', unit: 's', kind: 'histogram', value: 3 });
    expect(point?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/sign-in',
      'url.scheme': 'http',
    });
    expect(point?.sum).toBeGreaterThan(0);
  });

  it('the redirects and forms of one sign-in continue the trace of its first request', async () => {
    const collector = await startCollector();
    await served(
      exportTo(collector),
      async (baseUrl) => {
        const query = new URLSearchParams({
          client_id: 'browser-app',
          redirect_uri: 'http://localhost:9/callback',
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        });
        const http = new HttpClient();
        const pages = new NavigationClient(http, new CookieJar());
        const { url, response } = await pages.send(
          { method: 'GET', url: `${baseUrl}/oauth2/authorize?${query}`, headers: { traceparent } },
          null,
        );
        const form = /<form[^>]*action="([^"]*)"/.exec(response.text)?.[1]?.replaceAll('&#61;', '=') ?? '';
        await pages.send(
          {
            method: 'POST',
            url: new URL(form, url).href,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ name: 'nobody', username: 'nobody' }).toString(),
          },
          null,
        );
        await http.close();
      },
      '--clients',
      'browser-app',
    );
    const ofPages = collector.spans.filter(({ name }) => /authorize|sign-in/.test(name));
    expect(ofPages.map(({ name }) => name)).toEqual(['GET /oauth2/authorize', 'GET /sign-in', 'POST /sign-in']);
    const [first] = ofPages;
    expect(first?.parentSpanId).toBe(parent.spanId);
    for (const { traceId } of ofPages) expect(traceId).toBe(parent.traceId);
    expect(ofPages.slice(1).map(({ parentSpanId }) => parentSpanId)).toEqual([first?.spanId, first?.spanId]);
  });

  it('a sign-in at the page is one trace, also if its sandbox was created again with the same id', async () => {
    const collector = await startCollector();
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await served(exportTo(collector), async (baseUrl) => {
      const sandboxes = `${baseUrl}/_control/v1/sandboxes`;
      const users = [{ id: 'ada', methods: ['sms'] }];
      for (const round of [1, 2]) {
        if (round === 2) await fetch(`${sandboxes}/again`, { method: 'DELETE' });
        await fetch(sandboxes, { method: 'POST', headers: json, body: JSON.stringify({ id: 'again', users }) });
        const body = 'username=ada%40example.test';
        const first = await fetch(`${baseUrl}/s/again/sign-in`, { method: 'POST', headers: form, body });
        const action = /action="([^"]+)"/.exec(await first.text())?.[1] ?? '';
        const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
        await fetch(`${baseUrl}${action}`, { headers: { cookie } });
      }
    });
    const pages = collector.spans.filter(({ name }) => name.includes('/sign-in'));
    const names = ['POST /s/:sandbox/sign-in', 'GET /s/:sandbox/sign-in/:signIn'];
    expect(pages.map(({ name }) => name)).toEqual([...names, ...names]);
    const [first, second, third, fourth] = pages.map(({ traceId }) => traceId);
    expect(second).toBe(first);
    expect(fourth).toBe(third);
    expect(third).not.toBe(first);
  });

  it('run: a scenario is a trace from its request over the deciding rule to the commit, and the reports name it', async () => {
    const collector = await startCollector();
    const cwd = suiteFolder({
      'scenarios/skips.yaml': [
        'name: A third skip is the last one',
        'covers: []',
        'given:',
        '  tenant: app-enabled',
        '  users: { ada: sms-user, bob: push-user }',
        'steps:',
        '  - signIn: { user: ada }',
        '    expect: { outcome: skippable }',
        '  - signIn: { user: bob }',
        '    expect: { outcome: none }',
        '',
      ].join('\n'),
    });
    const argv = ['run', 'scenarios', '--driver', 'http', '--json', '--report', 'report'];
    const ended = await runHere(argv, { cwd, env: exportTo(collector) });
    const { results } = parseOutput(ended) as { readonly results: readonly { readonly traceId?: string }[] };
    const traceId = results[0]?.traceId;
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    const [junit, page] = ['junit.xml', 'report.html'].map((name) => readFileSync(join(cwd, 'report', name), 'utf8'));
    expect(junit).toContain(`trace_id=${traceId}`);
    expect(page).toContain(`Trace <code>${traceId}</code>`);
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const root = spanNamed(spans, 'scenario scenarios/skips.yaml');
    expect(root).toMatchObject({ kind: 1, parentSpanId: '' });
    const [evaluation, stopped] = spans.filter(({ name }) => name.startsWith('evaluate '));
    expect(evaluation?.name).toBe('evaluate prompt');
    expect(evaluation?.attributes).toMatchObject({ 'nudgelab.verdict.outcome': 'skippable' });
    expect(stopped?.name).toBe('evaluate R10.1');
    expect(stopped?.attributes).toMatchObject({
      'nudgelab.verdict.outcome': 'none',
      'nudgelab.verdict.rule': 'R10.1',
    });
    const request = spans.find(({ spanId }) => spanId === evaluation?.parentSpanId);
    expect(request).toMatchObject({ kind: 2, parentSpanId: root.spanId });
    const commits = spans.filter(({ name }) => name.startsWith('commit '));
    expect(commits.map(({ parentSpanId }) => parentSpanId)).toContain(request?.spanId);
    // Random ids can contain these letters, so only names and attributes are searched.
    expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toMatch(/ada|bob/i);
    expect(getTelemetry()).toBeNull();
  });

  it('a collector that is not there is reported once and changes no exit code', async () => {
    const env = exportTo({ url: 'http://127.0.0.1:9' } as Collector, { OTEL_EXPORTER_OTLP_TIMEOUT: '300' });
    const { code, stderr } = await served(env, async (baseUrl) => {
      for (let count = 0; count < 3; count += 1) await fetch(`${baseUrl}/sign-in`);
    });
    expect(code).toBe(0);
    expect(stderr.split('Traces or metrics could not be exported to http://127.0.0.1:9/;')).toHaveLength(2);
  });

  it('usage-invalid: an unsupported protocol ends the command before it starts', async () => {
    const env = exportTo({ url: 'http://127.0.0.1:9' } as Collector, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    const ended = await runHere(['serve', '--port', '0'], { cwd: suiteFolder({}), env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('OTEL_EXPORTER_OTLP_PROTOCOL');
  });
});

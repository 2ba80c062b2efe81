import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCollector } from './collector.ts';

const program = fileURLToPath(new URL('../../tooling/nudgelab.js', import.meta.url));

/** Writes the name of every package of OpenTelemetry that the process loads to standard error. */
const probe =
  'data:text/javascript,import{registerHooks}from"node:module";registerHooks({load(url,context,next){' +
  'const found=/node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url);if(found)process.stderr.write("loaded "+found[1]+"\\n");' +
  'return next(url,context)}});';

/** Runs `serve` in its own process, requests a page, stops it, and returns its exit code and its output. */
async function serveOnce(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [`--import=${probe}`, program, 'serve', '--port', '0', '--json'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString('utf8');
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl } = JSON.parse(line) as { readonly baseUrl: string };
  const { status } = await fetch(`${baseUrl}/sign-in`);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, status, stderr };
}

describe('packages of OpenTelemetry', () => {
  it('none is loaded without variables, and the parts of the SDK are loaded with them', async () => {
    const without = await serveOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
    expect(without).toMatchObject({ code: 0, status: 200 });
    expect(without.stderr).not.toContain('loaded ');
    const { url, spans } = await startCollector();
    const exported = await serveOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(exported).toMatchObject({ code: 0, status: 200 });
    expect(exported.stderr).toContain('loaded @opentelemetry/sdk-trace');
    expect(spans.map(({ name }) => name)).toContain('GET /sign-in');
  });

  it.for([[{}], [{ OTEL_EXPORTER_OTLP_TIMEOUT: '3600000' }]])(
    'a collector that never responds is reported, and does not keep the server from ending with %j',
    async ([more]) => {
      const { url, requests } = await startCollector({ silent: true });
      const ended = await serveOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more });
      expect(ended).toMatchObject({ code: 0, status: 200 });
      expect(requests.length).toBeGreaterThan(0);
      expect(ended.stderr).toContain('could not be exported');
    },
  );
});

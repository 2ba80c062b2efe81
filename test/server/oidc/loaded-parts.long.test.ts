import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../../tooling/nudgelab.js', import.meta.url));

/** Writes the loaded parts of Node.js and the size of the young generation to standard error when the process ends. */
const probe =
  'data:text/javascript,import v8 from"node:v8";process.on("exit",()=>{' +
  'const young=v8.getHeapSpaceStatistics().find((space)=>space.space_name==="new_space").space_size;' +
  'process.stderr.write(JSON.stringify({parts:process.moduleLoadList,young})+"\\n")});';

const bytesPerMib = 1024 * 1024;
const body = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: 'test-service',
  client_secret: 'test-secret',
});

/** Runs `serve` in its own process, requests one token, stops it, and returns what it had loaded. */
async function serveOneToken(flags: readonly string[] = []) {
  const child = spawn(process.execPath, [...flags, `--import=${probe}`, program, 'serve', '--port', '0', '--json'], {
    env: { ...process.env, NODE_OPTIONS: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString('utf8');
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl } = JSON.parse(line) as { readonly baseUrl: string };
  const response = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body });
  const text = await response.text();
  child.kill('SIGTERM');
  await once(child, 'close');
  const written = stderr.split('\n').find((part) => part.startsWith('{')) ?? '{}';
  const { parts, young } = JSON.parse(written) as { readonly parts: readonly string[]; readonly young: number };
  return { response, text, parts, youngMib: young / bytesPerMib };
}

describe('process of a server that has issued a token', () => {
  it('has not loaded the fetch API, and its young generation has two halves of 4 MiB', async () => {
    const { response, text, parts, youngMib } = await serveOneToken();
    expect(parts).toContain('NativeModule http');
    expect(parts.filter((part) => part.includes('undici'))).toEqual([]);
    expect(youngMib).toBe(8);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  });

  it('a flag of the user for the young generation takes precedence', async () => {
    const { youngMib } = await serveOneToken(['--max-semi-space-size=1']);
    expect(youngMib).toBe(2);
  });
});

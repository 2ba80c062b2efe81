import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseOutput, runHere } from '../cli/command-context.ts';
import { suiteFolder } from '../cli/suite-folder.ts';
import { startCollector } from './collector.ts';

describe('traces of a browser', () => {
  it('run: requests of pages in a browser belong to the trace of their scenario', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const cwd = suiteFolder({
      'scenarios/prompted.yaml': [
        'name: A user without the app is prompted',
        'covers: []',
        'given:',
        '  tenant: app-enabled',
        '  users: { ada: sms-user }',
        'steps:',
        '  - signIn: { user: ada }',
        '    expect: { outcome: skippable }',
        '',
      ].join('\n'),
    });
    const ended = await runHere(['run', 'scenarios', '--driver', 'browser', '--json'], { cwd, env });
    const { results } = parseOutput(ended) as { readonly results: readonly { readonly traceId?: string }[] };
    const own = collector.spans.filter(({ traceId }) => traceId === results[0]?.traceId);
    expect(own.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['scenario scenarios/prompted.yaml', 'GET /s/:sandbox/sign-in', 'evaluate prompt']),
    );
  });
});

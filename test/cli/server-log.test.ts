import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DriverStopwatch } from '../../src/cli/run/driver-times.ts';
import { type LogLevel, openLog } from '../../src/cli/serve/server-log.ts';
import { RecordedSink } from './command-context.ts';

const answered = { id: 'request-1', sandbox: null, method: 'GET', route: '/sign-in', status: 200, ms: 1.5 };
const fault = (error: unknown) => ({ method: 'GET', route: '/api/v2', error }) as never;

/** Logs an error at a level, with secret texts to redact, and returns the written lines. */
async function lines(logLevel: LogLevel, error: unknown, secrets: readonly string[] = []) {
  const stderr = new RecordedSink();
  const log = await openLog({ logLevel, log: null }, { stderr, cwd: '/' }, secrets);
  log.answered?.(answered);
  log.happened('ready');
  log.finding({ sandbox: 'default', message: 'Origin https://hunter2.example is not allowed.' });
  log.fault(fault(error));
  await log.close();
  return stderr.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('server log', () => {
  it.for([
    ['info', ['request', 'ready', 'finding', 'fault']],
    ['warn', ['finding', 'fault']],
    ['error', ['fault']],
    ['silent', []],
  ] as const)('the level %s logs the messages %j', async ([level, messages]) => {
    const written = await lines(level, 'gone');
    expect(written.map(({ msg }) => msg)).toEqual(messages);
  });

  it('a line contains its time and level, and no process id or host name', async () => {
    const [request, , finding, failure] = await lines('info', 'gone', ['hunter2']);
    expect(request).toEqual({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), ...answered, msg: 'request' });
    expect(finding).toEqual({
      level: 'warn',
      time: expect.any(String),
      sandbox: 'default',
      finding: 'Origin https://[redacted].example is not allowed.',
      msg: 'finding',
    });
    expect(failure).toEqual({
      level: 'error',
      time: expect.any(String),
      method: 'GET',
      route: '/api/v2',
      error: 'gone',
      msg: 'fault',
    });
  });

  it('a failure is logged with a truncated stack trace and without secrets, email addresses and tokens', async () => {
    const [, line] = await lines('warn', new Error('for ada.l+x%y@mail-1.example.test with hunter2 and password=abc'), [
      'hunter2',
    ]);
    expect(line?.['error']).toMatch(/^Error: for \[redacted\] with \[redacted\] and password=\[redacted\]\n +at /);
    const [, long] = await lines('warn', 'x'.repeat(9_000));
    expect(String(long?.['error'])).toHaveLength(8_192);
  });

  it('a log file is appended to, and is readable only by its owner', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-log-'));
    for (const event of ['first', 'second']) {
      const log = await openLog({ logLevel: 'info', log: 'server.log' }, { stderr: new RecordedSink(), cwd }, []);
      log.happened(event);
      await log.close();
    }
    const text = readFileSync(join(cwd, 'server.log'), 'utf8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    ).toEqual(['first', 'second']);
    expect(statSync(join(cwd, 'server.log')).mode & 0o777).toBe(0o600);
  });

  it('file-unreadable: a log that cannot be written exits with 2', async () => {
    const opening = openLog(
      { logLevel: 'warn', log: 'none/server.log' },
      { stderr: new RecordedSink(), cwd: tmpdir() },
      [],
    );
    await expect(opening).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});

describe('driver times', () => {
  it('the time of a driver is measured from the end of the previous driver', () => {
    let nowMs = 0;
    const stopwatch = new DriverStopwatch(() => nowMs);
    for (const [driver, atMs] of [
      ['model', 10],
      ['model', 30],
      ['http', 100],
      ['browser', 450],
    ] as const) {
      nowMs = atMs;
      stopwatch.note({ driver } as never);
    }
    nowMs = 900;
    expect([...stopwatch.times()]).toEqual([
      ['model', 30],
      ['http', 70],
      ['browser', 350],
    ]);
    expect([...new DriverStopwatch(() => 5).times()]).toEqual([]);
  });
});

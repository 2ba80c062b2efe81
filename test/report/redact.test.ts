import { describe, expect, it } from 'vitest';
import { Redactor } from '../../src/report/redact.ts';
import { runHere } from '../cli/command-context.ts';
import { passing, suiteFolder } from '../cli/suite-folder.ts';
import { nonEmpty } from '../non-empty.ts';
import { sampleReport } from './sample-report.ts';

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';

describe('redaction', () => {
  it.each([
    [{ password: 'correct horse' }],
    [{ Authorization: 'Bearer abc' }],
    [{ access_token: 'abc' }],
    [{ 'set-cookie': 'a=b' }],
    [{ clientSecret: 'abc' }],
    [{ passcode: 12 }],
    [{ code: '123456' }],
    [{ formToken: 'abc' }],
    [{ deep: [{ refreshToken: { a: 1 } }] }],
  ])('redacts the value of a secret key in %j', (value) => {
    const clean = JSON.stringify(new Redactor().value(value));
    expect(clean).toContain('[redacted]');
    expect(clean).not.toMatch(/horse|abc|a=b|12|"a":1/);
  });

  it.each([
    [{ code: 'badRequest' }],
    [{ authenticationMode: 'any', passkeys: [{ type: 'keychain' }] }],
    [{ status: 409, nowMs: 1_234_567 }],
    [{ token: null, hasPassword: true }],
    ['Send a bearer token that this sandbox issued.'],
  ])('%j contains no secret', (value) => {
    expect(new Redactor().value(value)).toEqual(value);
  });

  it.each([
    `The answer held ${token} and more`,
    'GET /sign-in?form_token=abcdef failed',
    'Bearer abcdefghijklmnop1234 was refused',
    'password=hunter2&next=1',
    'code=123456',
    'nudgelab run a.yaml --url http://ada:hunter2@localhost:1',
  ])('redacts a secret inside a text: %s', (text) => {
    const clean = new Redactor().text(text);
    expect(clean).toContain('[redacted]');
    expect(clean).not.toMatch(/eyJ|abcdef|hunter2|123456/);
  });

  it.each([
    [`held ${token} and`, 'held [redacted] and'],
    [`id-${token}.d`, 'id-[redacted].d'],
    ['a.eyJabcdefgh.b', 'a.eyJabcdefgh.b'],
    ['eyJabcdefgh.b.', '[redacted]'],
    ['eyJabcdefgh..c', 'eyJabcdefgh..c'],
    ['GET /x?form_token=abc&next=1', 'GET /x?form_token=[redacted]&next=1'],
    ['secret=a b', 'secret=[redacted] b'],
    ["'passcode=abc'", "'passcode=[redacted]'"],
    ['Password=abc', 'Password=[redacted]'],
    ['code=123456&a', 'code=[redacted]&a'],
    ['code=12345', 'code=12345'],
    ['code=123456789', 'code=123456789'],
    ['barcode=123456', 'barcode=123456'],
    ['https://ada:pw@host/x and http://b@c', 'https://[redacted]@host/x and http://[redacted]@c'],
    ['https://host/a@b', 'https://host/a@b'],
    ['Bearer abcdefghijklmnop and Bearer short', 'Bearer [redacted] and Bearer short'],
    ['Bearer abcdefghijklmno', 'Bearer abcdefghijklmno'],
    ['Bearer abcdefghijklmnop==.', 'Bearer [redacted].'],
    ['A bearer tells', 'A bearer tells'],
  ])('the text %s becomes %s', (text, clean) => {
    expect(new Redactor().text(text)).toBe(clean);
  });

  it('configured keys and values are secret, but values only as whole words', () => {
    const redactor = new Redactor({ keys: ['X-Tenant'], values: ['123456', 'a.b'] });
    expect(redactor.value({ 'x-tenant': 'ours', y: 'ours' })).toEqual({ 'x-tenant': '[redacted]', y: 'ours' });
    expect(redactor.text('123456 and 1234567 and x123456, a.b and axb')).toBe(
      '[redacted] and 1234567 and x123456, [redacted] and axb',
    );
  });

  it('observed values, messages, and commands of a report are redacted, and everything else is unchanged', () => {
    const dirty = {
      ...sampleReport,
      results: sampleReport.results.map((result) => ({
        ...result,
        ...(result.status === 'passed' ? {} : { message: `password=hunter2 ${token}` }),
        command: `${result.command} --url http://ada:hunter2@localhost:1`,
      })),
    };
    const clean = new Redactor().report(dirty);
    expect(JSON.stringify(clean)).not.toMatch(/hunter2|eyJ|"tok"/);
    expect(clean.results.map(({ id, status, steps }) => [id, status, steps.length])).toEqual(
      dirty.results.map(({ id, status, steps }) => [id, status, steps.length]),
    );
    expect(clean.results[1]?.steps[1]?.mismatches[0]).toEqual({ key: 'status', expected: 204, actual: 400 });
  });

  it('no output of a run contains the passwords or codes of its users', async () => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing.replace('ada: sms-user', 'ada: { password: hunter2, code: "987654" }'),
      'nudgelab.config.mjs': `export default { drivers: { leaky: {
        name: 'leaky', can: new Set(['signIn']), close: async () => undefined,
        open: async ({ plan: { users: [user] } }) => ({
          perform: async () => { throw new Error('I typed ' + user.password + ' and ' + user.code + ' in vain'); },
          verdict: async () => null, nudgeStatus: async () => null, journal: async () => null, close: async () => undefined,
        }),
      } } };`,
    });
    const texts = await Promise.all(
      [['--json'], [], ['--report', 'out']].map((argv) => runHere(['run', '--driver', 'leaky', ...argv], { cwd })),
    );
    for (const { code, stdout } of nonEmpty(texts)) {
      expect({ code, printed: stdout.includes('I typed [redacted] and [redacted] in vain') }).toEqual({
        code: 1,
        printed: true,
      });
      expect(stdout).not.toMatch(/hunter2|987654/);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { failing, passing, suiteFolder } from './suite-folder.ts';

describe('lint', () => {
  it('a suite without problems exits with 0 and prints what was checked, even if a scenario would fail', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': failing });
    const ended = await runHere(['lint', '--json'], { cwd });
    expect({ code: ended.code, ...(parseOutput(ended) as object) }).toMatchObject({
      code: 0,
      scenarios: 1,
      problems: [],
    });
    expect((await runHere(['lint'], { cwd })).stdout).toMatch(/^No problems in 1 scenario and \d\d fixtures/);
  });

  it('scenario-invalid: problems and impossible steps are reported together with their locations', async () => {
    const never = passing.replace('app-enabled', 'disabled').replace('{ page: prompt }', '{ page: not-nudged }');
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing.replace('R1', 'R77'),
      'scenarios/b.yaml': `${never}  - skip: {}\n`,
    });
    const { code, stdout } = await runHere(['lint'], { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^scenarios\/a\.yaml:2:\d+ .*R77/m);
    expect(stdout).toMatch(/^scenarios\/b\.yaml:7\b/m);
    expect(stdout).toMatch(/2 problems/);
  });

  it.each([
    ['fixtures/tenants/a.yaml', 'campaign:\n  state: on\n', 'fixtures/tenants/a.yaml:2:10'],
    ['fixtures/users/a.yaml', '# A fax.\nmethods: [sms, fax]\n', 'fixtures/users/a.yaml:2:16'],
    ['fixtures/users/a.yaml', 'methods: [sms\n', 'fixtures/users/a.yaml:2:1'],
    ['fixtures/users/a.yaml', 'extends: nobody\n', 'fixtures/users/a.yaml:1:1'],
    ['fixtures/tenants/a.yaml', 'extends: a\n', 'fixtures/tenants/a.yaml:1:1'],
    ['fixtures/tenants/a.yaml', '- a list\n', 'fixtures/tenants/a.yaml:1:1'],
    ['fixtures/tenants/a.yaml', 'color: red\n', 'fixtures/tenants/a.yaml:1:1'],
    ['fixtures/clients/a.yaml', 'kind: public\nredirectUris: [nowhere]\n', 'fixtures/clients/a.yaml:2:16'],
    ['fixtures/clients/a.yaml', 'extends: nobody\n', 'fixtures/clients/a.yaml:1:1'],
    ['fixtures/faults/a.yaml', 'kind: push-denied\ntimes: never\n', 'fixtures/faults/a.yaml:2:8'],
    ['fixtures/faults/a.yaml', 'kind: bad-weather\n', 'fixtures/faults/a.yaml:1:7'],
    ['fixtures/lookup/a.yaml', 'color: red\n', 'fixtures/lookup/a.yaml:1:1'],
    ['fixtures/lookup/a.json', '{"extends": "nobody"}', 'fixtures/lookup/a.json:1:1'],
  ])('fixture-invalid: %s with %j is reported at %s', async (path, text, place) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, [path]: text });
    const ended = await runHere(['lint', '--json'], { cwd });
    expect(ended.code).toBe(2);
    expect(parseOutput(ended)).toMatchObject({ problems: [{ location: place }] });
  });

  it('S3: a user who is stated to be capable of MFA without any method is a warning, and the exit code is 0', async () => {
    const users = [
      '    ada: { methods: [], mfaCapable: true }',
      '    ben: { methods: [] }',
      '    cem: { mfaCapable: true }',
      '    dan: { methods: [], mfaCapable: true, passkeys: [{ type: keychain }] }',
      '    eva: { extends: bare }',
      '    fay: { extends: bare, methods: [sms] }',
      '    gus: bare',
    ];
    const cwd = suiteFolder({
      'fixtures/users/bare.yaml': 'methods: []\nmfaCapable: true\n',
      'scenarios/a.yaml': passing
        .replace(
          'given: { tenant: app-enabled, users: { ada: sms-user } }',
          `given:\n  tenant: app-enabled\n  users:\n${users.join('\n')}\n    zoe: sms-user`,
        )
        .replace('user: ada', 'user: zoe'),
    });
    const ended = await runHere(['lint', '--json'], { cwd });
    const { problems, warnings } = parseOutput(ended) as Record<
      string,
      readonly { location: string; message: string }[]
    >;
    expect([ended.code, problems]).toEqual([0, []]);
    expect(warnings?.map(({ location }) => location)).toEqual([
      'fixtures/users/bare.yaml:2:13',
      'scenarios/a.yaml:6:37',
      'scenarios/a.yaml:10:10',
    ]);
    const { stdout, code } = await runHere(['lint'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning fixtures\/users\/bare\.yaml:2:13 mfaCapable is true/m);
    expect(stdout).toMatch(/^No problems in 1 scenario/m);
  });

  it('scenario-invalid: every problem of a file is reported', async () => {
    const text = [
      'name: Much is wrong',
      'covers: [R99, Z1, r6]',
      'given:',
      '  tenant: { extends: app-enabled, campaign: { color: red, snoozeDurationInDays: 15 } }',
      '  users: { ada: sms-user, ben: nobody }',
      'steps:',
      '  - setFaults: [{ kind: bad-weather }]',
      '  - setUser: { user: bob, methods: [sms] }',
      '  - advance: { days: 1e30 }',
      '  - signIn: { user: ada, os: amiga }',
      '    expect: { page: nowhere }',
    ].join('\n');
    const patches = passing.replace('steps:', 'steps:\n  - setUser: { user: ada, methods: [fax] }');
    const cwd = suiteFolder({ 'scenarios/a.yaml': text, 'scenarios/b.yaml': patches });
    const { problems } = parseOutput(await runHere(['lint', '--json'], { cwd })) as {
      problems: { location: string }[];
    };
    const lines = problems.map(({ location }) => location.split(':').slice(0, 2).join(':'));
    const ofFirst = [2, 2, 2, 4, 4, 5, 7, 8, 9, 10, 11].map((line) => `scenarios/a.yaml:${line}`);
    expect(lines.filter((line) => line.startsWith('scenarios/a')).sort()).toEqual(ofFirst.sort());
    expect(lines.filter((line) => line.startsWith('scenarios/b'))).toHaveLength(1);
  });

  it('scenario-invalid: a clock beyond the supported dates is reported before anything runs', async () => {
    const late = passing.replace('steps:', 'steps:\n  - setClock: 9999-12-31\n  - advance: { days: 2 }');
    const ended = await runHere(['lint', '--json'], { cwd: suiteFolder({ 'scenarios/a.yaml': late }) });
    expect({ code: ended.code, ...(parseOutput(ended) as object) }).toMatchObject({ code: 2, problems: [{}] });
  });

  it('scenario-empty: a folder without scenarios exits with 1', async () => {
    expect((await runHere(['lint', '.'], { cwd: suiteFolder({ 'readme.txt': '' }) })).code).toBe(1);
  });
});

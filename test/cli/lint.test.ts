import { describe, expect, it } from 'vitest';
import { jsonOf, runHere } from './command-context.ts';
import { failing, passing, suiteFolder } from './suite-folder.ts';

describe('lint', () => {
  it('a suite without a fault ends with 0 and says what it looked at, whether or not it would pass', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': failing });
    const ended = await runHere(['lint', '--json'], { cwd });
    expect({ code: ended.code, ...(jsonOf(ended) as object) }).toMatchObject({ code: 0, scenarios: 1, problems: [] });
    expect((await runHere(['lint'], { cwd })).stdout).toMatch(/^Nothing is wrong in 1 scenarios and \d\d fixtures/);
  });

  it('scenario-invalid: problems and impossible steps are told together, with place', async () => {
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
  ])('fixture-invalid: %s with %j is told at %s', async (path, text, place) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, [path]: text });
    const ended = await runHere(['lint', '--json'], { cwd });
    expect(ended.code).toBe(2);
    expect(jsonOf(ended)).toMatchObject({ problems: [{ place }] });
  });

  it('scenario-empty: nothing to check is no success', async () => {
    expect((await runHere(['lint', '.'], { cwd: suiteFolder({ 'readme.txt': '' }) })).code).toBe(1);
  });
});

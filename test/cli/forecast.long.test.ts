import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PolicyVariant, SensitivityReport } from '../../src/contract/forecast-report.ts';
import { parseOutput, runHere } from './command-context.ts';

const office = 'docs/examples/forecast/office.yaml';

function writeDescription(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'nudgelab-forecast-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'tenant.yaml');
  writeFileSync(path, text);
  return path;
}

describe('forecast', () => {
  it('prints the report of the documented example, verified against the machines', async () => {
    const ended = await runHere(['forecast', office, '--users', '2000', '--verify', '20', '--json']);
    expect(ended.code).toBe(0);
    expect(parseOutput(ended)).toMatchObject({
      simulatedUsers: 2000,
      campaign: { method: 'vendorAuthenticator', snoozeDays: 3, limited: true },
      bands: null,
      verification: { users: 20, difference: null },
    });
  });

  it('writes the same bytes for one thread and for two threads', async () => {
    const one = await runHere(['forecast', office, '--users', '3000', '--workers', '1', '--json']);
    const two = await runHere(['forecast', office, '--users', '3000', '--workers', '2', '--json']);
    expect(two.stdout).toBe(one.stdout);
  });

  it('prints tables, charts and reasons as text, and writes the days as CSV', async () => {
    const csv = join(mkdtempSync(join(tmpdir(), 'nudgelab-forecast-')), 'days.csv');
    onTestFinished(() => rmSync(join(csv, '..'), { recursive: true, force: true }));
    const ended = await runHere(['forecast', office, '--users', '1000', '--seeds', '3', '--csv', csv]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('already-registered');
    expect(ended.stdout).toContain('Registered so far');
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(91);
    expect(lines[0]).toMatch(/^day,date,attempts,prompts,.*not prompted already-registered/);
  });

  it('shows the timeline of one user', async () => {
    const ended = await runHere(['forecast', office, '--user', '3', '--json']);
    expect(parseOutput(ended)).toMatchObject({ user: 3, segment: 'field', attempts: expect.any(Array) });
  });

  it.each([
    [
      'forecast-invalid',
      'defaults: { signIn: { weekdays: { monday: 1 } }, answers: { skippable: [{ register: 0.5 }] } }',
      /tenant\.yaml:1:\d+ defaults\.answers\.skippable\.0: .*the shares add up to 0\.5, but must add up to 1/,
    ],
    ['forecast-invalid', 'users: 0', /tenant\.yaml:1:8 users: 0 is less than 1/],
    ['forecast-invalid', 'start: 2026-02-30', /tenant\.yaml:1:8 start/],
    ['forecast-invalid', 'segments: [{ name: a }]', /has no signIn and no answers, and the defaults have none either/],
    ['forecast-invalid', 'ruleset: none\ndefaults: { platforms: [{ os: beos }] }', /"beos" is not one of/],
    ['forecast-invalid', 'sede: 1', /tenant\.yaml:1:1 .*unknown key "sede"/],
    ['forecast-invalid', 'a: [', /tenant\.yaml:1/],
  ])('%s: forecast rejects %s and names the fault', async (code, text, message) => {
    const ended = await runHere(['forecast', writeDescription(text)]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(code);
    expect(ended.stderr).toMatch(message);
  });

  it.each([
    ['segments: [{ name: a }]', 'signIn and no answers'],
    ['defaults: { signIn: { weekdays: { monday: 1 } } }\nsegments: [{ name: a }]', 'answers'],
    ['defaults: { answers: { skippable: [{ register: 1 }] } }\nsegments: [{ name: a }]', 'signIn'],
  ])('forecast-invalid: %s is one problem of the segment, which lacks %s', async (text, missing) => {
    const ended = await runHere(['forecast', writeDescription(text), '--json']);
    const { error } = parseOutput(ended) as { readonly error: { readonly problems: readonly { message: string }[] } };
    expect(
      error.problems.map(({ message }) => message.match(/^(\S+): .* has no (\w+(?: and no \w+)?), /)?.slice(1)),
    ).toEqual([['segments.0', missing]]);
  });

  it('R5, R6, A5: a sweep compares every policy, and longer snoozes cause fewer prompts', async () => {
    const sweep = ['--sweep', 'snoozeDays=0,14', '--sweep', 'limited=true,false', '--sensitivity'];
    const ended = await runHere(['forecast', office, '--users', '4000', ...sweep, '--json']);
    expect(ended.code).toBe(0);
    const { sweep: policies, sensitivity } = parseOutput(ended) as {
      readonly sweep: readonly PolicyVariant[];
      readonly sensitivity: SensitivityReport;
    };
    expect(policies.map(({ snoozeDays, limited }) => [snoozeDays, limited])).toEqual([
      [0, true],
      [14, true],
      [0, false],
      [14, false],
    ]);
    const prompts = policies.map(({ figures }) => figures.promptsPerUser);
    expect(prompts[1]).toBeLessThan(prompts[0] ?? 0);
    expect(prompts[3]).toBeLessThan(prompts[2] ?? 0);
    expect(policies.map(({ figures }) => figures.requiredShare > 0)).toEqual([true, true, false, false]);
    expect(policies.some(({ paretoOptimal }) => paretoOptimal)).toBe(true);
    expect(sensitivity.inputs).toHaveLength(5);
    const willing = sensitivity.inputs.find(({ name }) => name.includes('with a skip'));
    expect(willing?.high.registeredShare).toBeGreaterThan(willing?.low.registeredShare ?? 1);
  });

  it.each([
    ['days=1', /"days" is not one of snoozeDays, limited, method/],
    ['snoozeDays=15', /snoozeDays: "15" must be a whole number from 0 to 14/],
    ['method=sms', /"sms" is not one of/],
    ['3', /"3" has no key; put one of snoozeDays/],
  ])('usage-invalid: --sweep %s is rejected before the forecast starts', async (sweep, message) => {
    const ended = await runHere(['forecast', office, '--sweep', sweep]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
  });

  it('fits a description to an import and forecasts from it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nudgelab-forecast-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const made = (name: string): string => join(folder, 'made', name);
    await runHere([
      'import',
      '--synthesize',
      '20000',
      '--seed',
      '5',
      '--format',
      'parquet',
      '--out',
      join(folder, 'made'),
    ]);
    const files = ['--registrations', made('registrations.parquet'), '--policy', made('policy.json')];
    const imported = await runHere(['import', made('sign-ins.parquet'), ...files, '--out', join(folder, 'in')]);
    expect(imported.code).toBe(0);
    const out = join(folder, 'fitted.yaml');
    const fitted = await runHere(['forecast', '--fit', join(folder, 'in'), '--out', out]);
    expect(fitted.code).toBe(0);
    expect(fitted.stdout).toMatch(/days with a sign-in, all users +Kolmogorov-Smirnov +0\.0\d+ +good/);
    const ended = await runHere(['forecast', out, '--users', '2000', '--verify', '20', '--json']);
    expect(parseOutput(ended)).toMatchObject({ simulatedUsers: 2000, verification: { difference: null } });
    expect((await runHere(['forecast', '--fit', folder])).stderr).toContain('import-unrecognized');
  }, 60_000);

  it.each([
    ['  facts: { passwordReset: { maybe: 1 } }', '{}', /:7:\d+ defaults\.facts\.passwordReset: .*maybe/],
    ['  facts: { passwordRest: true }', '{}', /:7:\d+ defaults\.facts: "passwordRest" is not one of/],
    [
      '',
      '{ facts: { activePasskey: { never: 1 } } }',
      /:8:\d+ segments\.0\.facts\.activePasskey: "never" is not one of/,
    ],
    ['  answers: { skippable: [{ postpone: 1 }] }', '{}', /:8:\d+ segments\.0\.answers\.skippable\.0: .*"postpone"/],
  ])('forecast-invalid: %s %s under a ruleset file is located', async (defaults, segment, said) => {
    const head =
      'ruleset: passkey-week\nstart: 2026-01-05\ndays: 1\nusers: 1\ndefaults:\n  signIn: { weekdays: { monday: 1 } }';
    const path = writeDescription(`${head}\n${defaults}\nsegments: [${segment}]\n`);
    const { code, stderr } = await runHere(['forecast', path, '--ruleset', 'rulesets/passkey-week.ruleset.yaml']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) });
  });

  it('usage-invalid: an unknown ruleset is reported at its option', async () => {
    const ended = await runHere(['forecast', office, '--ruleset', 'none', '--json']);
    expect(ended.code).toBe(2);
    expect(parseOutput(ended)).toMatchObject({
      error: { code: 'usage-invalid', problems: [{ location: '--ruleset' }] },
    });
  });

  it('usage-invalid: a missing file and a user number out of range are rejected', async () => {
    expect((await runHere(['forecast'])).code).toBe(2);
    expect((await runHere(['forecast', office, '--users', '10', '--user', '10'])).stderr).toContain('usage-invalid');
  });
});

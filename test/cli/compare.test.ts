import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { DuckDbSession } from '../../src/replay/import/duckdb-session.ts';
import { planSandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { parseOutput, runHere } from './command-context.ts';

const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-compare-'));

interface Printed {
  readonly attempts: number;
  readonly variants: readonly {
    readonly name: string;
    readonly totals: { readonly certain: Record<string, number> };
    readonly users: Record<string, number>;
  }[];
  readonly timeline?: readonly { readonly user: string; readonly rules: readonly unknown[] }[];
}

beforeAll(async () => {
  await runHere(['import', '--synthesize', '600', '--seed', '3', '--format', 'csv', '--out', 'made-up'], { cwd });
  const parts = [
    'made-up/sign-ins.csv',
    '--registrations',
    'made-up/registrations.csv',
    '--policy',
    'made-up/policy.json',
  ];
  expect(await runHere(['import', ...parts, '--out', 'tenant'], { cwd })).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, 'off.json'), JSON.stringify({ campaign: { state: 'disabled' } }));
  const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'fido2' };
  const campaign = { state: 'enabled', includeTargets: [target] };
  writeFileSync(
    join(cwd, 'passkey.yaml'),
    JSON.stringify({ registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign } }),
  );
});

describe('compare with policies of one file name', () => {
  it('variants are named by file if policies differ only in the extension, and by path if they differ only in the folder', async () => {
    mkdirSync(join(cwd, 'later'), { recursive: true });
    for (const file of ['off.yaml', 'later/off.json']) {
      writeFileSync(join(cwd, file), JSON.stringify({ campaign: { state: 'enabled' } }));
    }
    const options = ['--policy', 'off.json,off.yaml,later/off.json,passkey.yaml', '--json'];
    const { variants } = parseOutput(await runHere(['compare', 'tenant', ...options], { cwd })) as Printed;
    expect(variants.map(({ name }) => name)).toEqual(['off.json', 'off.yaml', 'later/off.json', 'passkey']);
  });

  it('usage-invalid: a policy that is named twice is refused', async () => {
    const { code, stderr } = await runHere(['compare', 'tenant', '--policy', 'off.json,off.json'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('--policy: "off.json" is repeated; name each variant once');
  });
});

describe('compare at times', () => {
  it('OC58: the first of several times is the baseline, and each of the others a variant that names who changes', async () => {
    const options = ['--ruleset', 'announced', '--at', '2026-08-31,2026-10-30,2027-02-01', '--json'];
    const compared = parseOutput(await runHere(['compare', 'tenant', ...options], { cwd })) as Printed & {
      readonly baseRuleset: string;
    };
    expect(compared.baseRuleset).toBe('announced');
    expect(compared.variants.map(({ name }) => name)).toEqual(['announced at 2026-10-30', 'announced at 2027-02-01']);
    const required = compared.variants.map(({ totals }) => totals.certain['newlyRequired'] ?? 0);
    expect(required[0]).toBe(0);
    expect(required[1]).toBeGreaterThan(0);
  });

  it('OC58: two times of one edition have the same verdicts', async () => {
    const options = ['--ruleset', 'announced', '--at', '2026-10-30,2027-01-31', '--json'];
    const compared = parseOutput(await runHere(['compare', 'tenant', ...options], { cwd })) as Printed;
    expect(compared.variants.map(({ users }) => users['changed'])).toEqual([0]);
  });

  it('OC50: several rulesets are one variant each, from files too', async () => {
    writeFileSync(
      join(cwd, 'weekly.ruleset.yaml'),
      'ruleset: weekly\nversion: 1.0.0\nformat: 1\ntitle: Weekly\nbase: seed\ngates: { C1: null }\n',
    );
    const options = ['--ruleset', '2026-09,weekly.ruleset.yaml', '--json'];
    const compared = parseOutput(await runHere(['compare', 'tenant', ...options], { cwd })) as Printed;
    expect(compared.variants.map(({ name }) => name)).toEqual(['2026-09', 'weekly']);
  });

  it('usage-invalid: --at needs one ruleset and instants', async () => {
    for (const options of [
      ['--at', '2026-10-30'],
      ['--ruleset', 'seed,announced', '--at', '2026-10-30'],
      ['--ruleset', 'announced', '--at', 'later'],
    ]) {
      const ended = await runHere(['compare', 'tenant', ...options], { cwd });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--at') });
    }
  });
});

describe('import and compare', () => {
  it('bad-request: compare and import name the file and the location of an invalid policy or tenant value', async () => {
    writeFileSync(join(cwd, 'bad.json'), JSON.stringify({ campaign: { state: 'on' } }));
    const place = /(policy|tenant)\.campaign\.state/;
    const log = ['import', 'made-up/sign-ins.csv', '--out', 'refused'];
    for (const args of [
      ['compare', 'tenant', '--policy', 'off.json,bad.json'],
      [...log, '--policy', 'bad.json'],
      [...log, '--policy', 'off.json', '--tenant', 'bad.json'],
    ]) {
      const { code, stderr } = await runHere(args, { cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(place);
      expect(stderr).toContain('bad.json: ');
      expect(stderr).not.toContain('off.json');
    }
  });

  it('file-unreadable: a folder that cannot be created is rejected, and the command exits', async () => {
    for (const out of ['/proc/nudgelab/made', join(cwd, 'passkey.yaml', 'made')]) {
      const { code, stderr } = await runHere(['import', '--synthesize', '10', '--out', out], { cwd });
      expect([code, stderr.split(':')[0]]).toEqual([2, 'error file-unreadable']);
    }
  });

  it('compares several variants at once, as JSON and as text', async () => {
    const ended = await runHere(['compare', 'tenant', '--policy', 'off.json,passkey.yaml', '--json'], { cwd });
    const printed = parseOutput(ended) as Printed;
    expect([ended.code, printed.attempts, printed.variants.map(({ name }) => name)]).toEqual([
      0,
      360,
      ['off', 'passkey'],
    ]);
    expect(printed.variants[0]?.totals.certain['promptedInVariant']).toBe(0);
    const { stdout } = await runHere(['compare', 'tenant', '--policy', 'off.json'], { cwd });
    expect(stdout).toContain('campaign-reaches-nobody (C1)');
    expect(stdout).toMatch(/prompted, variant +0 +0/);
  });

  it('C1, file-unreadable: the journal of a store is compared by its sandbox', async () => {
    const store = SqliteStore.open(join(cwd, 'kept.db'));
    const sandboxes = await Sandboxes.open(store);
    const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
    const tenant = { campaign: { state: 'enabled', includeTargets: [target] } };
    const { signIns } = await sandboxes.create('lab', planSandbox({ tenant, users: [{ id: 'ada' }] }));
    const { id } = await signIns.start('ada', {});
    await signIns.acceptPassword(id);
    await signIns.completeMfa(id);
    await sandboxes.close();
    const command = ['compare', '--db', 'kept.db', '--policy', 'off.json', '--json'];
    const printed = parseOutput(await runHere([...command, '--sandbox', 'lab'], { cwd })) as Printed;
    expect([printed.attempts, printed.variants[0]?.totals.certain]).toMatchObject([
      1,
      { promptedInBaseline: 1, promptedInVariant: 0 },
    ]);
    for (const [wrong, code] of [
      [[...command, '--sandbox', 'none'], 'sandbox-not-found'],
      [['compare', '--db', 'none.db', '--policy', 'off.json', '--json'], 'file-unreadable'],
      [[...command, 'tenant'], 'usage-invalid'],
    ] as const) {
      expect(parseOutput(await runHere(wrong, { cwd }))).toMatchObject({ error: { code } });
    }
  });

  it('a ruleset or rollout switches without a policy form a variant', async () => {
    const ruleset = parseOutput(
      await runHere(['compare', 'tenant', '--ruleset', '2026-09', '--json'], { cwd }),
    ) as Printed;
    expect(ruleset.variants.map(({ name }) => name)).toEqual(['2026-09']);
    const rollout = parseOutput(
      await runHere(['compare', 'tenant', '--rollout', 'method,targeting', '--json'], { cwd }),
    ) as Printed;
    expect(rollout.variants.map(({ name }) => name)).toEqual(['method targeting']);
  });

  it('writes as many changed attempts to CSV and Parquet as the totals count', async () => {
    const argv = [
      'compare',
      'tenant',
      '--policy',
      'off.json',
      '--csv',
      'changed.csv',
      '--parquet',
      'changed.parquet',
      '--json',
    ];
    const printed = parseOutput(await runHere(argv, { cwd })) as Printed & { readonly files: readonly string[] };
    expect(printed.files).toEqual(['changed.csv', 'changed.parquet']);
    const lines = readFileSync(join(cwd, 'changed.csv'), 'utf8').trimEnd().split('\n');
    const duck = await DuckDbSession.open(cwd);
    const [row] = await duck.rows(`SELECT count(*), count(*) FILTER (changed) FROM '${cwd}/changed.parquet'`);
    duck.close();
    expect(row).toEqual([lines.length - 1, lines.length - 1]);
    expect(lines[0]).toMatch(/^variant,user,attempt,at,/);
    expect(await runHere(argv, { cwd })).toMatchObject({ code: 2 });
  });

  it('writes a self-contained HTML page', async () => {
    const argv = ['compare', 'tenant', '--policy', 'passkey.yaml', '--html', 'page.html'];
    expect((await runHere(argv, { cwd })).stdout).toContain('Wrote page.html.');
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toContain('What would change under passkey');
    expect((await runHere(argv, { cwd })).code).toBe(2);
  });

  it('shows the attempts of one user with the result of every rule', async () => {
    const users = readFileSync(join(cwd, 'made-up/registrations.csv'), 'utf8').split('\n');
    const user = users[1]?.split(',')[0] ?? '';
    const printed = parseOutput(
      await runHere(['compare', 'tenant', '--policy', 'off.json', '--user', user, '--json'], { cwd }),
    ) as Printed;
    expect(printed.timeline?.length).toBeGreaterThan(0);
    expect(printed.timeline?.every((attempt) => attempt.user === user && attempt.rules.length > 20)).toBe(true);
    const { stdout } = await runHere(['compare', 'tenant', '--policy', 'off.json', '--user', user], { cwd });
    expect(stdout).toContain('C1    met → stopped: campaign-disabled');
    const name = users[1]?.split(',')[1]?.toUpperCase() ?? '';
    const byName = parseOutput(
      await runHere(['compare', 'tenant', '--policy', 'off.json', '--user', name, '--json'], { cwd }),
    );
    expect((byName as Printed).timeline).toEqual(printed.timeline);
  });

  it('compares a journey in the same way as an import', async () => {
    const journey = join(import.meta.dirname, '../replay/fixtures/journey-v0.ndjson');
    const printed = parseOutput(
      await runHere(['compare', journey, '--policy', 'off.json', '--json'], { cwd }),
    ) as Printed;
    expect(printed).toMatchObject({ kind: 'journey', attempts: 2, variants: [{ actions: { inapplicable: 1 } }] });
  });

  it.each([
    [['compare', 'tenant'], 'usage-invalid'],
    [['compare', '--policy', 'off.json'], 'usage-invalid'],
    [['compare', 'nowhere', '--policy', 'off.json'], 'file-unreadable'],
    [['compare', 'made-up', '--policy', 'off.json'], 'import-unrecognized'],
    [['compare', 'tenant', '--policy', 'made-up/sign-ins.csv'], 'bad-request'],
    [['compare', 'tenant', '--policy', 'off.json', '--user', 'nobody'], 'user-not-found'],
    [['compare', 'tenant', '--rollout', 'everything'], 'usage-invalid'],
    [['import'], 'usage-invalid'],
    [['import', '--out', 'empty'], 'usage-invalid'],
    [['import', 'nothing.csv', '--out', 'empty'], 'file-unreadable'],
    [['import', 'made-up/sign-ins.csv', '--out', 'tenant'], 'file-exists'],
    [
      ['import', 'made-up/sign-ins.csv', '--pseudonym-key', 'off.json', '--mapping', 'off.json', '--out', 'empty'],
      'bad-request',
    ],
  ])('the arguments %j fail with the error %s', async (argv, code) => {
    const ended = await runHere([...argv, '--json'], { cwd });
    expect([ended.code, parseOutput(ended)]).toMatchObject([2, { error: { code } }]);
  });

  it('the printed mapping produces the same import as the default', async () => {
    const { stdout } = await runHere(['import', '--print-mapping'], { cwd });
    writeFileSync(join(cwd, 'mapping.yaml'), stdout);
    const again = ['import', 'made-up/sign-ins.csv', '--mapping', 'mapping.yaml', '--out', 'again', '--json'];
    expect(parseOutput(await runHere(again, { cwd }))).toMatchObject({ rows: 600, attempts: 360 });
    expect(existsSync(join(cwd, 'again/import.json'))).toBe(true);
  });
});

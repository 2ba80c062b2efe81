import { describe, expect, it } from 'vitest';
import { evaluate } from '../../machines/evaluate.ts';
import { rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Verdict } from '../../machines/vocabulary.ts';
import { lineCharactersMax } from '../../src/cli/explain/evaluate-line.ts';
import { completeFacts } from '../../src/contract/attempt-facts.ts';
import { factsSchema } from '../../src/contract/facts.schema.ts';
import { nonEmpty } from '../non-empty.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const campaign = {
  state: 'enabled',
  includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
};
const prompted = { tenant: { campaign }, user: { id: 'ada' } };
const guest = { tenant: { campaign }, user: { id: 'eve', methods: ['authenticator-push'] }, attempt: { os: 'linux' } };
const phone = { tenant: {}, user: { id: 'ada' }, attempt: { os: 'ios', nowMs: 5 }, ruleset: '2026-09' };

function lines(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function parseVerdicts(stdout: string): readonly Verdict[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Verdict);
}

/** Evaluates facts directly, without the command. */
function evaluated(value: unknown): Verdict {
  const { facts, ruleset } = completeFacts(factsSchema.parse(value));
  return JSON.parse(JSON.stringify(evaluate(facts, rulesets.get(ruleset ?? 'seed') ?? expect.fail())));
}

describe('explain --facts', () => {
  it('prints one verdict per line in input order, with the ruleset that the line names', async () => {
    const cwd = suiteFolder({ 'facts.jsonl': lines(prompted, guest, phone, prompted) });
    const { code, stdout, stderr } = await runHere(['explain', '--facts', 'facts.jsonl'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(parseVerdicts(stdout)).toEqual([prompted, guest, phone, prompted].map(evaluated));
    expect(parseVerdicts(stdout).map(({ ruleset, outcome }) => [ruleset, outcome])).toEqual([
      ['seed', 'skippable'],
      ['seed', 'none'],
      ['2026-09', 'none'],
      ['seed', 'skippable'],
    ]);
  });

  it('reads standard input in chunks of any size, with or without a final line break', async () => {
    const text = `${lines(prompted, { ...guest, user: { id: 'Zoë' } })}\n${JSON.stringify(phone)}`;
    const whole = await runHere(['explain', '--facts', '-'], { stdin: [text] });
    const cut = await runHere(['explain', '--facts', '-'], { stdin: [...text].map((character) => character) });
    expect(parseVerdicts(whole.stdout)).toHaveLength(3);
    expect(cut.stdout).toBe(whole.stdout);
  });

  it('--ruleset evaluates the lines that name no ruleset', async () => {
    const { stdout } = await runHere(['explain', '--facts', '-', '--ruleset', '2026-09'], {
      stdin: [lines(prompted, { ...prompted, ruleset: 'seed' })],
    });
    expect(parseVerdicts(stdout).map(({ ruleset }) => ruleset)).toEqual(['2026-09', 'seed']);
  });

  it('facts-invalid: an invalid line is reported with field, value and allowed values, and valid lines are evaluated', async () => {
    const bad = { ...prompted, user: { id: 'ada', methods: ['fax'] } };
    const { code, stdout, stderr } = await runHere(['explain', '--facts', '-'], {
      stdin: [
        lines(prompted, bad),
        '{"user":\n',
        lines({ ...prompted, ruleset: 'old' }, { tenant: null, user: { id: 'a' } }, {}),
        lines(prompted),
      ],
    });
    expect({ code, verdicts: parseVerdicts(stdout).length }).toEqual({ code: 2, verdicts: 2 });
    expect(stderr).toMatch(/^error facts-invalid: 5 of 7 lines/);
    expect(stderr).toMatch(/^line 2: facts\.user\.methods\.0: "fax" is not one of "sms", "voice"/m);
    expect(stderr).toMatch(/^line 3: it is not valid JSON: /m);
    expect(stderr).toMatch(/^line 4: facts\.ruleset: "old" is not one of seed, 2026-09, announced$/m);
    expect(stderr).toMatch(/^line 5: facts\.tenant: null/m);
    expect(stderr).toMatch(/^line 6: facts\.user/m);
  });

  it('facts-invalid: the first 20 invalid lines are listed, and the others are counted', async () => {
    const { code, stderr } = await runHere(['explain', '--facts', '-'], { stdin: ['{}\n'.repeat(25)] });
    expect({ code, reported: stderr.match(/^line \d+:/gm)?.length }).toEqual({ code: 2, reported: 20 });
    expect(stderr).toMatch(/^5 more lines/m);
    const all = await runHere(['explain', '--facts', '-'], { stdin: ['{}\n'.repeat(20)] });
    expect(all.stderr.match(/^line \d+:/gm)).toHaveLength(20);
    expect(all.stderr).not.toMatch(/more lines/);
  });

  it.each([
    ['a line that does not end', [' '.repeat(lineCharactersMax), ' ', '{}']],
    ['a complete line', [`${' '.repeat(lineCharactersMax)}{}\n`]],
  ])('facts-invalid: %s is rejected at its limit', async (_what, stdin) => {
    const { code, stderr } = await runHere(['explain', '--facts', '-'], { stdin });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error facts-invalid: /)]);
    expect(stderr).toContain(`${lineCharactersMax} characters`);
  });

  it('facts-invalid: empty input exits with 2', async () => {
    expect((await runHere(['explain', '--facts', '-'], { stdin: ['\n\n'] })).code).toBe(2);
  });

  it('file-unreadable: a missing file is reported', async () => {
    const { code, stderr } = await runHere(['explain', '--facts', 'nowhere.jsonl'], { cwd: suiteFolder({}) });
    expect({ code, known: stderr.startsWith('error file-unreadable') }).toEqual({ code: 2, known: true });
  });

  it('tenants that differ in one value get separate verdicts', async () => {
    const off = { ...prompted, tenant: { campaign: { ...campaign, state: 'disabled' } } };
    const { stdout } = await runHere(['explain', '--facts', '-'], { stdin: [lines(prompted, off, prompted, off)] });
    expect(parseVerdicts(stdout).map(({ reason }) => reason)).toEqual([
      null,
      'campaign-disabled',
      null,
      'campaign-disabled',
    ]);
  });
});

describe('explain --user', () => {
  it('shows every gate of the ruleset with its outcome', async () => {
    const { code, stdout } = await runHere([
      'explain',
      '--user',
      'keychain-holder',
      '--tenant',
      'passkey-enabled',
      '--os',
      'macos',
      '--browser',
      'safari',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^keychain-holder: Not prompted: a keychain passkey already covers Mac, other browsers\. \(R11\.3, local-passkey\)\n/,
    );
    for (const id of nonEmpty(rulesets.get('seed')?.order ?? []))
      expect(stdout).toMatch(new RegExp(`^${id} +(Passed|Stopped|Not applicable) `, 'm'));
  });

  it.each([
    [['--user', 'sms-user'], 'skippable', null],
    [['--user', 'out-of-snoozes'], 'required', null],
    [['--user', 'sms-user', '--sso'], 'none', 'sso-session'],
    [['--user', 'sms-user', '--mfa-provider', 'external'], 'none', 'external-mfa'],
    [['--user', 'sms-user', '--surface', 'oobe'], 'none', 'unsupported-surface'],
    [['--user', 'snoozing-user', '--clock', '2026-01-05T10:00:00Z'], 'none', 'snoozed'],
    [['--user', 'snoozing-user', '--clock', '2026-01-07T10:00:00Z'], 'skippable', null],
    [['--user', 'sms-user', '--tenant', 'disabled'], 'none', 'campaign-disabled'],
    [
      ['--user', 'sms-user', '--browser', 'none', '--ruleset', '2026-09', '--mfa-method', 'authenticator-totp'],
      'none',
      'mfa-not-voice-or-sms',
    ],
  ])('evaluates %j to outcome %s with reason %s', async (argv, outcome, reason) => {
    expect(parseOutput(await runHere(['explain', ...argv, '--json']))).toMatchObject({ outcome, reason });
  });

  it('fixture-not-found: the message lists the available fixtures', async () => {
    const { code, stderr } = await runHere(['explain', '--user', 'nobody']);
    expect({ code, listed: stderr.includes('sms-user') }).toEqual({ code: 2, listed: true });
  });
});

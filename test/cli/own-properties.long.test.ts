import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const file = 'factor.ruleset.yaml';
const text = readFileSync('rulesets/second-factor-deadline.ruleset.yaml', 'utf8');

const own = `properties:
  - id: grace-lasts
    title: A user whose grace period is over is prompted
    property: { always: { when: { event: attempt.evaluated, with: { outcome: blocked } }, then: { page: required } } }
  - id: required-is-answered
    title: A user who is prompted registers at some time
    fair: [clock]
    property: { always: { when: { event: prompt.shown }, then: { eventually: { event: setup.completed } } } }
  - id: waits-a-day
    title: No prompt is shown within five days of another one
    property: { always: { when: { event: prompt.shown }, then: { next: { never: { event: prompt.shown }, for: 5 days } } } }
`;

describe('nudgelab properties for a ruleset of one’s own', () => {
  it('PR42: --ruleset proves the properties that every own ruleset has', async () => {
    const cwd = suiteFolder({ [file]: text });
    const { code, stdout } = await runHere(['properties', '--ruleset', file], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^second-factor-deadline: \d+ states, \d+ steps, \d+ ms\n {2}proven {3}count-never-falls: /);
    expect(stdout).toContain('  proven   blocked-by-requirement: ');
    const machine = await runHere(['properties', '--machine', file, '--only', 'prompt-expires'], { cwd });
    expect([machine.code, machine.stdout]).toEqual([0, expect.stringContaining('proven   prompt-expires')]);
  });

  it('PR43: counterexamples become scenarios that run on the model with the verdicts of the check', async () => {
    const cwd = suiteFolder({ [file]: text, 'team.properties.yaml': own });
    const line = ['properties', 'team.properties.yaml', '--ruleset', file, '--out', 'found', '--json'];
    const found = await runHere(line, { cwd });
    expect(found.code).toBe(1);
    const scenario = (id: string) => ({ id, verdict: 'violated', scenario: join('found', `${id}.yaml`) });
    expect(parseOutput(found)).toMatchObject({
      holds: false,
      machines: [{ properties: [scenario('grace-lasts'), scenario('required-is-answered'), scenario('waits-a-day')] }],
    });
    const ran = await runHere(['run', 'found', '--driver', 'model,http', '--json'], { cwd });
    expect(parseOutput(ran)).toMatchObject({ summary: { passed: 6, failed: 0, skipped: 0 } });
    expect(readFileSync(join(cwd, 'found', 'grace-lasts.yaml'), 'utf8')).toContain('outcome: blocked');
  });

  it('PR44: --names lists what properties of the ruleset can name', async () => {
    const cwd = suiteFolder({ [file]: text });
    const names = parseOutput(await runHere(['properties', '--ruleset', file, '--names', '--json'], { cwd }));
    expect(names).toMatchObject({
      machine: 'second-factor-deadline',
      facts: expect.arrayContaining(['state', 'page', 'user.facts.graceEndsAt', 'tenant.settings.graceOn']),
      events: expect.arrayContaining(['attempt.evaluated', 'prompt.answered', 'time.passed']),
      actions: expect.arrayContaining(['signs in', 'answers skip', 'time passes']),
    });
  });

  it('OC53: a ruleset without finitely many states names the cause, its line and what works', async () => {
    const counted = text.replace(
      'gates: []',
      'gates: [{ id: G1, summary: Often., when: { signIns: { within: 30d }, atLeast: 3 }, stop: few }]\nreasons: { few: Few. }',
    );
    const cwd = suiteFolder({ [file]: counted });
    const failed = await runHere(['properties', '--ruleset', file, '--json'], { cwd });
    const problem = {
      location: expect.stringMatching(/factor\.ruleset\.yaml:\d+:\d+$/),
      message: expect.stringMatching(/RC4.*--engine search/),
    };
    expect([failed.code, parseOutput(failed)]).toMatchObject([
      2,
      { error: { code: 'ruleset-not-compiled', problems: [problem] } },
    ]);
  });

  it('PR45: a machine without sign-ins, and one with the base registration-campaign, refuse an own ruleset', async () => {
    const cwd = suiteFolder({ [file]: text });
    const failed = await runHere(['properties', '--ruleset', file, '--machine', 'lifecycle', '--json'], { cwd });
    expect([failed.code, parseOutput(failed)]).toMatchObject([2, { error: { code: 'usage-invalid' } }]);
  });
});

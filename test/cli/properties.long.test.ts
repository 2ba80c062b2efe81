import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';
import { userFolder } from './user-folder.ts';

const team = `properties:
  - id: prompt-ends
    title: Every prompt ends by a registration
    covers: [R9]
    property: { always: { when: { page: prompt }, then: { eventually: { state: registered } } } }
  - id: never-two-snoozes
    title: No user snoozes twice
    covers: [R6]
    property: { never: { fact: snoozes, atLeast: 2 } }
  - id: count-is-small
    title: The count is at most three
    covers: [R6]
    property: { always: { fact: snoozes, atMost: 3 } }
`;

const machine = `import { createMachine } from 'xstate';
export const machine = createMachine({ id: 'basket', initial: 'empty', states: { empty: { on: { add: 'full' } }, full: {} } });
export const events = [{ type: 'add' }];
`;

describe('nudgelab properties', () => {
  it('PR19: proves the chosen properties of the specification, and exits with 0', async () => {
    const { code, stdout } = await runHere(['properties', '--only', 'no-prompt-while-snoozed,snooze-ends']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^lifecycle: 720 states, [\d,]+ steps, \d+ ms\n {2}proven {3}no-prompt-while-snoozed: /);
    expect(stdout).toContain('  proven   snooze-ends: ');
  });

  it('PR20: prints the shortest counterexamples, exits with 1, and writes scenarios that pass on two drivers', async () => {
    const cwd = suiteFolder({ 'team.properties.yaml': team });
    const { code, stdout } = await runHere(['properties', 'team.properties.yaml', '--out', 'found'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('VIOLATED prompt-ends: Every prompt ends by a registration (R9)\n');
    expect(stdout).toContain('Counterexample with the shortest stem, 1 step, then 1 step forever:\n');
    expect(stdout).toContain('Shortest counterexample, 5 steps:\n');
    expect(stdout).toContain('  proven   count-is-small');
    expect(readFileSync(join(cwd, 'found', 'prompt-ends.yaml'), 'utf8')).toContain('the scenario runs them twice');
    const ran = await runHere(['run', 'found', '--driver', 'model,http', '--json'], { cwd });
    expect(parseOutput(ran)).toMatchObject({ summary: { failed: 0, skipped: 0 } });
  });

  it('PR21: --json has verdicts, sizes, counterexamples and the files of their scenarios', async () => {
    const cwd = suiteFolder({ 'team.properties.yaml': team });
    const result = parseOutput(await runHere(['properties', 'team.properties.yaml', '--out', 'f', '--json'], { cwd }));
    expect(result).toMatchObject({
      holds: false,
      machines: [
        {
          machine: 'lifecycle',
          properties: [
            { id: 'prompt-ends', verdict: 'violated', kind: 'liveness', scenario: join('f', 'prompt-ends.yaml') },
            { id: 'never-two-snoozes', kind: 'safety', counterexample: { cycleFrom: null }, states: 720 },
            { id: 'count-is-small', verdict: 'proven', counterexample: null, scenario: null },
          ],
        },
      ],
    });
  });

  it('PR22: a module of a machine is checked, and --names lists what properties can name', async () => {
    const cwd = userFolder();
    writeFileSync(join(cwd, 'basket.mjs'), machine);
    const stays = 'properties:\n  - { id: stays, title: Stays, property: { always: { state: empty } } }\n';
    writeFileSync(join(cwd, 'basket.properties.yaml'), stays);
    const found = await runHere(['properties', 'basket.properties.yaml', '--machine', './basket.mjs'], { cwd });
    expect(found.code).toBe(1);
    expect(found.stdout).toContain('1. add (state full)');
    const written = await runHere(
      ['properties', 'basket.properties.yaml', '--machine', './basket.mjs', '--out', 'cases'],
      {
        cwd,
      },
    );
    expect(written.stdout).toContain('No driver can run these steps, so no scenario was written.');
    expect(existsSync(join(cwd, 'cases'))).toBe(false);
    const names = parseOutput(await runHere(['properties', '--machine', './basket.mjs', '--names', '--json'], { cwd }));
    expect(names).toEqual({ machine: './basket.mjs', facts: ['state', 'page'], events: ['add'], actions: ['add'] });
    const text = (await runHere(['properties', '--names'], { cwd })).stdout;
    expect(text).toContain('Facts:\n  state\n  page\n  skippable\n');
  });

  it('PR26: the user of a ruleset with gates of its own has the facts with which it prompts', async () => {
    const cwd = userFolder();
    cpSync('rulesets/pilot-offices.ruleset.yaml', join(cwd, 'pilot.ruleset.yaml'));
    const rule = ['--ruleset', 'pilot.ruleset.yaml'];
    const shipped = await runHere(['properties', ...rule, '--only', 'no-prompt-while-snoozed', '--json'], { cwd });
    expect(parseOutput(shipped)).toMatchObject({ holds: true, machines: [{ properties: [{ verdict: 'proven' }] }] });
    const never =
      'properties:\n  - { id: never-asked, title: No user is asked, property: { always: { page: null } } }\n';
    writeFileSync(join(cwd, 'never.properties.yaml'), never);
    const refuted = await runHere(['properties', 'never.properties.yaml', ...rule, '--out', 'cases'], { cwd });
    expect(refuted.code).toBe(1);
    const scenario = readFileSync(join(cwd, 'cases/never-asked.yaml'), 'utf8');
    expect(scenario).toContain('office: lima');
    const ran = await runHere(['run', 'cases/never-asked.yaml', ...rule], { cwd });
    expect(ran).toMatchObject({ code: 0 });
  });

  it('PR27: a state that no user reaches makes a property vacuous, and one that does not exist is an error', async () => {
    const cwd = userFolder();
    const text = readFileSync('rulesets/pilot-offices.ruleset.yaml', 'utf8');
    writeFileSync(join(cwd, 'never.ruleset.yaml'), text.replace('in: [lima, oslo]', 'in: []'));
    const rule = ['--ruleset', 'never.ruleset.yaml'];
    const shipped = await runHere(['properties', ...rule, '--only', 'snooze-ends', '--json'], { cwd });
    expect(parseOutput(shipped)).toMatchObject({ holds: false, machines: [{ properties: [{ verdict: 'vacuous' }] }] });
    const wrong = 'properties:\n  - { id: wrong, title: Wrong, property: { never: { state: snozed } } }\n';
    writeFileSync(join(cwd, 'wrong.properties.yaml'), wrong);
    const { code, stderr } = await runHere(['properties', 'wrong.properties.yaml', ...rule], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('state is never "snozed"');
    expect(stderr).toContain('did you mean "snoozed"?');
  });

  it('PR23: another ruleset decides, and wrong arguments are errors', async () => {
    const only = ['--only', 'registered-not-prompted'];
    const dated = parseOutput(await runHere(['properties', '--ruleset', '2026-09', ...only, '--json']));
    expect(dated).toMatchObject({ machines: [{ machine: 'lifecycle' }] });
    const error = async (...argv: readonly string[]) => {
      const { code, stderr } = await runHere(['properties', ...argv]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await error('missing.properties.yaml')).toContain('missing.properties.yaml cannot be read');
    expect(await error('team.yaml')).toContain('is not a file that ends with .properties.yaml');
    expect(await error('--only', 'snooze-end')).toContain('did you mean "snooze-ends"?');
    expect(await error('--machine', 'life-cycle', ...only)).toContain('did you mean "lifecycle"?');
    expect(await error('--ruleset', 'seed', '--machine', 'sign-in', ...only)).toContain('evaluates no sign-ins');
  });
});

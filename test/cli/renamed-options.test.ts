import { describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands.ts';
import { listOptions, runProgram } from '../../src/cli/program.ts';
import { nonEmpty } from '../non-empty.ts';
import { testContext } from './command-context.ts';

async function errorText(argv: readonly string[]): Promise<string> {
  const context = testContext();
  expect(await runProgram(argv, context)).toBe(2);
  return context.stderr.text;
}

describe('options', () => {
  it.each([
    [['fuzz', '--budget', '5s'], 'The option --budget is now --time-limit.'],
    [['fuzz', '--walks=9'], 'The option --walks is now --runs.'],
    [['generate', '--walks', '9'], 'The option --walks is now --random-steps.'],
    [['explain', '--user', 'sms-user', '--now', '2026-01-05'], 'The option --now is now --clock.'],
    [['lookup', 'ada', '--fixture', 'known-people'], 'The option --fixture is now --lookup.'],
    [['mcp', '--allow-writes'], 'The option --allow-writes is now --allow-scenario-edits.'],
    [['run', '--repeat', '2'], 'The option --repeat is now --repeat-each.'],
  ])('usage-invalid: %j names the current option', async (argv, sentence) => {
    expect(await errorText(argv)).toContain(sentence);
  });

  it.each([
    [['run', '--drivr', 'model'], '--driver'],
    [['serve', '--tenat', 'x'], '--tenant'],
    [['rnu'], 'run'],
  ])('usage-invalid: %j suggests %s', async (argv, nearest) => {
    expect(await errorText(argv)).toMatch(new RegExp(`Did you mean.*${nearest}`));
  });

  it('usage-invalid: a rejected choice names the nearest one', async () => {
    expect(await errorText(['generate', '--coverage', 'transition'])).toContain('did you mean "transitions"?');
    expect(await errorText(['explain', '--os', 'widows'])).toContain('did you mean "windows"?');
    expect(await errorText(['explore', 'campain'])).toContain('did you mean "campaign"?');
    expect(await errorText(['generate', 'sign-inn'])).toContain('did you mean "sign-in"?');
    expect(await errorText(['schema', 'fact'])).toContain('did you mean "facts"?');
    expect(await errorText(['run', '--driver', 'modle'])).toContain('did you mean "model"?');
    expect(await errorText(['explain', '--user', 'sms-usr'])).toContain('did you mean "sms-user"?');
  });

  it('usage-invalid: an option that a command never had is not reported as renamed', async () => {
    expect(await errorText(['users', '--budget', '5s'])).not.toContain('is now');
  });

  it('usage-invalid: a timeout needs a unit', async () => {
    expect(await errorText(['run', '--timeout', '5000'])).toContain('a duration with a unit, such as 500ms, 10s or 2m');
    expect(await errorText(['run', '--timeout', '11m'])).toContain('of at most 600s');
  });

  it('usage-invalid: options with one name accept one kind of value in every command', async () => {
    const syntaxes = new Map<string, Set<string>>();
    for (const command of nonEmpty(await allCommands())) {
      for (const { flags } of Object.values(listOptions(command))) {
        const [name = '', value = ''] = flags.split(' ');
        syntaxes.set(name, (syntaxes.get(name) ?? new Set()).add(value));
      }
    }
    const several = [...syntaxes].filter(([, values]) => values.size > 1).map(([name]) => name);
    // One or several drivers, formats, languages, policies, rulesets and tags; files and folders; a simulated user by
    // number; an import. A ruleset is copied from an example, and explained on standard output.
    expect(several.sort()).toEqual([
      '--driver',
      '--format',
      '--from',
      '--html',
      '--language',
      '--out',
      '--policy',
      '--ruleset',
      '--tag',
      '--tenant',
      '--user',
      '--users',
    ]);
  });
});

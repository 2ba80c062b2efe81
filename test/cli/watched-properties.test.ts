import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

const scenario = `name: A user skips two prompts
given: { tenant: app-enabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt }
  - skip: {}
  - advance: { days: 1 }
  - signIn: { user: ada }
  - skip: {}
`;
const team = `properties:
  - { id: once, title: No user snoozes twice, covers: [R6], property: { never: { fact: snoozes, is: 2 } } }
`;
const typo = `properties:
  - { id: once, title: No user snoozes twice, property: { never: { fact: snooze, is: 2 } } }
`;

function folder(): string {
  const cwd = suiteFolder({ 'team.properties.yaml': team, 'typo.properties.yaml': typo });
  mkdirSync(join(cwd, 'watched'));
  writeFileSync(join(cwd, 'watched', 'twice.yaml'), scenario);
  return cwd;
}

describe('--properties', () => {
  it('PR25: run watches the properties of the specification on the model and on a server', async () => {
    const cwd = folder();
    const words = ['run', 'watched', '--driver', 'model,http', '--properties', 'specification', '--json'];
    const result = await runHere(words, { cwd });
    expect(parseOutput(result)).toMatchObject({ summary: { passed: 2, failed: 0 } });
    expect(result.code).toBe(0);
  });

  it('PR25: run fails at the step that violates a property of a file, on every driver', async () => {
    const words = ['run', 'watched', '--driver', 'model,http', '--properties', 'team.properties.yaml', '--json'];
    const result = await runHere(words, { cwd: folder() });
    expect(result.code).toBe(1);
    const { results } = parseOutput(result) as {
      readonly results: readonly {
        readonly steps: readonly { readonly mismatches: readonly { message: string }[] }[];
      }[];
    };
    expect(results.map(({ steps }) => steps[4]?.mismatches[0]?.message)).toEqual([
      expect.stringContaining('The property once is violated for the user ada at 2026-01-06T'),
      expect.stringContaining('The property once is violated for the user ada at 2026-01-06T'),
    ]);
  });

  it('PR25: fuzz shrinks a walk that violates a property, and the printed command repeats it', async () => {
    const cwd = folder();
    const words = ['fuzz', '--driver', 'model', '--runs', '200', '--properties', 'team.properties.yaml', '--json'];
    const result = await runHere(words, { cwd });
    expect(result.code).toBe(1);
    const { failure } = parseOutput(result) as { readonly failure: { readonly command: string } };
    expect(failure.command).toContain('--properties team.properties.yaml');
    expect(JSON.stringify(failure)).toContain('The property once is violated');
  });

  it.each([
    ['nothing.properties.yaml', 'file-unreadable'],
    ['other', 'usage-invalid'],
    ['typo.properties.yaml', 'property-invalid'],
  ])('PR25: --properties %s is rejected before the run with %s', async (value, code) => {
    const { code: exit, stderr } = await runHere(['run', 'watched', '--properties', value], { cwd: folder() });
    expect([exit, stderr.split(':')[0]]).toEqual([2, `error ${code}`]);
  });

  it('PR25: properties are not sent to workers', async () => {
    const words = [
      'run',
      'watched',
      '--properties',
      'specification',
      '--queue',
      'redis://localhost:1',
      '--driver',
      'model',
    ];
    const { code, stderr } = await runHere(words, { cwd: folder() });
    expect(code).toBe(2);
    expect(stderr).toContain('properties are not sent to workers');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOutput, runHere } from './command-context.ts';
import { userFolder } from './user-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = userFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const counter = (guard: string) => `
import { assign, createMachine } from 'xstate';
export const machine = createMachine({
  id: 'counter',
  context: { count: 0 },
  on: { add: { guard: ({ context }) => ${guard}, actions: assign({ count: ({ context }) => context.count + 1 }) } },
});
export const events = [{ type: 'add' }];
export const invariants = [
  { id: 'counter.small', sentence: 'The count is below 4.', of: 'state', holds: ({ context }) => context.count < 4 },
];
`;

describe('explore', () => {
  it('explores a named machine and prints counts, invariants and duration', async () => {
    const ended = await runHere(['explore', 'sign-in', '--json']);
    expect(ended.code).toBe(0);
    expect(parseOutput(ended)).toMatchObject({
      holds: true,
      machines: [
        { machine: 'sign-in', states: 31, edges: 2015, events: 65, violations: [], elapsedMs: expect.any(Number) },
      ],
    });
  });

  it('evaluates every combination of the eligibility space and counts the verdicts', {
    timeout: 60_000,
  }, async () => {
    const ended = await runHere(['explore', 'eligibility', '--json']);
    expect(ended.code).toBe(0);
    const { holds, machines, eligibility } = parseOutput(ended) as {
      readonly holds: boolean;
      readonly machines: readonly unknown[];
      readonly eligibility: readonly {
        readonly ruleset: string;
        readonly combinations: number;
        readonly verdicts: readonly { readonly count: number }[];
        readonly differing: number;
      }[];
    };
    expect({ holds, machines }).toEqual({ holds: true, machines: [] });
    expect(eligibility.map(({ ruleset, differing }) => ({ ruleset, differing }))).toEqual([
      { ruleset: 'seed', differing: 0 },
      { ruleset: '2026-09', differing: 0 },
    ]);
    for (const { combinations, verdicts } of eligibility) {
      expect(combinations).toBeGreaterThan(10_000_000);
      expect(verdicts.reduce((sum, { count }) => sum + count, 0)).toBe(combinations);
    }
  });

  it('explores every machine if no name is given', async () => {
    const ended = await runHere(['explore']);
    expect(ended.code).toBe(0);
    const explored = ended.stdout.split('\n').filter((line) => / states, /.test(line));
    expect(explored.map((line) => line.split(':')[0])).toEqual([
      'nudge',
      'sign-in',
      'campaign',
      'passkey-eligibility',
      'document',
      'tenant',
    ]);
    expect(ended.stdout).not.toContain('BROKEN');
  });

  it('explores a user-defined module by its path', async () => {
    const cwd = folderWith({ 'counter.ts': counter('context.count < 3') });
    const ended = await runHere(['explore', './counter.ts', '--json'], { cwd });
    expect(ended.code).toBe(0);
    expect(parseOutput(ended)).toMatchObject({ machines: [{ machine: 'counter.ts', states: 4, edges: 4 }] });
  });

  it('explores the documented example', async () => {
    const ended = await runHere(['explore', 'docs/examples/basket.machine.ts', '--json']);
    expect(parseOutput(ended)).toMatchObject({
      holds: true,
      machines: [{ states: 7, edges: 28, invariants: [{ holds: true }] }],
    });
  });

  it('exits with 1 and shows the shortest path to an invariant violation', async () => {
    const cwd = folderWith({ 'counter.ts': counter('context.count < 9') });
    const { code, stdout } = await runHere(['explore', './counter.ts'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('BROKEN counter.small');
    expect(stdout.split('\n').filter((line) => line.includes('{"type":"add"}'))).toHaveLength(4);
  });

  it('state-space-too-large: an unbounded machine exits with 2 and names the growing key', async () => {
    const cwd = folderWith({ 'counter.ts': counter('true') });
    const { code, stderr } = await runHere(['explore', './counter.ts', '--max-states', '100'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error state-space-too-large: .*context\.count/);
  });

  it.each([
    [
      'alphabet-empty',
      `import { createMachine } from 'xstate';\nexport const machine = createMachine({});\nexport const events = [];`,
    ],
    ['config-invalid', 'export const events = [];'],
    ['config-invalid', 'export const machine = {}; export const events = [{}];'],
    [
      'machine-not-explorable',
      `import { createMachine } from 'xstate';
       export const machine = createMachine({ initial: 'a', states: { a: { after: { 5: 'b' } }, b: {} } });
       export const events = [{ type: 'go' }];`,
    ],
  ])('%s: exploring an invalid module exits with 2', async (errorCode, text) => {
    const { code, stderr } = await runHere(['explore', './own.ts'], { cwd: folderWith({ 'own.ts': text }) });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^error ${errorCode}: `));
  });

  it('usage-invalid: a name that is neither a machine nor a path is rejected', async () => {
    const { code, stderr } = await runHere(['explore', 'nudges']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error usage-invalid: /);
  });
});
